/**
 * Putting a message into the running turn (`_session/steering`, as claude-agent-acp and codex-acp have it): what an agent can answer, and what becomes of
 * the message then. Pure.
 */
import type { Failure } from '../model/failure';

/** injected: it is in the turn; startedNewTurn: the turn was over and the agent began one of its own; promptRequired: the turn was over, and it was not taken; failed: it was not taken. */
export const STEER_OUTCOMES = ['injected', 'startedNewTurn', 'promptRequired', 'failed'] as const;
export type SteerOutcome = (typeof STEER_OUTCOMES)[number];

/** What becomes of the message: sent, it is in the conversation; next, queued before the others; queued, it stays where it was; paused, it waits for the user. */
export interface AfterSteering {
  readonly message: 'sent' | 'next' | 'queued' | 'paused';
  /** What the user is told. */
  readonly failure?: Failure;
  /** Nothing went wrong. */
  readonly isInfo?: true;
}

/** @param answer the outcome, or why there is none */
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
  // Without an answer of the agent's nobody knows whether it has the message: it must not be sent twice.
  return REFUSALS.has(answer.code)
    ? { message: 'queued', failure: { code: 'queue.not_steered', ...detail } }
    : { message: 'paused', failure: { code: 'queue.steering_unclear', ...detail } };
}

/** The agent has answered, and not taken it. */
const REFUSALS: ReadonlySet<string> = new Set(['request.failed', 'auth.required']);
