/** An agent that forgets the end of a conversation. */
import assert from 'node:assert/strict';
import type { Outcome } from '../../../src/acp/jsonrpc/rpc';
import { entryIdOf, isAbsent } from '../../../src/core/model/state';
import { Sessions } from '../../../src/session/sessions';
import { agentSays, setup, text } from './earlierScene';
import { fakeDependencies, launch, turn } from './fakes';

/** Two turns, in the second of which the agent has read a file before it answered. */
function conversation(offersRewind = true) {
  const fakes = fakeDependencies();
  const sessions = new Sessions(fakes.deps);
  const session = sessions.create(launch(), setup);
  const agent = fakes.agents[0]!;
  const answers: ((outcome: Outcome<void>) => void)[] = [];
  if (offersRewind) {
    agent.dialect.rewindSession = (sessionId, messageId, settled) => {
      agent.sent.push(['rewind', sessionId, messageId]);
      answers.push(settled);
      return { requestId: 1, cancel: () => undefined };
    };
  }
  agent.open();
  const say = (prompt: string, ...events: Parameters<typeof agent.client.onUpdate>[1][number][]): string => {
    session.prompt(text(prompt));
    agent.client.onUpdate('S', events);
    agent.prompts.at(-1)!({ ok: true, value: { stopReason: 'end_turn', events: [] } });
    return [...session.store.state.entries].filter((entry) => !isAbsent(entry) && entry.kind === 'message' && entry.role === 'user').at(-1)!
      .entryId;
  };
  return { sessions, session, agent, answers, say };
}

describe('going back to before a message', () => {
  it('makes the agent forget what follows its last message before that, and keeps the record', async () => {
    const { session, sessions, agent, answers, say } = conversation();
    say('one', agentSays('a', 'first'));
    const second = say('two', agentSays('b', 'second'));
    const before = session.store.state.entries.length;
    const rewound = session.rewindBefore(second);
    await turn();
    await turn();
    assert.deepEqual(agent.sent.at(-1), ['rewind', 'S', 'a']);
    answers[0]!({ ok: true, value: undefined });
    assert.equal(await rewound, undefined);
    const { entries } = session.store.state;
    const last = entries.at(entries.length - 1)!;
    assert.equal(entries.length, before + 1, 'nothing is removed');
    assert.ok(!isAbsent(last) && last.kind === 'notice' && last.failure?.code === 'session.rewound');
    sessions.dispose();
  });

  it('reports the refusal of the agent, without a notice', async () => {
    const { session, sessions, answers, say } = conversation();
    say('one', agentSays('a', 'first'));
    const rewound = session.rewindBefore(say('two', agentSays('b', 'second')));
    await turn();
    await turn();
    const before = session.store.state.entries.length;
    answers[0]!({ ok: false, failure: { code: 'request.failed', params: { code: -32602 } } });
    assert.deepEqual(await rewound, { code: 'request.failed', params: { code: -32602 } });
    assert.equal(session.store.state.entries.length, before);
    sessions.dispose();
  });

  it('is not asked for where it would forget more, or where the agent cannot do it', async () => {
    const tool = { type: 'tool_call_update', toolCallId: 't', patch: { title: 'Read' } } as const;
    for (const [offers, events] of [
      [true, [agentSays('a', 'first'), tool]],
      [true, [agentSays('~1', 'an id of the client')]],
      [true, []],
      [false, [agentSays('a', 'first')]],
    ] as const) {
      const { session, sessions, agent, say } = conversation(offers);
      say('one', ...events);
      assert.equal((await session.rewindBefore(say('two')))?.code, 'session.not_ready');
      assert.equal(
        agent.sent.some(([name]) => name === 'rewind'),
        false,
      );
      sessions.dispose();
    }
  });

  it('waits for the end of the turn', async () => {
    const { session, sessions, say } = conversation();
    say('one', agentSays('a', 'first'));
    const second = say('two', agentSays('b', 'second'));
    session.prompt(text('three'));
    assert.equal((await session.rewindBefore(second))?.code, 'session.not_ready');
    assert.equal((await session.rewindBefore(entryIdOf.message('user', 'unknown')))?.code, 'session.not_ready');
    sessions.dispose();
  });
});
