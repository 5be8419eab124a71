/** What comes with the first formula in sight: the worker, KaTeX's style sheet and fonts, and what formulas do when they are copied. */
import sheetText from 'style:katex/dist/katex.min.css';
import { pageWorkers } from '../../workers/page';
import { copyWithFormulas } from './copy';
import { elementOf } from './dom';
import { loadFonts } from './fontFiles';
import type { MathElement, MathResult } from './messages';
import { MathQueue } from './queue';

/** Results that are kept, for formulas that are scrolled away and come again. */
const KEPT = 500;

export interface Mathematics {
  /** `done` is called at most once, and not when `isWanted` says no in time. */
  typeset(tex: string, display: boolean, isWanted: () => boolean, done: (result: MathResult) => void): void;
  /** The result of the same formula, when it is still known. */
  recall(tex: string, display: boolean): MathResult | undefined;
  /** A new element for what was set. */
  elementOf(root: MathElement): HTMLElement;
  /** Lets `element` be scrolled with the keyboard while there is something to scroll; returns the way out. */
  watchOverflow(element: HTMLElement): () => void;
}

/** Call it once. */
export function start(): Mathematics {
  adoptSheet();
  document.addEventListener('copy', copyWithFormulas);
  const queue = new MathQueue(pageWorkers('mathematics', () => import('worker:./mathWorker')));
  const kept = new Map<string, MathResult>();
  const keyOf = (tex: string, display: boolean) => `${display ? 'd' : 'i'}${tex}`;
  return {
    typeset: (tex, display, isWanted, done) =>
      queue.add(tex, display, isWanted, (result) => {
        // Time says nothing of the formula: another time there may be more.
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

/** Not from an address, and without the sheet's own numbers of equations: they would count what is on the page, not what there is. */
function adoptSheet(): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`${sheetText}\n.katex :is(.eqn-num, .mml-eqn-num)::before { content: none; }`);
  // First, so that the page's own rules count.
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
