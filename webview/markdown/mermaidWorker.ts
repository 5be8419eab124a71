/** The worker: draws what comes in, one diagram after the other. */
import { draw } from './mermaidDraw';
import type { FromDrawer, ToDrawer } from './mermaidMessages';
import { useRuler } from './mermaidText';

const context = new OffscreenCanvas(1, 1).getContext('2d')!;
useRuler((text, font) => {
  context.font = font;
  const { width, fontBoundingBoxAscent: ascent, fontBoundingBoxDescent: descent } = context.measureText(text);
  return { width, ascent, descent };
});

// Not the window's: a worker's takes the message alone.
const answer = self.postMessage.bind(self) as (message: FromDrawer) => void;

self.onmessage = ({ data }: MessageEvent<ToDrawer>) => {
  draw(data).then(
    (picture) => answer({ type: 'picture', picture }),
    (error: unknown) => answer({ type: 'refused', reason: error instanceof Error ? error.message : String(error) }),
  );
};
answer({ type: 'ready' });
