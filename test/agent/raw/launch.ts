/** How the raw agent is started and waited for. */
import path from 'node:path';
import type { AgentLaunch } from '../../../src/core/ports';
import type { Stage } from '../../support/scenario';

/** @param args the script's name, and what it takes */
export function rawAgent(...args: readonly string[]): Pick<AgentLaunch, 'args'> {
  return { args: ['--require', path.resolve('test/support/tsx.cjs'), path.resolve('test/agent/raw/agent.ts'), ...args] };
}

/** Resolves when the turn that begins next has ended, however long that takes. */
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
