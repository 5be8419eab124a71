/** The page's one highlighter, with the worker and the styles of a real page. */
import type { CodeTheme } from '../../src/core/theme';
import { Highlighter, type WorkerPort } from './highlight';
import { type Language, languageOf, loadLanguage } from './highlightLanguages';
import type { FromWorker } from './highlightMessages';
import { CodeStyles } from './highlightStyles';

export interface Loaded {
  readonly highlighter: Highlighter;
  languageOf(label: string): Language | undefined;
  className(style: number): string;
}

/** Call it once. */
export function start(theme: CodeTheme | undefined): Loaded {
  const styles = new CodeStyles();
  const highlighter = new Highlighter(
    {
      spawn,
      load: loadLanguage,
      use: (next) => styles.use(next),
      after: (ms, callback) => {
        const timer = setTimeout(callback, ms);
        return () => clearTimeout(timer);
      },
    },
    theme,
  );
  return { highlighter, languageOf, className: (style) => styles.className(style) };
}

let address: string | undefined;

/** From a blob: a page in a webview and its files have different origins, and a worker must be of the page's. It has the page's policy. */
async function spawn(hear: (answer: FromWorker) => void): Promise<WorkerPort> {
  const { default: source } = await import('worker:./highlightWorker');
  address ??= URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
  const worker = new Worker(address, { name: 'highlight' });
  worker.onmessage = ({ data }: MessageEvent<FromWorker>) => hear(data);
  return worker;
}
