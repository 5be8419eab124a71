/** The open message: its facts, its JSON, and what is wrong against the schema. */
import type { RefObject } from 'preact';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { FrameMark, FrameRow, OpenedFrame } from '../../src/core/inspector/inspectorPage';
import { t } from '../base/l10n';
import { markHits } from './searchHits';
import { kindLabel, sizeOf, statusOf, timeOf } from './rowWords';

interface DetailProps {
  readonly panel: RefObject<HTMLElement>;
  readonly row: FrameRow;
  /** Undefined until the host has sent it. */
  readonly frame: OpenedFrame | undefined;
  readonly hops: readonly string[];
  readonly answer: FrameRow | undefined;
  /** The text that the user searches. */
  readonly query: string;
  reveal(id: number): void;
  copy(): void;
  close(): void;
  /** Moves the focus back to the list. */
  leave(): void;
}

export function Detail({ panel, row, frame, hops, answer, query, reveal, copy, close, leave }: DetailProps) {
  const json = useRef<HTMLPreElement>(null);
  const facts: readonly (readonly [label: string, value: string | undefined])[] = [
    [t('Time'), timeOf(row.at)],
    [t('Program'), hops.length === 0 ? undefined : row.hop === undefined ? 'ACP Host' : hops[row.hop]],
    [t('ID'), row.rpcId],
    [t('Session'), row.sessionId],
    [t('Duration'), statusOf(row, answer) || undefined],
    [t('Size'), sizeOf(row.bytes)],
  ];
  const show = (line: number): void => {
    const mark = json.current?.querySelector<HTMLElement>(`[data-line="${line}"]`);
    mark?.scrollIntoView({ block: 'center' });
    mark?.focus();
  };
  return (
    <section
      ref={panel}
      class="inspector-detail"
      aria-label={t('Message')}
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key === 'Escape') {
          event.preventDefault();
          leave();
        }
      }}
    >
      <div class="inspector-detail-head">
        <h2>{[kindLabel(row), row.method, row.about].filter(Boolean).join(' · ')}</h2>
        <button type="button" class="text-button" onClick={close}>
          {t('Close')}
        </button>
      </div>
      <dl class="inspector-facts">
        {facts.map(
          ([label, value]) =>
            value !== undefined && (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ),
        )}
      </dl>
      <div class="inspector-actions">
        {answer && (
          <button type="button" class="button button-secondary" onClick={() => reveal(answer.id)}>
            {t('Go to Response')}
          </button>
        )}
        {row.request !== undefined && (
          <button type="button" class="button button-secondary" onClick={() => reveal(row.request!)}>
            {t('Go to Request')}
          </button>
        )}
        <button type="button" class="button button-secondary" onClick={copy}>
          {t('Copy')}
        </button>
      </div>
      {frame && (
        <>
          <Verdict frame={frame} show={show} />
          <Json json={json} frame={frame} query={query} />
        </>
      )}
    </section>
  );
}

function Verdict({ frame: { verdict, note, marks }, show }: { frame: OpenedFrame; show(line: number): void }) {
  return (
    <>
      {verdict !== '' && (
        <p class={marks.some(({ isHint }) => !isHint) ? 'inspector-verdict inspector-bad' : 'inspector-verdict'}>{verdict}</p>
      )}
      {note !== undefined && <p class="dim inspector-verdict">{note}</p>}
      {marks.length > 0 && (
        <ul class="inspector-marks" aria-label={t('Differences from the schema')}>
          {marks.map(({ line, text, isHint }, index) => (
            <li key={index} class={isHint ? 'dim' : ''}>
              <button type="button" class="text-button" onClick={() => show(line)}>
                {t('Line {line}', { line: line + 1 })}
              </button>{' '}
              {text}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** The text in as few elements as possible: a marked line is one of its own. */
function Json({ json, frame: { text, marks }, query }: { json: RefObject<HTMLPreElement>; frame: OpenedFrame; query: string }) {
  const parts = useMemo(() => partsOf(text, marks), [text, marks]);
  useLayoutEffect(() => {
    const hit = json.current ? markHits(json.current, query) : undefined;
    if (hit) {
      reveal(hit);
    }
    return () => void CSS.highlights.clear();
  }, [parts, query]);
  return (
    <pre ref={json} class="inspector-json" role="region" aria-label={t('Content of the message')} tabIndex={0}>
      {parts.map(({ line, text: part, mark }) =>
        mark === undefined ? (
          part
        ) : (
          <mark key={line} class={mark.isHint ? 'inspector-hint' : 'inspector-wrong'} data-line={line} tabIndex={-1} title={mark.text}>
            {part}
          </mark>
        ),
      )}
    </pre>
  );
}

/** Scrolls the panel to the hit. */
function reveal(hit: Range): void {
  const panel = hit.startContainer.parentElement?.closest('.inspector-detail');
  const [box, around] = [hit.getBoundingClientRect(), panel?.getBoundingClientRect()];
  if (panel && around && (box.top < around.top || box.bottom > around.bottom)) {
    panel.scrollTop += box.top - around.top - around.height / 2;
  }
}

interface Part {
  readonly line: number;
  readonly text: string;
  readonly mark?: FrameMark;
}

function partsOf(text: string, marks: readonly FrameMark[]): readonly Part[] {
  const byLine = new Map<number, FrameMark>();
  for (const mark of marks) {
    const known = byLine.get(mark.line);
    if (!known || (known.isHint && !mark.isHint)) {
      byLine.set(mark.line, mark);
    }
  }
  if (byLine.size === 0) {
    return [{ line: 0, text }];
  }
  const parts: Part[] = [];
  let plain: string[] = [];
  text.split('\n').forEach((each, line) => {
    const mark = byLine.get(line);
    if (mark) {
      const [indent = ''] = /^ */.exec(each) ?? [];
      parts.push({ line, text: plain.map((before) => `${before}\n`).join('') + indent }, { line, text: each.slice(indent.length), mark });
      parts.push({ line, text: '\n' });
      plain = [];
    } else {
      plain.push(each);
    }
  });
  return [...parts, { line: Infinity, text: plain.join('\n') }];
}
