/** A request on a card of its own: one of ACP Host's, or about a tool call that the conversation does not hold. Answered, it is a line. */
import type { PermissionEntry, ToolCallEntry } from '../../../src/core/model/state';
import type { Operation } from '../../../src/core/approval/operation';
import { useDisclosure, useSelect } from '../../state/context';
import { ChevronIcon, QuestionIcon } from '../../base/icons';
import { t } from '../../base/l10n';
import { oneLine } from '../../../src/text/characters/textSafety';
import { Locations } from '../content/locations';
import { Raw } from '../content/raw';
import { ToolContentView } from '../content/toolContent';
import { OperationContent, OperationFoot, OperationHead, useNamedCall, useOperation } from './operation';
import { headingText, questionDisclosureKey } from './permissionHeading';
import { DecisionDetails, DecisionMark } from './decision';
import { askerText, reasonOf, reasonText } from './askReason';
import { Options } from './options';

export function PermissionView({ entry }: { entry: PermissionEntry }) {
  const agentName = useSelect((state) => state.agentName);
  const call = useNamedCall(entry);
  const operation = useOperation(entry, { call, alone: true })!;
  const reason = reasonOf(entry);
  const waiting = entry.outcome === undefined;
  const isQuiet = useSelect((_, mirror) => mirror.facts.present === 'quickPick');
  const [open, setOpen] = useDisclosure(waiting ? questionDisclosureKey(entry.entryId) : `${entry.entryId}/subject`, waiting && !isQuiet);
  const stateId = `state-${entry.entryId}`;
  const { heading, own } = headingText(operation, t('Permission'));
  return (
    <div
      class={waiting ? 'entry permission permission-waiting' : 'entry permission'}
      role="group"
      aria-label={oneLine(operation.name) || heading}
      aria-describedby={stateId}
      tabIndex={-1}
      data-entry-id={entry.entryId}
    >
      <div class="permission-head">
        <QuestionIcon />
        <div class="permission-words">
          <div class={own ? 'permission-title unsearched' : 'permission-title'}>
            <bdi>{heading}</bdi>
            {!waiting && entry.askedBy !== undefined && <bdi class="permission-agent"> {oneLine(entry.askedBy, 80)}</bdi>}
          </div>
          {waiting && (
            <div class="permission-agent" id={stateId}>
              {reason ? reasonText(reason) : askerText(entry) || t('{agent} needs your permission', { agent: oneLine(agentName, 80) })}
            </div>
          )}
        </div>
        {!waiting && (
          <span id={stateId}>
            <DecisionMark request={entry} />
          </span>
        )}
        {(!waiting || isQuiet) && (
          <button type="button" class="icon-button" aria-label={t('Details')} aria-expanded={open} onClick={() => setOpen(!open)}>
            <ChevronIcon />
          </button>
        )}
      </div>
      {open && <Subject entry={entry} operation={operation} call={call} />}
      {waiting && open && <Options entry={entry} />}
    </div>
  );
}

/** A further request about a tool call that one waits for already: what it says besides. */
export function FurtherRequest({
  entry,
  call,
  before,
}: {
  entry: PermissionEntry;
  call: ToolCallEntry;
  before: readonly PermissionEntry[];
}) {
  const operation = useOperation(entry, { call, before })!;
  return (
    <div
      class="question-further"
      role="group"
      aria-label={oneLine(operation.name) || t('Permission')}
      tabIndex={-1}
      data-entry-id={entry.entryId}
    >
      <Subject entry={entry} operation={operation} call={undefined} />
      <Options entry={entry} />
    </div>
  );
}

interface SubjectProps {
  readonly entry: PermissionEntry;
  readonly operation: Operation;
  readonly call: ToolCallEntry | undefined;
}

/**
 * First the facts from the agent's own code (a command, the kind of the tool, paths, diffs), then a command of the raw input, which a model wrote.
 * The raw input itself is open when there is nothing else, and otherwise folded.
 */
function Subject({ entry, operation, call }: SubjectProps) {
  return (
    <div class="subject">
      <DecisionDetails request={entry} />
      <OperationHead request={entry} operation={operation} />
      <Locations locations={operation.locations} />
      <OperationContent request={entry} operation={operation} />
      {call &&
        operation.called.map((index) => (
          <ToolContentView
            key={`called ${index}`}
            content={call.content[index]!}
            index={index}
            entryId={call.entryId}
            toolKind={undefined}
            isAsked={entry.outcome === undefined}
          />
        ))}
      <OperationFoot request={entry} operation={operation} />
      <Raw entryId={operation.inputOf} field="rawInput" label={t('Input')} value={operation.input} open={!operation.isShown} />
    </div>
  );
}
