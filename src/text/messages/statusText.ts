/** Statuses and outcomes in words, for host and page. Unknown words of the protocol are shown as the agent sent them, made safe by `show`. Pure. */
import type { ExitStatus } from '../../core/model/content';
import { isStatus } from '../../core/toolCalls/status';
import type { ShowValue } from './failures';
import { modeLabel, modeOfCode } from './permissionModeNames';
import type { TranslateVerbatim } from './translate';

/** Returns the status of a tool call or plan entry in words. */
export function statusLabel(status: string, t: TranslateVerbatim, show: ShowValue): string {
  if (!isStatus(status)) {
    return show(status);
  }
  switch (status) {
    case 'pending':
      return t('Pending');
    case 'in_progress':
      return t('Running');
    case 'paused':
      return pausedLabel(t);
    case 'completed':
      return t('Done');
    case 'failed':
      return t('Failed');
    case 'cancelled':
      return t('Canceled');
    case 'background':
      return t('In background');
    case 'unfinished':
      return t('Not finished');
  }
}

/** Returns the state of work, or of a message, that waits until it is resumed. */
export function pausedLabel(t: TranslateVerbatim): string {
  return t('Paused');
}

function rejectedLabel(t: TranslateVerbatim): string {
  return t('Rejected');
}

/** Returns a tool call's status, or how the user's decision ended the call. */
export function callLabel(status: string, refusal: 'rejected' | 'cancelled' | undefined, t: TranslateVerbatim, show: ShowValue): string {
  return refusal === 'rejected' ? rejectedLabel(t) : statusLabel(refusal ?? status, t, show);
}

/**
 * Returns the text about a permission request or a form without an answer.
 * @param outcome the reason, `elsewhere` for an answer in another client, or undefined while it waits
 */
export function unansweredText(outcome: string | undefined, t: TranslateVerbatim): string {
  switch (outcome) {
    case undefined:
      return t('Waiting for your answer.');
    case 'declined':
      return t('You declined');
    case 'withdrawn':
      return t('Withdrawn by the agent');
    case 'elsewhere':
      return answeredElsewhere(t);
    case 'lost':
      return t('Canceled: connection lost');
    default:
      return t('Not answered');
  }
}

function answeredElsewhere(t: TranslateVerbatim): string {
  return t('Answered elsewhere');
}

/** The outcome of a permission request, for the session that asked. */
export interface Decision {
  readonly type: 'selected' | 'cancelled' | 'withdrawn' | 'lost' | 'elsewhere';
  /** The kind of the chosen option, and its name, made safe. */
  readonly kind?: string | undefined;
  readonly option?: string | undefined;
  /** The rule that decided instead of the user, made safe. */
  readonly rule?: string | undefined;
  /** The code of the rule's reason. */
  readonly code?: string | undefined;
}

/**
 * Returns the text of a mark on the tool call: one word, or the rule that decided. An option of an unknown kind is not an approval: its own name is
 * shown.
 */
export function decisionLabel({ type, kind = '', option = '', rule, code }: Decision, t: TranslateVerbatim): string {
  if (rule !== undefined) {
    return ruleText({ type, kind, rule, code }, t);
  }
  if (type === 'elsewhere') {
    return answeredElsewhere(t);
  }
  if (type !== 'selected') {
    return statusLabel('cancelled', t, (word) => word);
  }
  return isAllowed(kind) ? t('Allowed') : isRejected(kind) ? rejectedLabel(t) : option;
}

/** Returns a text about who decided and how. */
export function decisionText({ type, kind = '', option = '', rule, code }: Decision, t: TranslateVerbatim): string {
  if (rule !== undefined) {
    return ruleText({ type, kind, rule, code }, t);
  }
  switch (type) {
    case 'selected':
      return isAllowed(kind)
        ? t('Allowed by you: {option}', { option })
        : isRejected(kind)
          ? t('Rejected by you: {option}', { option })
          : t('Answered by you: {option}', { option });
    case 'cancelled':
      return t('Not answered: the turn was stopped');
    default:
      return unansweredText(type, t);
  }
}

/** A rule that finds no option to reject a request with cancels the request. */
function ruleText({ type, kind = '', rule = '', code }: Decision, t: TranslateVerbatim): string {
  const isDenied = isRejected(kind) || type !== 'selected';
  const mode = modeOfCode(code);
  if (mode) {
    const name = modeLabel(mode, t);
    return isDenied
      ? t('Refused by the permission mode: {mode}', { mode: name })
      : t('Allowed by the permission mode: {mode}', { mode: name });
  }
  if (code === 'answered_before') {
    return isDenied ? t('Rejected as before: {option}', { option: rule }) : t('Allowed as before: {option}', { option: rule });
  }
  return isAllowed(kind)
    ? t('Allowed by rule: {rule}', { rule })
    : isDenied
      ? t('Denied by rule: {rule}', { rule })
      : t('Answered by rule: {rule}', { rule });
}

function isAllowed(kind: string): boolean {
  return kind === 'allow_once' || kind === 'allow_always';
}

function isRejected(kind: string): boolean {
  return kind === 'reject_once' || kind === 'reject_always';
}

/** Returns the text in place of a tool call's status while it waits for a permission. */
export function needsApprovalLabel(t: TranslateVerbatim): string {
  return t('Needs approval');
}

/** Returns how a command ended. */
export function exitText({ exitCode, signal }: ExitStatus, t: TranslateVerbatim, show: ShowValue): string {
  if (signal) {
    return t('Terminated by {signal}', { signal: show(signal) });
  }
  return exitCode === undefined ? t('Ended') : t('Exit code {exitCode}', { exitCode });
}

/** Returns the text about the compaction of the conversation. */
export function compactionText(status: string, t: TranslateVerbatim, show: ShowValue): string {
  switch (status) {
    case 'in_progress':
      return t('Compacting the conversation…');
    case 'completed':
      return t('Conversation compacted');
    case 'failed':
      return t("Couldn't compact the conversation");
    case 'cancelled':
      return t('Compacting the conversation was canceled');
    default:
      return t('Compacting the conversation: {status}', { status: show(status) });
  }
}

/** Returns the operation of a change in words; '' for a modification. */
export function operationLabel(operation: string, t: TranslateVerbatim, show: ShowValue): string {
  switch (operation) {
    case 'modify':
      return '';
    case 'add':
      return t('New file');
    case 'delete':
      return t('Deleted');
    case 'move':
      return t('Moved');
    case 'copy':
      return t('Copied from');
    default:
      return show(operation);
  }
}

/** Returns {@link operationLabel} with the file. @param path made safe */
export function changedText(operation: string, path: string, t: TranslateVerbatim): string {
  switch (operation) {
    case 'add':
      return t('New file: {path}', { path });
    case 'delete':
      return t('Deleted: {path}', { path });
    case 'move':
      return t('Moved: {path}', { path });
    default:
      return t('Changed: {path}', { path });
  }
}

/** Returns the text about an update that this version does not support. @param label made safe */
export function unknownText(label: string, t: TranslateVerbatim): string {
  return t("The agent sent something this version doesn't support: {label}", { label });
}
