/** The page's only highlighter, with a real worker and style sheet. */
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

/** Must be called only once. */
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
