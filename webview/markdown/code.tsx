/** A block of code: its language, a way to copy it, and its lines, of which only the last run is rendered again while it grows. */
import { useRef, useState } from 'preact/hooks';
import { useView } from '../context';
import { CheckIcon, CopyIcon } from '../icons';
import { t } from '../l10n';
import { memo } from '../memo';
import { oneLine, visible } from './bidi';

/** Lines per run. */
const RUN = 100;

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
          <Lines text={text} />
        </code>
      </pre>
    </div>
  );
});

/** `text` as text nodes of {@link RUN} lines; full runs keep their identity while more text comes. */
function Lines({ text }: { text: string }) {
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
        <CodeRun key={index} text={run} />
      ))}
      <CodeRun key={lines.runs.length} text={text.slice(lines.length)} />
    </>
  );
}

const CodeRun = memo(function CodeRun({ text }: { text: string }) {
  return <span>{visible(text)}</span>;
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
