/** The page's one highlighter, with the worker and the styles of a real page. */
import type { CodeTheme } from '../../../../src/core/model/theme';
import { pageWorkers } from '../../../workers/page';
import { Highlighter } from './highlight';
import { type Language, languageOf, loadLanguage } from './languages';
import type { FromWorker, ToWorker } from './messages';
import { CodeStyles } from './styles';

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
      ...pageWorkers<ToWorker, FromWorker>('highlight', () => import('worker:./highlightWorker')),
      load: loadLanguage,
      use: (next) => styles.use(next),
    },
    theme,
  );
  return { highlighter, languageOf, className: (style) => styles.className(style) };
}
