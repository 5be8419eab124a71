/** A tool call: one line that opens all that the agent reported about it. A failed call shows its reason first. */
import { refusalOf, statusOf } from '../../../src/core/approval/requests';
import { runsInBackground } from '../../../src/core/background/runsInBackground';
import { isBusy } from '../../../src/core/model/select';
import { type PermissionEntry, type ToolCallEntry, isFinalStatus } from '../../../src/core/model/state';
import { refusalKey } from '../../../src/core/sandbox/sandbox';
import { isUnreportedRun, unreportedSince } from '../../../src/core/toolCalls/unreportedRun';
import { workingTime } from '../../../src/core/reduce/userWaitTime';
import { useDisclosure, useNow, useSelect, useView } from '../../state/context';
import { needsApprovalLabel } from '../../../src/text/messages/statusText';
import { ChevronIcon, QuestionIcon, StatusIcon, ToolIcon } from '../../base/icons';
import { t } from '../../base/l10n';
import { useLoaded } from '../../base/lazy';
import { oneLine } from '../../../src/text/characters/textSafety';
import { toolChunk } from './lazyToolCalls';
import { callLabel, elapsed, timeText, toolKindLabel } from '../../base/strings';
import { ChangeCounts } from '../diff/counts';
import { DecisionMark, useRequests } from '../permission/decision';
import { followsAnswer, useQuestion } from '../permission/permissionHeading';
import { titleOf, verbOf, withoutSigns } from './toolTitle';

export function ToolCallView({ entry }: { entry: ToolCallEntry }) {
  const { entryId, toolKind } = entry;
  const cwd = useSelect((state) => state.cwd);
  const requests = useRequests(entry);
  const pendingRequests = requests.filter(({ outcome }) => !outcome);
  const answered = requests.filter(({ outcome }) => outcome);
  const isBackground = useSelect((state) => runsInBackground(state, entry.toolCallId));
  const isUnreported = useUnreportedRun(entry);
  const status = isBackground ? 'background' : isUnreported ? 'in_progress' : statusOf(entry, requests);
  const question = useQuestion(entry, pendingRequests[0]);
  const isRefused = refusalOf(entry, requests) !== undefined;
  // An agent may call a command completed that the sandbox has stopped.
  const isHeld = useSelect(({ sandboxRefusals = {} }) => Object.hasOwn(sandboxRefusals, refusalKey.toolCall(entry.toolCallId)));
  const title = titleOf(entry, cwd);
  const [open, setOpen] = useDisclosure(
    question?.disclosureKey ?? entryId,
    question?.open ?? (!isRefused && (isHeld || opensByItself(entry))),
  );
  const shown = question ? question.heading : withoutSigns(title, toolKind);
  const verb = verbOf(entry, shown, cwd);
  const name = question?.name ?? shown;
  const word = question ? needsApprovalLabel(t) : callLabel(entry, requests, status);
  return (
    <article
      class={`entry tool tool-${safeClass(status)}${question ? ' tool-asked' : ''}`}
      aria-label={t('{title}, {status}', { title: verb === '' ? name : `${name}, ${verb}`, status: word })}
    >
      <div class="tool-head">
        <button type="button" class="tool-header" aria-expanded={open} onClick={(event) => followsAnswer(event) || setOpen(!open)}>
          <span class="tool-icon" title={toolKindLabel(toolKind)}>
            <ToolIcon kind={toolKind} />
          </span>
          <span
            class={`tool-title${question?.own ? ' unsearched' : ''}${open && !question ? ' tool-title-whole' : ''}`}
            title={oneLine(entry.title ?? '', 2000)}
          >
            {verb !== '' && <span class="tool-verb unsearched">{verb} </span>}
            <bdi>{shown}</bdi>
          </span>
          {question || isRefused ? null : <ChangeCounts entry={entry} />}
          {question ? null : <DecisionMark request={answered.at(-1)} status={isRefused ? undefined : word} />}
          {question || isRefused ? null : <Took entry={entry} status={status} />}
          {!isRefused && (
            <span class={`status status-${question ? 'asked' : safeClass(status)}`} id={`state-${entryId}`} title={word}>
              {question ? <QuestionIcon /> : <StatusIcon status={status} />}
              <span class="status-word">{word}</span>
            </span>
          )}
          <ChevronIcon />
        </button>
        {open && !question && <Menu entry={entry} title={title} />}
      </div>
      {open && <Body entry={entry} title={title} pendingRequests={pendingRequests} answered={answered} />}
      {!open && question?.closed && (
        <button type="button" class="text-button question-closed" onClick={() => setOpen(true)}>
          {t('Show Options')}
        </button>
      )}
    </article>
  );
}

/** True while the call runs and its agent reports it as pending. */
function useUnreportedRun(entry: ToolCallEntry): boolean {
  const since = useSelect((state) => unreportedSince(state, entry));
  return isUnreportedRun(since, useNow(since !== undefined));
}

function Menu(props: { entry: ToolCallEntry; title: string }) {
  const chunk = useLoaded(toolChunk);
  return chunk ? <chunk.ToolMenu {...props} /> : null;
}

function Body(props: {
  entry: ToolCallEntry;
  title: string;
  pendingRequests: readonly PermissionEntry[];
  answered: readonly PermissionEntry[];
}) {
  const chunk = useLoaded(toolChunk);
  return chunk ? <chunk.ToolBody {...props} /> : null;
}

/** The duration of a call. For a running call, the time so far once it is long enough. */
function Took({ entry, status }: { entry: ToolCallEntry; status: string }) {
  const { at, updatedAt, waited = 0 } = entry;
  const { mirror } = useView();
  const busy = useSelect(isBusy);
  const running = busy && status === 'in_progress';
  const now = useNow(running);
  // Renders again when a question appears or ends.
  useSelect((state) => (running ? state.waitingSince : undefined));
  const time = running ? workingTime(mirror.state, entry, now) : updatedAt - at - waited;
  const text = running ? (time < 3000 ? '' : elapsed(time)) : isFinalStatus(status) ? timeText(time) : '';
  return text === '' ? null : <span class="tool-time">{text}</span>;
}

/** True for changes and commands, which users usually read. A call that only reads stays one line, also when a command reads. */
function opensByItself(entry: ToolCallEntry): boolean {
  const reads = entry.toolKind === 'read' || entry.toolKind === 'search';
  return entry.status === 'failed' || entry.content.some(({ type }) => type === 'diff' || (type === 'terminal' && !reads));
}

function safeClass(word: string): string {
  return /^[a-z_]{1,32}$/.test(word) ? word : 'unknown';
}
