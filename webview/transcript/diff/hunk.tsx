/** A hunk of a difference with syntax colours: each line has the tokens of its line in the whole text. */
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { FileChange } from '../../../src/core/model/content';
import { codeSpans } from '../../markdown/code/spans';
import { watchNear } from '../../markdown/code/highlight/nearViewport';
import { CodeColours, RUN } from '../../markdown/code/highlight/useHighlight';
import { memo, useForceUpdate } from '../../base/memo';
import type { DiffLine } from './hunks';

/** The colours of a change's two texts. */
export interface DiffColours {
  readonly before: CodeColours;
  readonly after: CodeColours;
}

export function useDiffColours({ path, oldPath, oldText, newText }: FileChange): DiffColours {
  const label = nameOfKind(path);
  const oldLabel = nameOfKind(oldPath ?? path);
  const colours = useMemo(() => ({ before: new CodeColours(oldLabel), after: new CodeColours(label) }), [label, oldLabel]);
  useLayoutEffect(
    () => () => {
      colours.before.close();
      colours.after.close();
    },
    [colours],
  );
  useLayoutEffect(() => colours.before.update(oldText ?? ''), [colours, oldText]);
  useLayoutEffect(() => colours.after.update(newText ?? ''), [colours, newText]);
  return colours;
}

interface Props {
  readonly lines: readonly DiffLine[];
  readonly colours: DiffColours;
  /** The number of the texts' first line; undefined when it is not known. */
  readonly first: number | undefined;
  /** True when all lines are rendered, near the screen or not. */
  readonly shown: boolean;
}

/** The first `count` of a hunk's lines. */
export function HunkView({ lines, count, ...rest }: Props & { count: number }) {
  const runs = useMemo(
    () => Array.from({ length: Math.ceil(count / RUN) }, (_, run) => lines.slice(run * RUN, Math.min(count, (run + 1) * RUN))),
    [lines, count],
  );
  return (
    <div class="hunk">
      {runs.map((run, index) => (
        <HunkRun key={index} {...rest} lines={run} shown={rest.shown || index < ALWAYS} />
      ))}
    </div>
  );
}

/** Runs of a hunk that are always rendered. */
const ALWAYS = 2;

const HunkRun = memo(function HunkRun({ lines, colours, first, shown }: Props) {
  const element = useRef<HTMLDivElement>(null);
  const [near, setNear] = useState(shown);
  const forceUpdate = useForceUpdate();
  useLayoutEffect(() => {
    const spans = (['before', 'after'] as const).flatMap((side) => {
      const places = lines.flatMap((line) => (sideOf(line) === side ? line.index : []));
      return places.length > 0 ? [{ of: colours[side], first: places[0]!, last: places.at(-1)! }] : [];
    });
    const leave = spans.map(({ of, first, last }) => of.subscribe(first, last, forceUpdate));
    leave.push(
      watchNear(element.current!, () => {
        setNear(true);
        spans.forEach(({ of, first, last }) => of.want(first, last));
      }),
    );
    return () => leave.forEach((each) => each());
  }, [lines, colours]);
  const here = near || shown;
  // Reserves the final height in `lh`, the height of a line.
  useLayoutEffect(() => element.current!.style.setProperty('min-height', here ? '' : `${lines.length}lh`), [here, lines]);
  return (
    <div ref={element}>{here && lines.map((line, at) => <Line key={at} line={line} colours={colours[sideOf(line)]} first={first} />)}</div>
  );
});

function Line({ line, colours, first }: { line: DiffLine; colours: CodeColours; first: number | undefined }) {
  const kind = line.sign === '+' ? ' add' : line.sign === '-' ? ' del' : '';
  const tokens = colours.lineAt(line.index);
  let from = 0;
  return (
    <div class={`diff-line${kind}`}>
      <span class="diff-number" aria-hidden="true">
        {first === undefined ? '' : first + line.index}
      </span>
      <span class="diff-sign">{line.sign}</span>
      <span class="diff-code">
        {line.parts.map(({ text, changed }, index) => {
          const spans = codeSpans(text, tokens, (style) => colours.className(style), from);
          from += text.length;
          return changed ? <mark key={index}>{spans}</mark> : spans;
        })}
      </span>
    </div>
  );
}

function sideOf({ sign }: DiffLine): 'before' | 'after' {
  return sign === '-' ? 'before' : 'after';
}

/** A path's extension, or the name of a file without one (Makefile). */
function nameOfKind(path: string): string {
  const name = path.split(/[\\/]/).at(-1) ?? '';
  return name.split('.').at(-1) ?? '';
}
