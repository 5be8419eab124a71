/** A new session that gets the conversation of another one. */
import assert from 'node:assert/strict';
import type { EventInput } from '../../../../src/core/model/event';
import { SessionStore } from '../../../../src/session/state/store';
import { systemClock } from '../../../../src/util/clock';
import { withVscode } from '../../../support/fakeVscode';
import { message } from '../../../support/events';

describe('a conversation restored in a new session', () => {
  const { SessionHandover } = withVscode(
    { window: {}, l10n: { t: (text: string) => text } },
    () =>
      require('../../../../src/workbench/sessions/sessionHandover') as typeof import('../../../../src/workbench/sessions/sessionHandover'),
  );

  const restored = async (entryId: string) => {
    const store = new SessionStore(systemClock);
    store.append({ type: 'session_opened', agentName: 'OpenCode', cwd: '/w' }, { type: 'session_ready', sessionId: 's' });
    for (const [turnId, text] of [
      ['one', 'Create hello'],
      ['two', 'Rename it'],
    ] as const) {
      store.append({ type: 'turn_started', turnId }, message(text, turnId, 'user'), { type: 'turn_ended', turnId, stopReason: 'end_turn' });
    }
    const launch = { agentId: 'OpenCode', agentName: 'OpenCode' };
    const session = { key: 'old', agentId: 'OpenCode', agentName: 'OpenCode', launch, store, setup: { cwd: '/w' } };
    const attached: unknown[] = [];
    const started: { events: readonly EventInput[]; draft: unknown }[] = [];
    const handover = new SessionHandover(
      { panels: { attach: (_: unknown, blocks: readonly unknown[]) => attached.push(...blocks) } } as never,
      {
        start: (
          _choice: unknown,
          _options: unknown,
          { events = [], draft }: { events?: readonly EventInput[]; draft?: { content: unknown } },
        ) => {
          started.push({ events, draft: draft?.content });
          return Promise.resolve({ key: 'new' } as never);
        },
        chooseFolder: () => Promise.resolve(undefined),
      } as never,
    );
    await handover.restoreConversation(session as never, entryId);
    return { ...started[0]!, attached };
  };

  it('begins with the title, and a notice about the attachment', async () => {
    const { events, draft, attached } = await restored('user:two');
    assert.deepEqual(draft, [{ type: 'text', text: 'Rename it' }]);
    assert.deepEqual(
      events.map((event) => (event.type === 'notice' ? event.failure?.code : event.type === 'session_info' && event.title)),
      ['Create hello', 'session.attached_before'],
    );
    assert.match(JSON.stringify(attached), /old\/conversation\.md.*Create hello/);
    assert.doesNotMatch(JSON.stringify(attached), /Rename it/);
  });

  it('has only the title when no message came before', async () => {
    const { events, attached } = await restored('user:one');
    assert.deepEqual([events, attached], [[{ type: 'session_info', title: 'Create hello' }], []]);
  });
});
