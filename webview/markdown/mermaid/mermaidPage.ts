/** Draws diagrams with the worker and colours of a real page. Loaded with the first diagram on the screen. */
import { Listeners } from '../../../src/core/platform/listeners';
import { pageWorkers } from '../../workers/page';
import { Drawer, type Drawn } from './drawer';
import type { DiagramTheme } from './messages';
import { pageTheme, watchPage } from './theme';

export type { Drawn } from './drawer';

const drawer = new Drawer(pageWorkers('diagrams', () => import('worker:./mermaidWorker')));

let theme: DiagramTheme = pageTheme();
const listeners = new Listeners();

watchPage(() => {
  const next = pageTheme();
  if (JSON.stringify(next) === JSON.stringify(theme)) {
    return;
  }
  theme = next;
  listeners.call();
});

/** Returns the cached result for this diagram in the page's present colours. */
export function recall(text: string): Drawn | undefined {
  return drawer.recall(text, theme);
}

/** Calls `onDrawn` with the drawing, and again when the page's colours change. Returns a function that unsubscribes. */
export function watchDrawing(text: string, onDrawn: (drawn: Drawn) => void): () => void {
  let leave = drawer.draw(text, theme, onDrawn);
  const again = () => {
    leave();
    leave = drawer.draw(text, theme, onDrawn);
  };
  const unsubscribe = listeners.subscribe(again);
  return () => {
    unsubscribe();
    leave();
  };
}
