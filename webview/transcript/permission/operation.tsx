/** The operation of a permission request, piece by piece, for its tool call's card and for a card of its own. Each text appears once. */
import { useEffect } from 'preact/hooks';
import { isBulk } from '../../../src/core/protocol/view';
import { type PermissionEntry, type ToolCallEntry, entryIdOf, isAbsent } from '../../../src/core/model/state';
import { type OperationContext, type Operation, operationOf } from '../../../src/core/approval/operation';
import { isSameFolder } from '../../../src/core/toolCalls/shownLocations';
import { shortPath } from '../../../src/core/toolCalls/titles';
import { MAX_DESCRIPTION, shortened } from '../../../src/text/find/entryTexts';
import { useSelect, useView } from '../../state/context';
import { t } from '../../base/l10n';
import { escapeInvisible, oneLine, escapeMisleading } from '../../../src/text/characters/textSafety';
import { lineOf } from '../diff/diffLine';
import { parsedBulk } from '../../base/jsonText';
import { ToolContentView } from '../content/toolContent';
import { useAdviceChunk } from './lazyAdvice';
import { askerText, reasonOf, reasonText } from './askReason';
import { CommandEnvironment } from '../terminal/environment';

/** Like {@link operationOf}. Requests a raw input that the host has not sent, because the user must see all of what they approve. */
export function useOperation(
  request: PermissionEntry | undefined,
  around: Omit<OperationContext, 'cwd' | 'rawInput'>,
): Operation | undefined {
  const { mirror } = useView();
  const cwd = useSelect((state) => state.cwd);
  const operation = request && operationOf(request, { ...around, cwd });
  const inputOf = operation && isBulk(operation.input) && request.outcome === undefined ? operation.inputOf : undefined;
  const whole = useSelect((_, from) => (inputOf === undefined ? undefined : from.bulk(inputOf, 'rawInput')));
  useEffect(() => {
    if (inputOf !== undefined) {
      mirror.askForBulk(inputOf, 'rawInput');
    }
  }, [inputOf]);
  return whole === undefined || !request ? operation : operationOf(request, { ...around, cwd, rawInput: parsedBulk(whole) });
}

/** The tool call that a request on a card of its own names, where the conversation has come to hold it. */
export function useNamedCall({ subject }: PermissionEntry): ToolCallEntry | undefined {
  const slot = useSelect((state) =>
    subject.toolCallId === undefined ? undefined : state.entries.get(entryIdOf.toolCall(subject.toolCallId)),
  );
  return slot?.kind === 'tool_call' && !isAbsent(slot) ? slot : undefined;
}

/** The part above the locations and contents. */
export function OperationHead({ request, operation }: { request: PermissionEntry; operation: Operation }) {
  // On a card of its own, the line that says who asks says why.
  const reason = request.onToolCall || request.outcome ? reasonOf(request) : undefined;
  const asker = request.onToolCall || request.outcome ? askerText(request) : '';
  const change = changeLabel(operation.change);
  return (
    <>
      {operation.title !== '' && (
        <div class="permission-title">
          <bdi>{oneLine(operation.title)}</bdi>
        </div>
      )}
      {asker && <div class="permission-agent">{asker}</div>}
      {reason && <div class="permission-agent">{reasonText(reason)}</div>}
      <Purpose purpose={operation.description} />
      {operation.command !== undefined && <Purpose purpose={operation.purpose} />}
      {operation.command !== undefined && <Command command={operation.command} request={request} isAdvised />}
      {operation.command !== undefined && <CommandEnvironment {...operation} />}
      {change !== undefined && <div class="subject-kind">{change}</div>}
    </>
  );
}

/** The request's own contents. */
export function OperationContent({ request, operation }: { request: PermissionEntry; operation: Operation }) {
  const content = request.subject.content ?? [];
  const locations = request.subject.locations ?? [];
  return (
    <>
      {operation.content.map((index) => (
        <ToolContentView
          key={index}
          content={content[index]!}
          index={index}
          entryId={request.entryId}
          toolKind={undefined}
          line={lineOf(content, index, locations)}
          isAsked={request.outcome === undefined}
        />
      ))}
    </>
  );
}

/** The part below the locations and contents. */
export function OperationFoot({ request, operation }: { request: PermissionEntry; operation: Operation }) {
  const folder = useSelect((state) => state.cwd);
  const { cwd } = operation;
  return (
    <>
      {operation.command === undefined && <Purpose purpose={operation.purpose} />}
      {operation.written !== undefined && (
        <Command command={operation.written} request={request} isAdvised={operation.command === undefined} />
      )}
      {operation.command === undefined && <CommandEnvironment {...operation} />}
      {cwd !== undefined && !isSameFolder(cwd, folder) && (
        <div class="subject-cwd">{t('in {folder}', { folder: escapeMisleading(shortPath(cwd, folder)) })}</div>
      )}
    </>
  );
}

/** A text of the agent about the operation; nothing for an empty one. */
export function Purpose({ purpose }: { purpose: string }) {
  return purpose === '' ? null : <div class="permission-description">{escapeMisleading(shortened(purpose, MAX_DESCRIPTION))}</div>;
}

interface CommandProps {
  readonly command: string;
  /** The request about the command. */
  readonly request?: PermissionEntry;
  /** True for the command that the host's advice is about. Its parts that need the answer are marked. */
  readonly isAdvised?: boolean;
}

export function Command({ command, request, isAdvised = false }: CommandProps) {
  const chunk = useAdviceChunk(request);
  const segments = isAdvised ? request?.subject.advice?.segments : undefined;
  return (
    <pre class="subject-command" tabIndex={0} role="group" aria-label={t('Command')} dir="ltr">
      {chunk ? <chunk.AskedCommand command={command} segments={segments} /> : escapeInvisible(command)}
    </pre>
  );
}

function changeLabel(change: string | undefined): string | undefined {
  switch (change) {
    case 'edit':
      return t('Edit');
    case 'delete':
      return t('Delete');
    case 'move':
      return t('Move');
    default:
      return undefined;
  }
}
