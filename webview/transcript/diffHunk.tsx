/** A hunk of a difference, in the colours of the theme: each line as it is tokenised in the text it comes from. */
import { useLayoutEffect, useMemo, useReducer, useRef } from 'preact/hooks';
import type { FileChange } from '../../src/core/content';
import { codeSpans } from '../markdown/codeSpans';
import { watchNear } from '../markdown/highlightNear';
import { CodeColours, RUN } from '../markdown/highlightUse';
import { memo } from '../memo';
import type { DiffLine } from './diffHunks';

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

/** The first `count` of a hunk's lines. */
export function HunkView({ lines, count, colours }: { lines: readonly DiffLine[]; count: number; colours: DiffColours }) {
  const runs = useMemo(() => Array.from({ length: Math.ceil(count / RUN) }, (_, run) => lines.slice(run * RUN, Math.min(count, (run + 1) * RUN))), [lines, count]);
  return (
    <div class="hunk">
      {runs.map((run, index) => (
        <HunkRun key={index} lines={run} colours={colours} />
      ))}
    </div>
  );
}

const HunkRun = memo(function HunkRun({ lines, colours }: { lines: readonly DiffLine[]; colours: DiffColours }) {
  const element = useRef<HTMLDivElement>(null);
  const [, again] = useReducer<number, void>((count) => count + 1, 0);
  useLayoutEffect(() => {
    const spans = (['before', 'after'] as const).flatMap((side) => {
      const places = lines.flatMap((line) => (sideOf(line) === side ? line.index : []));
      return places.length > 0 ? [{ of: colours[side], first: places[0]!, last: places.at(-1)! }] : [];
    });
    const leave = spans.map(({ of, first, last }) => of.subscribe(first, last, again));
    leave.push(watchNear(element.current!, () => spans.forEach(({ of, first, last }) => of.want(first, last))));
    return () => leave.forEach((each) => each());
  }, [lines, colours]);
  return (
    <div ref={element}>
      {lines.map((line, at) => (
        <Line key={at} line={line} colours={colours[sideOf(line)]} />
      ))}
    </div>
  );
});

function Line({ line, colours }: { line: DiffLine; colours: CodeColours }) {
  const kind = line.sign === '+' ? ' add' : line.sign === '-' ? ' del' : '';
  const tokens = colours.lineAt(line.index);
  let from = 0;
  return (
    <div class={`diff-line${kind}`}>
      <span class="diff-number" aria-hidden="true">
        {line.newLine ?? line.oldLine}
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
