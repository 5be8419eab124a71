/**
 * A formula: its source until it is near the screen, and then typeset by KaTeX. The typesetting code is loaded with the first formula on the screen.
 */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { t } from '../../base/l10n';
import { memo } from '../../base/memo';
import { oneLine, escapeMisleading } from '../../../src/text/characters/textSafety';
import { setReadableText } from '../../base/readableText';
import { watchNear } from '../code/highlight/nearViewport';
import type { MathElement, MathFailure, MathResult } from './messages';
import type { Mathematics } from './mathPage';

let loading: Promise<Mathematics> | undefined;
/** The same module, once it is loaded. */
let mathematics: Mathematics | undefined;

function load(): Promise<Mathematics> {
  return (loading ??= import('./mathPage').then(({ start }) => (mathematics = start())));
}

interface Props {
  readonly tex: string;
  /** The source with its delimiters. It is shown until the formula is typeset, and is also searched and copied. */
  readonly source: string;
  /** True for a formula on lines of its own. */
  readonly display: boolean;
}

export const Formula = memo(function Formula(props: Props) {
  const { tex, display } = props;
  const [set, setSet] = useState<{ readonly tex: string; readonly result: MathResult }>();
  const result = set?.tex === tex ? set.result : mathematics?.recall(escapeMisleading(tex), display);
  return result && 'root' in result ? (
    <SetFormula {...props} root={result.root} />
  ) : (
    <Source {...props} failure={result} onResult={(next) => setSet({ tex, result: next })} />
  );
});

function Source({
  tex,
  source,
  display,
  failure,
  onResult,
}: Props & { failure: MathFailure | undefined; onResult(result: MathResult): void }) {
  const element = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    if (failure) {
      return;
    }
    let wanted = true;
    const leave = watchNear(element.current!, () => {
      load().then(
        ({ typeset }) =>
          typeset(
            escapeMisleading(tex),
            display,
            () => wanted,
            (result) => wanted && onResult(result),
          ),
        () => {}, // Without the typesetting code the formula stays as it is.
      );
    });
    return () => {
      wanted = false;
      leave();
    };
  }, [tex, display, failure]);
  return (
    <span ref={element} class={display ? 'math math-block' : 'math'} dir="ltr">
      <code class="math-source" title={failure && failureText(failure)}>
        {escapeMisleading(source)}
      </code>
    </span>
  );
}

/** Contains MathML for screen readers; the visible part is hidden from them. */
function SetFormula({ tex, source, display, root }: Props & { root: MathElement }) {
  const element = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => element.current!.replaceChildren(mathematics!.elementOf(root)), [root]);
  useLayoutEffect(() => setReadableText(element.current!, () => escapeMisleading(source)), [source]);
  useEffect(() => mathematics!.watchOverflow(element.current!), []);
  const named = display ? ({ role: 'group', 'aria-label': t('Formula') } as const) : undefined;
  return (
    <span
      ref={element}
      class={`math math-set ${display ? 'math-block' : 'math-inline'}`}
      dir="ltr"
      title={oneLine(tex, 1000)}
      data-source={escapeMisleading(source)}
      {...named}
    />
  );
}

function failureText(failure: MathFailure): string {
  switch (failure.reason) {
    case 'syntax':
      return t("Can't render this formula: {reason}", { reason: oneLine(failure.detail) });
    case 'size':
      return t('This formula is too long to render.');
    case 'time':
      return t('This formula takes too long to render.');
  }
}
