/** Drawing, with the worker and the colours of a real page. Comes with the first diagram in sight. */
import { Drawer, type DrawerPort, type Drawn } from './mermaidDrawer';
import type { DiagramTheme, FromDrawer } from './mermaidMessages';
import { pageTheme, watchPage } from './mermaidTheme';

export type { Drawn } from './mermaidDrawer';

const drawer = new Drawer({
  spawn,
  after: (ms, callback) => {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
});

let theme: DiagramTheme = pageTheme();
const listeners = new Set<() => void>();

watchPage(() => {
  const next = pageTheme();
  if (JSON.stringify(next) === JSON.stringify(theme)) return;
  theme = next;
  for (const tell of listeners) tell();
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

let address: string | undefined;

/** From a blob, as the one for code is: it has the page's policy. */
async function spawn(hear: (answer: FromDrawer) => void, fail: () => void): Promise<DrawerPort> {
  if (address === undefined) {
    const { default: source } = await import('worker:./mermaidWorker');
    address = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
  }
  const worker = new Worker(address, { name: 'diagrams' });
  worker.onmessage = ({ data }: MessageEvent<FromDrawer>) => hear(data);
  worker.onerror = (event) => {
    event.preventDefault();
    fail();
  };
  return worker;
}
