/** A request that waits for the user: what would be done, and the agent's own answers to choose from. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { PermissionOption } from '../../../src/core/model/content';
import { type PermissionEntry, entryIdOf, isAbsent } from '../../../src/core/model/state';
import { answerWords, unansweredWords } from '../../../src/text/messages/statuses';
import { MAX_DESCRIPTION, shortened } from '../../../src/text/find/entryTexts';
import { useFold, useSelect, useView } from '../../context';
import { CheckAllIcon, CheckIcon, ChevronIcon, CrossIcon, ProhibitedIcon, QuestionIcon } from '../../icons';
import { t } from '../../l10n';
import { allVisible, oneLine, visible } from '../../../src/text/characters/textSafety';
import { shortTitle } from '../../words';
import { reasonWords } from './askReason';
import { Locations } from '../toolCalls/locations';
import { isEmpty } from '../toolCalls/jsonText';
import { Raw } from '../toolCalls/raw';
import { ToolContentView } from '../toolCalls/toolContent';
import { useAnswerGuard } from './useAnswerGuard';

/** ms after which an answer that nothing came of can be given again. */
const ANSWER_TIMEOUT_MS = 5000;

/** Answers shown at first: agents offer a handful, and thousands would push everything else off the screen. */
const FIRST_ANSWERS = 20;

export function PermissionView({ entry }: { entry: PermissionEntry }) {
  const agentName = useSelect((state) => state.agentName);
  const cwd = useSelect((state) => state.cwd);
  const titleId = `title-${entry.entryId}`;
  const stateId = `state-${entry.entryId}`;
  const waiting = entry.outcome === undefined;
  const { reason } = entry.subject;
  const [open, setOpen] = useFold(`${entry.entryId}/subject`, false);
  return (
    <div
      class={waiting ? 'entry permission permission-waiting' : 'entry permission'}
      role="group"
      aria-labelledby={titleId}
      aria-describedby={stateId}
      tabIndex={-1}
      data-entry-id={entry.entryId}
    >
      <div class="permission-head">
        <QuestionIcon />
        <div class="permission-words">
          <div class="permission-title" id={titleId}>
            <bdi>{oneLine(shortTitle(entry.title, cwd, entry.subject.kind)) || t('Permission')}</bdi>
          </div>
          {waiting && (
            <div class="permission-agent" id={stateId}>
              {reason ? reasonWords(reason) : t('{agent} needs your permission', { agent: oneLine(agentName, 80) })}
            </div>
          )}
          {entry.description !== undefined && <div class="permission-description">{clipped(entry.description)}</div>}
        </div>
        {!waiting && (
          <>
            <div class="permission-outcome" id={stateId}>
              {outcomeWords(entry)}
            </div>
            <button type="button" class="icon-button" aria-label={t('Details')} aria-expanded={open} onClick={() => setOpen(!open)}>
              <ChevronIcon />
            </button>
          </>
        )}
      </div>
      {(waiting || open) && <Subject entry={entry} />}
      {waiting && <Options entry={entry} />}
    </div>
  );
}

/**
 * What the agent's own code says of it (a command, the kind of the tool, paths, diffs), then a command of the raw input, which a model wrote; the
 * raw input itself when there is nothing else, and folded when there is.
 */
function Subject({ entry }: { entry: PermissionEntry }) {
  const { subject, entryId } = entry;
  const waiting = entry.outcome === undefined;
  // A request often names a tool call that says more than it does itself.
  const toolCall = useSelect((state) =>
    subject.toolCallId === undefined ? undefined : state.entries.get(entryIdOf.toolCall(subject.toolCallId)),
  );
  const called = toolCall && !isAbsent(toolCall) && toolCall.kind === 'tool_call' ? toolCall : undefined;
  const rawInput = isEmpty(subject.rawInput) ? called?.rawInput : subject.rawInput;
  const written = commandIn(rawInput);
  const command = subject.command ?? written;
  const sessionCwd = useSelect((state) => state.cwd);
  // A command that names no folder runs in the session's.
  const cwd = subject.cwd ?? textField(rawInput, 'cwd') ?? (command === undefined ? undefined : sessionCwd);
  const content = subject.content?.length ? subject.content : [];
  // Some ask about a path and have told the change to the tool call alone: whoever answers must see it here.
  const changes = content.some((each) => each.type === 'diff')
    ? []
    : (called?.content ?? []).map((each, index) => ({ each, index })).filter(({ each }) => each.type === 'diff');
  const locations = subject.locations?.length
    ? subject.locations
    : content.some((each) => each.type === 'diff')
      ? []
      : (called?.locations ?? []);
  const word = changeWord(
    subject.kind ?? called?.toolKind,
    [...content, ...changes.map(({ each }) => each)].some((each) => each.type === 'diff'),
  );
  const shown = command !== undefined || content.length > 0 || changes.length > 0 || locations.length > 0;
  return (
    <div class="subject">
      {!waiting && subject.reason && <div class="permission-agent">{reasonWords(subject.reason)}</div>}
      {subject.command !== undefined && <Command command={subject.command} />}
      {word !== undefined && <div class="subject-kind">{word}</div>}
      <Locations locations={locations} />
      {content.map((each, index) => (
        <ToolContentView key={index} content={each} index={index} entryId={entryId} toolKind={undefined} />
      ))}
      {called &&
        changes.map(({ each, index }) => (
          <ToolContentView key={`called ${index}`} content={each} index={index} entryId={called.entryId} toolKind={undefined} />
        ))}
      {written !== undefined && written !== subject.command && <Command command={written} unsearched />}
      {cwd !== undefined && <div class="subject-cwd">{t('in {folder}', { folder: visible(cwd) })}</div>}
      <Raw
        entryId={isEmpty(subject.rawInput) && called ? called.entryId : entryId}
        field="rawInput"
        label={t('Input')}
        value={rawInput}
        open={!shown}
      />
    </div>
  );
}

function Command({ command, unsearched = false }: { command: string; unsearched?: boolean }) {
  return (
    <pre class={unsearched ? 'subject-command unsearched' : 'subject-command'} tabIndex={0} dir="ltr">
      {allVisible(command)}
    </pre>
  );
}

/** A tool that deletes or moves says so by its kind alone; one that edits has its diff for that, where it has told of any. */
function changeWord(kind: string | undefined, hasDiff: boolean): string | undefined {
  switch (kind) {
    case 'edit':
      return hasDiff ? undefined : t('Edit');
    case 'delete':
      return t('Delete');
    case 'move':
      return t('Move');
    default:
      return undefined;
  }
}

function Options({ entry }: { entry: PermissionEntry }) {
  const { post } = useView();
  const buttons = useRef<HTMLDivElement>(null);
  const { guarded, takesClick, takesKey } = useAnswerGuard(buttons);
  const [sent, setSent] = useState(false);
  const [all, setAll] = useState(false);
  const offered = all ? entry.options : entry.options.slice(0, FIRST_ANSWERS);
  useEffect(() => {
    if (!sent) {
      return undefined;
    }
    const timer = setTimeout(() => setSent(false), ANSWER_TIMEOUT_MS);
    return () => clearTimeout(timer);
  }, [sent]);
  const answer = (option: PermissionOption) => {
    setSent(true);
    post({ type: 'answer_permission', permissionId: entry.permissionId, optionId: option.optionId });
  };
  const primary =
    entry.options.find((option) => option.kind === 'allow_once') ?? entry.options.find((option) => option.kind.startsWith('allow'));
  return (
    <div class="options" ref={buttons}>
      {offered.map((option, index) => (
        <button
          key={index}
          type="button"
          class={option === primary ? 'button' : 'button button-secondary'}
          disabled={sent}
          aria-disabled={guarded ? 'true' : undefined}
          title={kindWords(option.kind)}
          onKeyDown={(event) => (event.key === 'Enter' || event.key === ' ') && !takesKey(event) && event.preventDefault()}
          onClick={(event) => takesClick(event) && answer(option)}
        >
          <KindIcon kind={option.kind} />
          <span>{optionWords(option)}</span>
        </button>
      ))}
      {offered.length < entry.options.length && (
        <button type="button" class="button button-secondary" onClick={() => setAll(true)}>
          {t('{count} more answers…', { count: entry.options.length - offered.length })}
        </button>
      )}
    </div>
  );
}

/** Enough to decide by; the start says it or nothing does. */
function clipped(description: string): string {
  return visible(shortened(description, MAX_DESCRIPTION));
}

/** What an option does, whatever it is called; nothing for kinds we do not know. */
function kindWords(kind: string): string | undefined {
  switch (kind) {
    case 'allow_once':
      return t('Allow once');
    case 'allow_always':
      return t('Always allow');
    case 'reject_once':
      return t('Reject once');
    case 'reject_always':
      return t('Always reject');
    default:
      return undefined;
  }
}

function KindIcon({ kind }: { kind: string }) {
  switch (kind) {
    case 'allow_once':
      return <CheckIcon />;
    case 'allow_always':
      return <CheckAllIcon />;
    case 'reject_once':
      return <CrossIcon />;
    case 'reject_always':
      return <ProhibitedIcon />;
    default:
      return null;
  }
}

/** An answer without a name is still an answer. */
function optionWords({ name, optionId }: PermissionOption): string {
  return oneLine(name, 160).trim() || oneLine(optionId, 160);
}

function outcomeWords({ outcome, options }: PermissionEntry): string {
  switch (outcome?.type) {
    case 'selected': {
      const chosen = options.find((option) => option.optionId === outcome.optionId);
      return answerWords(chosen ? optionWords(chosen) : oneLine(outcome.optionId ?? '?', 160), chosen?.kind, t);
    }
    case 'cancelled':
      return t('Not answered: the turn was stopped');
    default:
      return unansweredWords(outcome?.type ?? 'lost', t);
  }
}

function commandIn(rawInput: unknown): string | undefined {
  if (typeof rawInput !== 'object' || rawInput === null) {
    return undefined;
  }
  const command = (rawInput as { command?: unknown }).command;
  if (typeof command === 'string' && command.trim() !== '') {
    const args = (rawInput as { args?: unknown }).args;
    return Array.isArray(args) && args.every((arg) => typeof arg === 'string') ? [command, ...args].map(word).join(' ') : command;
  }
  return Array.isArray(command) && command.every((part) => typeof part === 'string') ? command.map(word).join(' ') : undefined;
}

/** Where a word ends must be seen, as in the quick pick. */
function word(text: string): string {
  return /^[\w@%+=:,./\\-]+$/.test(text) ? text : JSON.stringify(text);
}

function textField(value: unknown, field: string): string | undefined {
  const text = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[field] : undefined;
  return typeof text === 'string' && text !== '' ? text : undefined;
}
