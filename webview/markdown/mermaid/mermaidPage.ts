/** Drawing, with the worker and the colours of a real page. Comes with the first diagram in sight. */
import { pageWorkers } from '../../workers/page';
import { Drawer, type Drawn } from './drawer';
import type { DiagramTheme } from './messages';
import { pageTheme, watchPage } from './theme';

export type { Drawn } from './drawer';

const drawer = new Drawer(pageWorkers('diagrams', () => import('worker:./mermaidWorker')));

let theme: DiagramTheme = pageTheme();
const listeners = new Set<() => void>();

watchPage(() => {
  const next = pageTheme();
  if (JSON.stringify(next) === JSON.stringify(theme)) {
    return;
  }
  theme = next;
  for (const tell of listeners) {
    tell();
  }
});

/** What is known already of this diagram in the page's present colours. */
export function recall(text: string): Drawn | undefined {
  return drawer.recall(text, theme);
}

/** Calls back with the drawing, and again when the page has other colours; returns the way out. */
export function watchDrawing(text: string, onDrawn: (drawn: Drawn) => void): () => void {
  let leave = drawer.draw(text, theme, onDrawn);
  const again = () => {
    leave();
    leave = drawer.draw(text, theme, onDrawn);
  };
  listeners.add(again);
  return () => {
    listeners.delete(again);
    leave();
  };
}
