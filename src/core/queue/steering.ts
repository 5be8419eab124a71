/**
 * Puts a message into the running turn (`_session/steering`, as in claude-agent-acp and codex-acp): the agent's possible answers, and their effect on
 * the message. Pure.
 */
import type { Failure } from '../model/failure';

/**
 * `injected`: the message is in the turn. `startedNewTurn`: the turn was over and the agent began a new one. `promptRequired`: the turn was over, and
 * the message was not taken. `failed`: it was not taken.
 */
export const STEER_OUTCOMES = ['injected', 'startedNewTurn', 'promptRequired', 'failed'] as const;
export type SteerOutcome = (typeof STEER_OUTCOMES)[number];

/**
 * The effect on the message. `sent`: it is in the conversation. `next`: it is queued before the others. `queued`: it keeps its position. `paused`: it
 * waits for the user.
 */
export interface AfterSteering {
  readonly message: 'sent' | 'next' | 'queued' | 'paused';
  /** The message to the user. */
  readonly failure?: Failure;
  /** True when `failure` is only information. */
  readonly isInfo?: true;
}

/** @param answer the outcome, or the reason why there is none */
export function afterSteering(answer: SteerOutcome | Failure): AfterSteering {
  switch (answer) {
    case 'injected':
      return { message: 'sent' };
    case 'startedNewTurn':
      return { message: 'sent', failure: { code: 'queue.steered_new_turn' }, isInfo: true };
    case 'promptRequired':
      return { message: 'next', failure: { code: 'queue.steered_late' }, isInfo: true };
    case 'failed':
      return { message: 'queued', failure: { code: 'queue.not_steered' } };
  }
  const detail = answer.detail === undefined ? {} : { detail: answer.detail };
  // Without an answer the agent may or may not have the message, and it must not be sent twice.
  return REFUSALS.has(answer.code)
    ? { message: 'queued', failure: { code: 'queue.not_steered', ...detail } }
    : { message: 'paused', failure: { code: 'queue.steering_unclear', ...detail } };
}

/** The codes of an agent's answer that declines the message. */
const REFUSALS: ReadonlySet<string> = new Set(['request.failed', 'auth.required']);
