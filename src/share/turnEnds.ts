/** The end of the turn of a client's prompt. */
import type { SessionEvent } from '../core/model/event';
import { isTurnOpen } from './wire/openTurn';
import type { SharedSession } from './sharedSession';

/** The stop reasons of version 1. */
const REASONS: ReadonlySet<string> = new Set(['end_turn', 'max_tokens', 'max_turn_requests', 'refusal', 'cancelled']);

export type TurnEndReason = 'end_turn' | 'max_tokens' | 'max_turn_requests' | 'refusal' | 'cancelled' | 'failed';

/** Resolves with the reason when the turn has ended, or its message was removed from the queue. */
export function turnEnd(session: SharedSession, turnId: string, signal: AbortSignal): Promise<TurnEndReason> {
  return new Promise((resolve) => {
    const end = (reason: TurnEndReason): void => {
      following.dispose();
      signal.removeEventListener('abort', left);
      resolve(reason);
    };
    const left = (): void => end('cancelled');
    const look = (events: readonly SessionEvent[]): void => {
      const event = events.find((each) => endsTurn(each, turnId));
      if (event?.type === 'turn_ended') {
        end(REASONS.has(event.stopReason) ? (event.stopReason as TurnEndReason) : 'failed');
      } else if (event) {
        end(event.type === 'queued_message_removed' ? 'cancelled' : 'failed');
      } else if (!isTurnOpen(session.state, turnId)) {
        end('cancelled'); // The conversation was replaced.
      }
    };
    const following = session.onEvents(look);
    signal.addEventListener('abort', left, { once: true });
    look([]);
  });
}

function endsTurn(event: SessionEvent, turnId: string): boolean {
  switch (event.type) {
    case 'turn_ended':
      return event.turnId === turnId;
    case 'queued_message_removed':
      return event.queueId === turnId;
    case 'session_ended':
      return true;
    default:
      return false;
  }
}
