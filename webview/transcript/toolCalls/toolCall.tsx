/** A tool call: one line that opens to all the agent reported about it. What failed says why first. */
import { type ToolCallEntry, isFinalStatus } from '../../../src/core/model/state';
import { workingTime } from '../../../src/core/reduce/waiting';
import { useFold, useNow, useSelect, useView } from '../../context';
import { ChevronIcon, StatusIcon, ToolIcon } from '../../icons';
import { t } from '../../l10n';
import { useNeeded } from '../../late';
import { oneLine } from '../../../src/text/characters/textSafety';
import { toolParts } from '../entryParts';
import { elapsed, statusWord, timeWords, toolKindWord } from '../../words';
import { ChangeCounts } from '../diff/counts';
import { titleOf, withoutSigns } from './toolTitle';

export function ToolCallView({ entry }: { entry: ToolCallEntry }) {
  const { entryId, status, toolKind } = entry;
  const cwd = useSelect((state) => state.cwd);
  const title = titleOf(entry, cwd);
  const [open, setOpen] = useFold(entryId, opensByItself(entry));
  const word = statusWord(status);
  return (
    <article class={`entry tool tool-${safeClass(status)}`} aria-label={t('{title}, {status}', { title, status: word })}>
      <div class="tool-head">
        <button type="button" class="tool-header" aria-expanded={open} onClick={() => setOpen(!open)}>
          <span class="tool-icon" title={toolKindWord(toolKind)}>
            <ToolIcon kind={toolKind} />
          </span>
          <span class={open ? 'tool-title tool-title-whole' : 'tool-title'} title={oneLine(entry.title ?? '', 2000)}>
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
        {open && <Menu entry={entry} title={title} />}
      </div>
      {open && <Body entry={entry} title={title} />}
    </article>
  );
}

function Menu(props: { entry: ToolCallEntry; title: string }) {
  const parts = useNeeded(toolParts);
  return parts ? <parts.ToolMenu {...props} /> : null;
}

function Body({ entry, title }: { entry: ToolCallEntry; title: string }) {
  const parts = useNeeded(toolParts);
  return parts ? <parts.ToolBody entry={entry} title={title} /> : null;
}

/** How long it took; while it runs, how long it has been running, once that is worth a word. */
function Took({ entry }: { entry: ToolCallEntry }) {
  const { at, updatedAt, status, waited = 0 } = entry;
  const { mirror } = useView();
  const busy = useSelect((state) => state.turn !== undefined);
  const running = busy && status === 'in_progress';
  const now = useNow(running);
  // With each question that comes or ends.
  useSelect((state) => (running ? state.waitingSince : undefined));
  const time = running ? workingTime(mirror.state, entry, now) : updatedAt - at - waited;
  const words = running ? (time < 3000 ? '' : elapsed(time)) : isFinalStatus(status) ? timeWords(time) : '';
  return words === '' ? null : <span class="tool-time">{words}</span>;
}

/** Changes and commands are what people look at; what was only read stays one line. */
function opensByItself(entry: ToolCallEntry): boolean {
  return entry.status === 'failed' || entry.content.some((content) => content.type === 'diff' || content.type === 'terminal');
}

function safeClass(word: string): string {
  return /^[a-z_]{1,32}$/.test(word) ? word : 'unknown';
}
