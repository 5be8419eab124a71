/** The status of stored sessions, and the end of an agent's memory. The texts are in test/golden/scenarios/remoteStatus/. */
import { isAbsent } from '../../../src/core/model/state';
import type { Setup } from '../scripted/agent';
import type { Stage } from '../../support/scenario/stage';
import { scenarios } from './suite';

const keeper = (capabilities: object, more: Setup = {}): Setup => ({
  initialize: { agentCapabilities: capabilities as never },
  ...more,
});

/** The newest message of the user. */
function newestPrompt({ session }: Stage): string {
  const messages = [...session.store.state.entries].filter(
    (entry) => !isAbsent(entry) && entry.kind === 'message' && entry.role === 'user',
  );
  return messages.at(-1)!.entryId;
}

scenarios('remoteStatus', (scenario) => {
  const stored = [
    { sessionId: 'saved' },
    { sessionId: 'open', status: { status: 'open' } },
    { sessionId: 'running', status: { status: 'open', state: { state: 'running' } } },
    { sessionId: 'future', status: { status: '_frozen' } },
    { sessionId: 'bad', status: { status: 7 } },
    { sessionId: 'broken', error: { code: -32603, message: 'Internal error' } },
  ];

  scenario('status', { setup: keeper({ sessionCapabilities: { list: {}, status: {} } }, { stored }) }, async (stage) => {
    await stage.ready();
    const kept = stage.kept();
    const statuses = await kept.statuses(['session-1', ...stored.map(({ sessionId }) => sessionId), 'unknown']);
    statuses.forEach((status, sessionId) => stage.note(`${sessionId} ${JSON.stringify(status)}`));
    kept.dispose();
  });

  scenario('status-that-is-not-offered', { setup: keeper({ sessionCapabilities: { list: {} } }, { stored }) }, async (stage) => {
    await stage.ready();
    const kept = stage.kept();
    stage.note(`${(await kept.statuses(['saved'])).size} statuses`);
    kept.dispose();
  });

  const rewinding = keeper({ rewindSession: { supported: true } }, { messages: ['a'] });

  scenario('rewind', { setup: rewinding }, async (stage) => {
    const chunk = (messageId: string, text: string) => ({
      update: { sessionUpdate: 'agent_message_chunk', messageId, content: { type: 'text', text } },
    });
    await stage.turn(chunk('a', 'First.'));
    await stage.turn(chunk('b', 'Second.'));
    stage.note(`rewind ${JSON.stringify((await stage.session.rewindBefore(newestPrompt(stage))) ?? 'done')}`);
    await stage.turn(chunk('c', 'Third.'));
    await stage.turn(chunk('d', 'Fourth.'));
    stage.note(`rewind ${JSON.stringify((await stage.session.rewindBefore(newestPrompt(stage))) ?? 'done')}`);
  });
});
