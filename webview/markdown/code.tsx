/** A block of code: its language, a way to copy it, and its lines, of which only the last run is rendered again while it grows. */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks';
import { useView } from '../context';
import { CheckIcon, CopyIcon } from '../icons';
import { t } from '../l10n';
import { memo } from '../memo';
import { oneLine, visible } from './bidi';
import type { LineTokens } from './highlightMessages';
import { watchNear } from './highlightNear';
import { CodeColours, RUN } from './highlightUse';

export const CodeBlock = memo(function CodeBlock({ text, language }: { text: string; language: string }) {
  const label = oneLine(language.split(/[\s{]/, 1)[0] ?? '', 40);
  return (
    <div class="code" role="group" aria-label={label ? t('Code, {language}', { language: label }) : t('Code')} dir="ltr">
      <div class="code-bar">
        <span class="code-language">{label}</span>
        <CopyButton text={() => text} />
      </div>
      <pre class="code-text" tabIndex={0}>
        <code>
          <Lines text={text} label={label} />
        </code>
      </pre>
    </div>
  );
});

/** `text` in runs of {@link RUN} lines; full runs keep their identity while more text comes. */
function Lines({ text, label }: { text: string; label: string }) {
  const colours = useMemo(() => new CodeColours(label), [label]);
  useLayoutEffect(() => () => colours.close(), [colours]);
  useLayoutEffect(() => colours.update(text), [colours, text]);
  const kept = useRef<{ text: string; runs: string[]; length: number }>({ text: '', runs: [], length: 0 });
  const lines = kept.current;
  // Looks like the same text with more at its end: the seam is enough to tell, comparing all of it each time would cost its square.
  const seam = Math.max(0, lines.text.length - 64);
  if (!text.startsWith(lines.text.slice(seam), seam)) Object.assign(lines, { runs: [], length: 0 });
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
  const [, again] = useReducer<number, void>((count) => count + 1, 0);
  useLayoutEffect(() => colours.subscribe(run, again), [colours]);
  useLayoutEffect(() => watchNear(element.current!, () => colours.want(run)), [colours]);
  const tokens = colours.linesOf(run);
  return <span ref={element}>{tokens ? text.split(/(?<=\n)/).map((line, index) => <CodeLine key={index} text={line} tokens={tokens[index]} colours={colours} />) : visible(text)}</span>;
});

const CodeLine = memo(function CodeLine({ text, tokens, colours }: { text: string; tokens: LineTokens | undefined; colours: CodeColours }) {
  if (!tokens || tokens.length === 0) return <>{visible(text)}</>;
  const parts: ComponentChildren[] = [visible(text.slice(0, tokens[0]))];
  for (let at = 0; at < tokens.length; at += 2) {
    const part = visible(text.slice(tokens[at], tokens[at + 2]));
    const style = tokens[at + 1]!;
    parts.push(style === 0 ? part : <span class={colours.className(style)}>{part}</span>);
  }
  return <>{parts}</>;
});

/** The index after the `count`th line break from `start` on, or -1. */
function nthLineEnd(text: string, start: number, count: number): number {
  let at = start - 1;
  for (let seen = 0; seen < count; seen++) {
    at = text.indexOf('\n', at + 1);
    if (at < 0) return -1;
  }
  return at + 1;
}

export function CopyButton({ text }: { text: () => string }) {
  const { post, say } = useView();
  const [copied, setCopied] = useState(false);
  const copy = () => {
    post({ type: 'copy', text: text() });
    setCopied(true);
    say(t('Copied'));
    setTimeout(() => setCopied(false), 1500);
  };
  return (
    <button type="button" class="icon-button copy" aria-label={t('Copy')} title={t('Copy')} onClick={copy}>
      {copied ? <CheckIcon /> : <CopyIcon />}
    </button>
  );
}
