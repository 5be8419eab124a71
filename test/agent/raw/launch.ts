/** Helpers that start the raw agent and wait for it. */
import path from 'node:path';
import type { SessionEvent } from '../../../src/core/model/event';
import type { ProcessLaunch } from '../../../src/core/model/agentLaunch';
import type { Stage } from '../../support/scenario/stage';

/** @param args the script's name and its arguments */
export function rawAgent(...args: readonly string[]): Pick<ProcessLaunch, 'args'> {
  return { args: ['--require', path.resolve('test/support/tsx.cjs'), path.resolve('test/agent/raw/agent.ts'), ...args] };
}

/** Resolves when the next turn has ended, however long it takes. */
export function turnEnd({ session: { store } }: Stage): Promise<void> {
  return new Promise((resolve) => {
    const subscription = store.onEvents((_, events) => {
      if (events.some(({ type }) => type === 'turn_ended' || type === 'disconnected')) {
        subscription.dispose();
        resolve();
      }
    });
  });
}

/** The session's events from now on, one line each: the event's type, and the detail that distinguishes the raw agent's messages. */
export function happened({ session: { store } }: Stage): readonly string[] {
  const lines: string[] = [];
  store.onEvents((_, events) => events.forEach((event) => lines.push(`${event.type} ${markOf(event)}`.trimEnd())));
  return lines;
}

function markOf(event: SessionEvent): string {
  switch (event.type) {
    case 'message_chunk':
      return event.content.type === 'text' ? event.content.text : event.content.type;
    case 'tool_call_update':
      return event.patch.title ?? '';
    case 'usage':
      return String(event.usage.used);
    case 'permission_requested':
      return event.title;
    case 'permission_resolved':
      return event.outcome;
    case 'turn_ended':
      return event.stopReason;
    case 'disconnected':
      return event.failure.code;
    default:
      return '';
  }
}
