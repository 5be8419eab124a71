/** Subagents in words, for host and page. Pure. */
import type { SubagentStatus } from '../../core/subagents/subagentTree';
import { statusLabel } from './statusText';
import type { TranslateVerbatim } from './translate';
import { stoppingLabel, turnEndReason } from './turnEnds';

/** The words are the product's own, so there is nothing to make safe. */
const asIs = (value: string): string => value;

/** Returns the state of work that continues after an answer of the user. */
export function waitsForYouText(t: TranslateVerbatim): string {
  return t('Waiting for you');
}

/** Returns the status in words; empty when it is not known. */
export function subagentStatusLabel(status: SubagentStatus, t: TranslateVerbatim): string {
  switch (status) {
    case 'waiting':
      return waitsForYouText(t);
    case 'running':
      return statusLabel('in_progress', t, asIs);
    case 'stopping':
      return stoppingLabel(t);
    case 'completed':
    case 'failed':
      return statusLabel(status, t, asIs);
    case 'cancelled':
      return turnEndReason(status, t, asIs);
    case 'unknown':
      return '';
  }
}

/** Returns the heading of a subagent. @param name made safe */
export function subagentLabel(name: string, t: TranslateVerbatim): string {
  return t('Sub-agent {name}', { name });
}

/** Returns the heading of a message between two sessions. @param sender, recipient the names of subagents, made safe; absent for the session itself */
export function sessionMessageLabel(sender: string | undefined, recipient: string | undefined, t: TranslateVerbatim): string {
  if (sender !== undefined && recipient !== undefined) {
    return t('{sender} to {recipient}', { sender, recipient });
  }
  return sender !== undefined
    ? t('Message from {name}', { name: sender })
    : recipient !== undefined
      ? t('Message to {name}', { name: recipient })
      : t('Message between sessions');
}
