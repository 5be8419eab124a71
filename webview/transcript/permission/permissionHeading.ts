/** The permission request that a tool call's card asks, as its header has it. */
import { ANSWER_DELAY_MS } from '../../../src/core/approval/answerDelay';
import type { PermissionEntry, ToolCallEntry } from '../../../src/core/model/state';
import { operationOf } from '../../../src/core/approval/operation';
import { useSelect } from '../../state/context';
import { t } from '../../base/l10n';
import { oneLine } from '../../../src/text/characters/textSafety';
import { toolKindLabel } from '../../base/strings';

export interface PermissionHeading {
  /** The request's name; the content below has its details. */
  readonly name: string;
  /** The title, without the parts that the content below shows. */
  readonly heading: string;
  /** The heading is in words of ours, because the title is no more than the command below it. */
  readonly own: boolean;
  /** The key of the fold. `open` is its state until the user changes it. */
  readonly disclosureKey: string;
  readonly open: boolean;
  /** The card stays closed because a quick pick asks the question. It then offers to show the answers. */
  readonly closed: boolean;
}

/** Where what a request asks is open or closed. */
export function questionDisclosureKey(requestEntryId: string): string {
  return `${requestEntryId}/open`;
}

export function useQuestion(call: ToolCallEntry, request: PermissionEntry | undefined): PermissionHeading | undefined {
  const cwd = useSelect((state) => state.cwd);
  const closed = useSelect((_, mirror) => mirror.facts.present === 'quickPick');
  if (!request) {
    return undefined;
  }
  const operation = operationOf(request, { call, cwd });
  const name = oneLine(operation.name) || t('Permission');
  return {
    name,
    ...headingText(operation, toolKindLabel(call.toolKind)),
    disclosureKey: questionDisclosureKey(request.entryId),
    open: !closed,
    closed,
  };
}

/** @param kindWord what it is called that has no title */
export function headingText(
  { heading, command, written }: Pick<ReturnType<typeof operationOf>, 'heading' | 'command' | 'written'>,
  kindWord: string,
): Pick<PermissionHeading, 'heading' | 'own'> {
  return heading === ''
    ? { heading: command === undefined && written === undefined ? kindWord : t('Run command'), own: true }
    : { heading: oneLine(heading), own: false };
}

let answeredAt = -Infinity;

/** A question was answered: its card shrinks, and other cards come under the pointer. */
export function noteAnswer(): void {
  answeredAt = performance.now();
}

/** Whether this click is the rest of a double click on an answer: it was meant for no card that came there since. */
export function followsAnswer({ detail }: MouseEvent): boolean {
  const follows = detail > 0 && performance.now() - answeredAt < ANSWER_DELAY_MS;
  if (follows) {
    noteAnswer();
  }
  return follows;
}
