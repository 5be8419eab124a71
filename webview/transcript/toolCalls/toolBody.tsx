/** The details that an agent reported about a tool call. A failed call shows its reason first. */
import type { JSX } from 'preact';
import { isFinalStatus, type PermissionEntry, type ToolCallEntry } from '../../../src/core/model/state';
import type { Operation } from '../../../src/core/approval/operation';
import { shownLocations } from '../../../src/core/toolCalls/shownLocations';
import { commandLines, purposeOf, saysPurpose } from '../../../src/core/approval/purpose';
import { isBeforeRun } from '../../../src/core/approval/requests';
import { nameBelow } from '../../../src/core/toolCalls/toolTitle';
import { isBulk } from '../../../src/core/protocol/view';
import { isVisibleText } from '../../../src/text/find/entryTexts';
import { isLeftOpen } from '../../../src/core/background/leftOpen';
import { StopIcon } from '../../base/icons';
import { useSelect, useView } from '../../state/context';
import { t } from '../../base/l10n';
import { oneLine, escapeMisleading } from '../../../src/text/characters/textSafety';
import { lineOf } from '../diff/diffLine';
import { Command, OperationContent, OperationFoot, OperationHead, Purpose, useOperation } from '../permission/operation';
import { DecisionDetails } from '../permission/decision';
import { Options } from '../permission/options';
import { FurtherRequest } from '../permission/permission';
import { reasonIn } from './failureReason';
import { isEmpty, jsonText } from '../../base/jsonText';
import { Locations } from '../content/locations';
import { Raw } from '../content/raw';
import { hiddenRaw } from './rawData';
import { MarkEnded } from '../../tasks/markEnded';
import { SandboxRefusals } from './sandboxRefusals';
import { useRawShown } from './toolMenu';
import { ToolContentView } from '../content/toolContent';

interface Props {
  readonly entry: ToolCallEntry;
  /** The title in the card's header. */
  readonly title: string;
  /** The waiting permission requests about the call, and the answered ones; oldest first. */
  readonly pendingRequests?: readonly PermissionEntry[];
  readonly answered?: readonly PermissionEntry[];
}

const NONE: readonly PermissionEntry[] = [];

export function ToolBody({ entry, title, pendingRequests = NONE, answered = NONE }: Props) {
  const { entryId } = entry;
  const cwd = useSelect((state) => state.cwd);
  const [request, ...further] = pendingRequests;
  const operation = useOperation(request, { call: entry });
  const [rawShown] = useRawShown(entryId);
  const empty = entry.content.length === 0 && entry.locations.length === 0 && isEmpty(entry.rawInput) && isEmpty(entry.rawOutput);
  const failed = entry.status === 'failed';
  const said = purposeOf(entry);
  const contents = entry.content.flatMap((content, index) => (saysPurpose(content, said) ? [] : [index]));
  const reasons = failed ? contents.filter((index) => isVisibleText(entry.content[index]!)) : [];
  const { purpose = '', command } = commandLines(entry, title);
  const isEarly = isBeforeRun(entry, [...answered, ...pendingRequests]);
  const name = nameBelow(entry, title);
  const isLeft = useSelect((state) =>
    isLeftOpen({ ...state, backgroundTasks: state.backgroundTasks ?? [] }, entry.toolCallId, entry.status),
  );
  const show = (index: number) => (
    <ToolContentView
      key={index}
      content={entry.content[index]!}
      index={index}
      entryId={entryId}
      toolKind={isEarly ? undefined : entry.toolKind}
      title={operation ? undefined : title}
      line={lineOf(entry.content, index, entry.locations)}
      isAsked={operation !== undefined}
      askedCommand={operation?.command ?? operation?.written}
    />
  );
  return (
    <div class="tool-body" {...questionAttributes(request, operation, entryId)}>
      {failed && reasons.length === 0 && <FailureReason entry={entry} />}
      {failed && reasons.map(show)}
      {operation ? <OperationHead request={request!} operation={operation} /> : <Purpose purpose={purpose} />}
      {!operation && command !== undefined && <Command command={command} />}
      <Locations locations={operation?.locations ?? (rawShown ? entry.locations : shownLocations(entry, cwd))} />
      {operation && <OperationContent request={request!} operation={operation} />}
      {contents.filter((index) => !reasons.includes(index) && (operation?.called.includes(index) ?? true)).map(show)}
      {operation && <OperationFoot request={request!} operation={operation} />}
      {operation ? (
        <Raw entryId={operation.inputOf ?? entryId} field="rawInput" label={t('Input')} value={operation.input} open={!operation.isShown} />
      ) : (
        <RawField entry={entry} title={title} field="rawInput" />
      )}
      <SandboxRefusals entry={entry} />
      <RawField entry={entry} title={title} field="rawOutput" />
      {answered.map((each) => (
        <Answered key={each.entryId} request={each} call={entry} />
      ))}
      {entry.canCancel && !isFinalStatus(entry.status) && <StopCall toolCallId={entry.toolCallId} />}
      {isLeft && (
        <div class="dim">
          {t('The agent has not reported an end.')} <MarkEnded toolCallId={entry.toolCallId} />
        </div>
      )}
      {name !== undefined && <div class="tool-name">{oneLine(name)}</div>}
      {operation && <Options key={request!.entryId} entry={request!} />}
      {further.map((each, index) => (
        <FurtherRequest key={each.entryId} entry={each} call={entry} before={pendingRequests.slice(0, index + 1)} />
      ))}
      {empty && !operation && answered.length === 0 && (
        <div class="dim">{failed ? t("The agent didn't give a reason.") : t('No further details.')}</div>
      )}
    </div>
  );
}

/** Stops this call alone. Its turn continues. */
function StopCall({ toolCallId }: { toolCallId: string }) {
  const { post } = useView();
  return (
    <button type="button" class="text-button" aria-label={t('Stop Tool Call')} onClick={() => post({ type: 'stop_tool_call', toolCallId })}>
      <StopIcon />
      {t('Stop')}
    </button>
  );
}

/** The raw input or output of the tool. When the card already shows it in another form, it is rendered only on the user's request, and then open. */
function RawField({ entry, title, field }: { entry: ToolCallEntry; title: string; field: 'rawInput' | 'rawOutput' }) {
  const { entryId } = entry;
  const isHidden = hiddenRaw(entry, title)[field];
  const [rawShown] = useRawShown(entryId);
  return isHidden && !rawShown ? null : (
    <Raw
      key={isHidden ? 'asked for' : 'shown'}
      entryId={entryId}
      field={field}
      label={field === 'rawInput' ? t('Input') : t('Output')}
      value={entry[field]}
      open={isHidden}
    />
  );
}

/** An answered request: who decided, and its additional content. */
function Answered({ request, call }: { request: PermissionEntry; call: ToolCallEntry }) {
  const operation = useOperation(request, { call })!;
  return (
    <div class="answered">
      <DecisionDetails request={request} />
      {operation.title !== '' && <div class="permission-title">{oneLine(operation.title)}</div>}
      <Purpose purpose={operation.description} />
    </div>
  );
}

/** The attributes of the body. While its call waits for an answer, the body is the question: a group named by the request's title. */
function questionAttributes(
  request: PermissionEntry | undefined,
  operation: Operation | undefined,
  entryId: string,
): JSX.HTMLAttributes<HTMLDivElement> {
  return request && operation
    ? ({
        role: 'group',
        'aria-label': oneLine(operation.name) || t('Permission'),
        'aria-describedby': `state-${entryId}`,
        tabIndex: -1,
        'data-entry-id': request.entryId,
      } as JSX.HTMLAttributes<HTMLDivElement>)
    : {};
}

/** The reason of a failed call whose content has none, from its raw output. */
function FailureReason({ entry }: { entry: ToolCallEntry }) {
  if (isEmpty(entry.rawOutput)) {
    return null;
  }
  return (
    <pre class="tool-failure">
      {escapeMisleading(isBulk(entry.rawOutput) ? entry.rawOutput.head : (reasonIn(entry.rawOutput) ?? jsonText(entry.rawOutput)))}
    </pre>
  );
}
