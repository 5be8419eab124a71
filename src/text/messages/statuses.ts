/**
 * How things stand or ended, in words, for host and page. Words of the protocol that we do not know are shown as the agent sent them, made safe by
 * `show`. Pure.
 */
import type { ExitStatus } from '../../core/model/content';
import { isStatus } from '../../core/model/status';
import type { ShowValue } from './failures';
import type { TranslateVerbatim } from './translate';

/** A tool call's or plan entry's status. */
export function statusWord(status: string, t: TranslateVerbatim, show: ShowValue): string {
  if (!isStatus(status)) {
    return show(status);
  }
  switch (status) {
    case 'pending':
      return t('Pending');
    case 'in_progress':
      return t('Running');
    case 'completed':
      return t('Done');
    case 'failed':
      return t('Failed');
    case 'cancelled':
      return t('Canceled');
  }
}

/** Of a permission request or a form. @param outcome why it has no answer, or undefined while it waits */
export function unansweredWords(outcome: string | undefined, t: TranslateVerbatim): string {
  switch (outcome) {
    case undefined:
      return t('Waiting for your answer.');
    case 'declined':
      return t('You declined');
    case 'withdrawn':
      return t('Withdrawn by the agent');
    case 'lost':
      return t('Canceled: connection lost');
    default:
      return t('Not answered');
  }
}

/**
 * The answer to a permission request. The option is named where it says more than the answer: what holds for longer, and kinds we do not know.
 * @param option its name, made safe
 */
export function answerWords(option: string, kind: string | undefined, t: TranslateVerbatim): string {
  switch (kind) {
    case 'allow_once':
      return t('Allowed');
    case 'allow_always':
      return t('Allowed: {option}', { option });
    case 'reject_once':
      return t('Rejected');
    case 'reject_always':
      return t('Rejected: {option}', { option });
    default:
      return t('Answered: {option}', { option });
  }
}

/** How a command ended. */
export function exitWords({ exitCode, signal }: ExitStatus, t: TranslateVerbatim, show: ShowValue): string {
  return signal ? t('Terminated by {signal}', { signal: show(signal) }) : t('Exit code {exitCode}', { exitCode: exitCode ?? '?' });
}

/** Of the shortening of the agent's memory. */
export function compactionWords(status: string, t: TranslateVerbatim, show: ShowValue): string {
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

/** What a change does to its file; '' for the usual. */
export function operationWord(operation: string, t: TranslateVerbatim, show: ShowValue): string {
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

/** {@link operationWord} with the file. @param path made safe */
export function changedWords(operation: string, path: string, t: TranslateVerbatim): string {
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

/** For what the agent sent and this version has no words for. @param label made safe */
export function unknownWords(label: string, t: TranslateVerbatim): string {
  return t("The agent sent something this version doesn't support: {label}", { label });
}
