/** The worker: draws diagrams one after the other. */
import { READY } from '../../workers/supervisor';
import { draw } from './draw';
import type { FromDrawer, ToDrawer } from './messages';
import { useRuler } from './text';

const context = new OffscreenCanvas(1, 1).getContext('2d')!;
useRuler((text, font) => {
  context.font = font;
  const { width, fontBoundingBoxAscent: ascent, fontBoundingBoxDescent: descent } = context.measureText(text);
  return { width, ascent, descent };
});

// The types describe the window's `postMessage`; the worker's takes only the message.
const answer = self.postMessage.bind(self) as (message: FromDrawer | typeof READY) => void;

/** Shared built-in objects that a setting of a diagram could modify. */
const SHARED = [
  Object,
  Array,
  Function,
  String,
  Number,
  Map,
  Set,
  RegExp,
  Math,
  JSON,
  Object.prototype,
  Array.prototype,
  Function.prototype,
  String.prototype,
  Number.prototype,
  Map.prototype,
  Set.prototype,
  RegExp.prototype,
];
const keys = () => SHARED.map((each) => Reflect.ownKeys(each).length).join();
const pristine = keys();

self.onmessage = ({ data }: MessageEvent<ToDrawer>) => {
  void draw(data).then((drawn) =>
    answer('code' in drawn ? { type: 'refused', refusal: drawn } : { type: 'picture', picture: drawn, spent: keys() !== pristine }),
  );
};
answer(READY);
