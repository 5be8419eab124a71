/** A tool call: one line that opens to all the agent reported about it. What failed says why first. */
import type { ToolContent } from '../../../src/core/model/content';
import { type ToolCallEntry, isFinalStatus } from '../../../src/core/model/state';
import { isBulk } from '../../../src/core/protocol/view';
import { useFold, useNow, useSelect } from '../../context';
import { ChevronIcon, StatusIcon, ToolIcon } from '../../icons';
import { t } from '../../l10n';
import { oneLine, visible } from '../../markdown/textSafety';
import { duration, elapsed, statusWord, toolKindWord } from '../../words';
import { isForAgent } from '../list/audience';
import { ChangeCounts } from '../diff/counts';
import { lineOf } from '../diff/place';
import { reasonIn } from './failureReason';
import { Locations } from './locations';
import { Raw, isEmpty, jsonText } from './raw';
import { ToolContentView } from './toolContent';
import { titleOf, withoutSigns } from './toolTitle';

export function ToolCallView({ entry }: { entry: ToolCallEntry }) {
  const { entryId, status, toolKind } = entry;
  const cwd = useSelect((state) => state.cwd);
  const title = titleOf(entry, cwd);
  const [open, setOpen] = useFold(entryId, opensByItself(entry));
  const word = statusWord(status);
  return (
    <article class={`entry tool tool-${safeClass(status)}`} aria-label={t('{title}, {status}', { title, status: word })}>
      <button type="button" class="tool-header" aria-expanded={open} onClick={() => setOpen(!open)}>
        <span class="tool-icon" title={toolKindWord(toolKind)}>
          <ToolIcon kind={toolKind} />
        </span>
        <span class="tool-title" title={oneLine(entry.title ?? '', 2000)}>
          <bdi>{withoutSigns(title, toolKind)}</bdi>
        </span>
        <ChangeCounts content={entry.content} />
        <Took entry={entry} />
        <span class={`status status-${safeClass(status)}`}>
          <StatusIcon status={status} />
          <span class="status-word">{word}</span>
        </span>
        <ChevronIcon />
      </button>
      {open && <ToolBody entry={entry} />}
    </article>
  );
}

/** How long it took; while it runs, how long it has been running, once that is worth a word. */
function Took({ entry: { at, updatedAt, status } }: { entry: ToolCallEntry }) {
  const busy = useSelect((state) => state.turn !== undefined);
  const running = busy && status === 'in_progress';
  const now = useNow(running);
  if (running) {
    return now - at < 3000 ? null : <span class="tool-time">{elapsed(now - at)}</span>;
  }
  return isFinalStatus(status) && updatedAt - at >= 1000 ? <span class="tool-time">{duration(updatedAt - at)}</span> : null;
}

function ToolBody({ entry }: { entry: ToolCallEntry }) {
  const { entryId } = entry;
  const empty = entry.content.length === 0 && entry.locations.length === 0 && isEmpty(entry.rawInput) && isEmpty(entry.rawOutput);
  const failed = entry.status === 'failed';
  const reasons = failed ? entry.content.flatMap((content, index) => (isSaid(content) ? [index] : [])) : [];
  const show = (index: number) => (
    <ToolContentView
      key={index}
      content={entry.content[index]!}
      index={index}
      entryId={entryId}
      toolKind={entry.toolKind}
      line={lineOf(entry.content, index, entry.locations)}
    />
  );
  return (
    <div class="tool-body">
      {failed && <FailureReason entry={entry} />}
      {failed && reasons.map(show)}
      <Locations locations={entry.locations} />
      {entry.content
        .map((_, index) => index)
        .filter((index) => !reasons.includes(index))
        .map(show)}
      <Raw entryId={entryId} field="rawInput" label={t('Input')} value={entry.rawInput} />
      <Raw entryId={entryId} field="rawOutput" label={t('Output')} value={entry.rawOutput} />
      {entry.name !== undefined && entry.name !== entry.title && <div class="tool-name">{oneLine(entry.name)}</div>}
      {empty && <div class="dim">{failed ? t('The agent did not say why.') : t('The agent reported nothing more.')}</div>}
    </div>
  );
}

/** A failed call without content keeps its reason in the raw output. */
function FailureReason({ entry }: { entry: ToolCallEntry }) {
  if (entry.content.some(isSaid) || isEmpty(entry.rawOutput)) {
    return null;
  }
  return (
    <pre class="tool-failure">
      {visible(isBulk(entry.rawOutput) ? entry.rawOutput.head : (reasonIn(entry.rawOutput) ?? jsonText(entry.rawOutput)))}
    </pre>
  );
}

/** Words for the user: of a call that failed, the reason. */
function isSaid(content: ToolContent): boolean {
  return (
    content.type === 'content' && content.content.type === 'text' && content.content.text.trim() !== '' && !isForAgent(content.content)
  );
}

/** Changes and commands are what people look at; what was only read stays one line. */
function opensByItself(entry: ToolCallEntry): boolean {
  return entry.status === 'failed' || entry.content.some((content) => content.type === 'diff' || content.type === 'terminal');
}

function safeClass(word: string): string {
  return /^[a-z_]{1,32}$/.test(word) ? word : 'unknown';
}
