/** The code loaded with the first formula on the screen: the worker, KaTeX's style sheet and fonts, and the handling of copied formulas. */
import sheetText from 'style:katex/dist/katex.min.css';
import { pageWorkers } from '../../workers/page';
import { copyWithFormulas } from './copy';
import { elementOf } from './dom';
import { loadFonts } from './fontFiles';
import type { MathElement, MathResult } from './messages';
import { MathQueue } from './queue';

/** Cached results, for formulas that are scrolled away and come back. */
const KEPT = 500;

export interface Mathematics {
  /** Calls `done` at most once, and not if `isWanted` returns false before. */
  typeset(tex: string, display: boolean, isWanted: () => boolean, done: (result: MathResult) => void): void;
  /** Returns the cached result of the same formula, if there is one. */
  recall(tex: string, display: boolean): MathResult | undefined;
  /** Creates the element of a typeset formula. */
  elementOf(root: MathElement): HTMLElement;
  /** Makes `element` focusable while it can be scrolled. Returns a function that stops that. */
  watchOverflow(element: HTMLElement): () => void;
}

/** Must be called only once. */
export function start(): Mathematics {
  adoptSheet();
  document.addEventListener('copy', copyWithFormulas);
  const queue = new MathQueue(pageWorkers('mathematics', () => import('worker:./mathWorker')));
  const kept = new Map<string, MathResult>();
  const keyOf = (tex: string, display: boolean) => `${display ? 'd' : 'i'}${tex}`;
  return {
    typeset: (tex, display, isWanted, done) =>
      queue.add(tex, display, isWanted, (result) => {
        // A timeout depends on the machine's load, so the formula may succeed another time.
        if ('root' in result || result.reason !== 'time') {
          keep(kept, keyOf(tex, display), result);
        }
        if ('root' in result) {
          void loadFonts(result.fonts).then(() => done(result));
        } else {
          done(result);
        }
      }),
    recall: (tex, display) => kept.get(keyOf(tex, display)),
    elementOf,
    watchOverflow,
  };
}

function keep(kept: Map<string, MathResult>, key: string, result: MathResult): void {
  kept.set(key, result);
  if (kept.size > KEPT) {
    kept.delete(kept.keys().next().value!);
  }
}

/** The sheet is not loaded from an address. Its counters of equations are turned off, because they would count only the rendered ones. */
function adoptSheet(): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`${sheetText}\n.katex :is(.eqn-num, .mml-eqn-num)::before { content: none; }`);
  // The sheet comes first, so that the page's own rules override it.
  document.adoptedStyleSheets.unshift(sheet);
}

let overflow: ResizeObserver | undefined;

function watchOverflow(element: HTMLElement): () => void {
  overflow ??= new ResizeObserver((entries) => {
    for (const { target } of entries) {
      const scroller = target as HTMLElement;
      if (scroller.scrollWidth > scroller.clientWidth || scroller.scrollHeight > scroller.clientHeight) {
        scroller.tabIndex = 0;
      } else {
        scroller.removeAttribute('tabindex');
      }
    }
  });
  overflow.observe(element);
  return () => overflow?.unobserve(element);
}
