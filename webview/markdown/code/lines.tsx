/** The lines of a block of code, highlighted as the colours arrive. Only the last lines of a growing block are rendered again. */
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { memo, useForceUpdate } from '../../base/memo';
import { escapeMisleading } from '../../../src/text/characters/textSafety';
import { codeSpans } from './spans';
import type { LineTokens } from './highlight/messages';
import { watchNear } from './highlight/nearViewport';
import { CodeColours, RUN } from './highlight/useHighlight';

/** Splits `text` into runs of {@link RUN} lines. Full runs keep their identity while more text arrives. */
export function CodeLines({ text, label }: { text: string; label: string }) {
  const colours = useMemo(() => new CodeColours(label), [label]);
  useLayoutEffect(() => () => colours.close(), [colours]);
  useLayoutEffect(() => colours.update(text), [colours, text]);
  const kept = useRef<{ text: string; runs: string[]; length: number }>({ text: '', runs: [], length: 0 });
  const lines = kept.current;
  // Comparing the seam is enough to recognize the same text with more at its end. Comparing the whole text each time would take quadratic time.
  const seam = Math.max(0, lines.text.length - 64);
  if (!text.startsWith(lines.text.slice(seam), seam)) {
    Object.assign(lines, { runs: [], length: 0 });
  }
  lines.text = text;
  for (let end = nthLineEnd(text, lines.length, RUN); end > 0; end = nthLineEnd(text, lines.length, RUN)) {
    lines.runs.push(text.slice(lines.length, end));
    lines.length = end;
  }
  return (
    <>
      {lines.runs.map((run, index) => (
        <CodeRun key={index} text={run} run={index} colours={colours} />
      ))}
      <CodeRun key={lines.runs.length} text={text.slice(lines.length)} run={lines.runs.length} colours={colours} />
    </>
  );
}

const CodeRun = memo(function CodeRun({ text, run, colours }: { text: string; run: number; colours: CodeColours }) {
  const element = useRef<HTMLSpanElement>(null);
  const forceUpdate = useForceUpdate();
  const first = run * RUN;
  const last = first + RUN - 1;
  useLayoutEffect(() => colours.subscribe(first, last, forceUpdate), [colours]);
  useLayoutEffect(() => watchNear(element.current!, () => colours.want(first, last)), [colours]);
  const isPlain = colours.lineAt(first) === undefined;
  return (
    <span ref={element}>
      {isPlain
        ? escapeMisleading(text)
        : text
            .split(/(?<=\n)/)
            .map((line, index) => <CodeLine key={index} text={line} tokens={colours.lineAt(first + index)} colours={colours} />)}
    </span>
  );
});

const CodeLine = memo(function CodeLine({ text, tokens, colours }: { text: string; tokens: LineTokens | undefined; colours: CodeColours }) {
  return <>{codeSpans(text, tokens, (style) => colours.className(style))}</>;
});

/** The index after the `count`th line break from `start` on, or -1. */
function nthLineEnd(text: string, start: number, count: number): number {
  let at = start - 1;
  for (let seen = 0; seen < count; seen++) {
    at = text.indexOf('\n', at + 1);
    if (at < 0) {
      return -1;
    }
  }
  return at + 1;
}
