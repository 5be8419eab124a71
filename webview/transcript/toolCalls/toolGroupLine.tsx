/** The line of a run of tool calls: the numbers of reads and searches, the current one, and the calls by name. */
import type { ToolCallEntry } from '../../../src/core/model/state';
import { useSelect } from '../../state/context';
import { ChevronIcon, StatusIcon, ToolIcon } from '../../base/icons';
import { t } from '../../base/l10n';
import { oneLine } from '../../../src/text/characters/textSafety';
import { baseName, runText, shortPath, statusLabel, timeText } from '../../base/strings';
import { type RunEntry, countsOf, isOver, isSearch, timeOf } from './toolGroup';
import { pathOf, titleOf, withoutSigns } from './toolTitle';

/** The most calls that the tooltip names. */
const NAMED = 20;

interface Props {
  readonly run: readonly RunEntry[];
  readonly open: boolean;
  readonly setOpen: (open: boolean) => void;
}

export function RunLine({ run, open, setOpen }: Props) {
  const cwd = useSelect((state) => state.cwd);
  const over = useSelect(({ entries }) => isOver(entries, run));
  const calls = run.filter((entry) => entry.kind === 'tool_call');
  const done = calls.filter(({ status }) => status === 'completed');
  const running = calls.findLast(({ status }) => status === 'in_progress') ?? calls.findLast(({ status }) => status === 'pending');
  const text = runText(...countsOf(done));
  const now = running && nowText(running, cwd);
  const took = timeText(timeOf(done));
  const status = running?.status ?? 'completed';
  return (
    <div class="slot">
      <div
        class={`entry run${open ? ' run-open' : ''}${running ? ' run-busy' : ''}${over ? ' run-over' : ''}`}
        role="group"
        aria-label={[text, now].filter(Boolean).join(', ')}
      >
        <button type="button" class="run-button" aria-expanded={open} title={titles(calls, cwd)} onClick={() => setOpen(!open)}>
          <span class="tool-icon">
            {calls.some(({ toolKind }) => toolKind === 'read') && <ToolIcon kind="read" />}
            {calls.some(isSearch) && <ToolIcon kind="search" />}
            {calls.some(({ toolKind }) => toolKind === 'fetch') && <ToolIcon kind="fetch" />}
          </span>
          {text !== '' && <span class="run-words">{text}</span>}
          {now !== undefined && (
            <span class="run-now shimmer">
              <bdi>{now}</bdi>
            </span>
          )}
        </button>
        <div class="run-names">{!open && calls.map((call) => <Call key={call.entryId} call={call} cwd={cwd} />)}</div>
        {!running && took !== '' && <span class="tool-time">{took}</span>}
        <span class={`status status-${status}`} title={statusLabel(status)}>
          <StatusIcon status={status} />
          <span class="status-word">{statusLabel(status)}</span>
        </span>
        <ChevronIcon />
      </div>
    </div>
  );
}

/** A call of a closed run: its card's title, cut to the line. */
function Call({ call, cwd }: { call: ToolCallEntry; cwd: string }) {
  const path = pathOf(call);
  const title = titleOf(call, cwd);
  return (
    <article class="run-name" data-slot={call.entryId} aria-label={t('{title}, {status}', { title, status: statusLabel(call.status) })}>
      <bdi>{call.toolKind !== 'read' || path === undefined ? withoutSigns(title, call.toolKind) : oneLine(baseName(path), 80)}</bdi>
    </article>
  );
}

function nowText(call: ToolCallEntry, cwd: string): string {
  const path = pathOf(call);
  if (call.toolKind !== 'read' || path === undefined) {
    return `${withoutSigns(titleOf(call, cwd), call.toolKind)}…`;
  }
  return t('Reading {path}…', { path: oneLine(shortPath(path, cwd)) });
}

function titles(calls: readonly ToolCallEntry[], cwd: string): string {
  const named = calls.slice(0, NAMED).map((call) => withoutSigns(titleOf(call, cwd), call.toolKind));
  if (calls.length > NAMED) {
    named.push(t('and {count} more', { count: calls.length - NAMED }));
  }
  return named.join('\n');
}
