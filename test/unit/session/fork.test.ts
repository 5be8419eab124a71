/** A session that its agent forks: another conversation that begins with the previous messages. */
import assert from 'node:assert/strict';
import type { EventInput } from '../../../src/core/model/event';
import { isAbsent } from '../../../src/core/model/state';
import { parseJournal } from '../../../src/session/journal/journalReader';
import type { Session } from '../../../src/session/session';
import { forkBefore, forkSession } from '../../../src/session/forkSession';
import { Sessions } from '../../../src/session/sessions';
import { agentSays, lines, OURS, refused, setup, text } from './earlierScene';
import { fakeDependencies, launch } from './fakes';

/** A conversation of one turn, and a fork of it that was requested from the agent. */
async function forked() {
  const fakes = fakeDependencies();
  const sessions = new Sessions(fakes.deps);
  const source = sessions.create(launch(), setup);
  const agent = fakes.agents[0]!;
  agent.offerFork();
  agent.open();
  source.prompt(text('question'));
  agent.client.onUpdate('S', [agentSays('a', 'answer'), { type: 'session_info', title: 'Talk' }]);
  agent.prompts[0]!({ ok: true, value: { stopReason: 'end_turn', events: [] } });
  const fork = await forkSession(sessions, fakes.deps.journals, source, launch());
  fork.open();
  return { ...fakes, sessions, source, agent, fork };
}

const ids = (session: Session) => [...session.store.state.entries].map((slot) => (isAbsent(slot) ? '' : slot.entryId));

describe('forking a session', () => {
  it('asks the running process, and begins with the previous messages', async () => {
    const { agents, agent, source, fork, sessions } = await forked();
    assert.equal(agents.length, 1);
    assert.deepEqual(agent.sent.at(-1), ['fork', 'S']);
    assert.deepEqual(agent.setups.at(-1), source.setup);
    assert.equal(fork.store.state.sessionId, undefined, 'it never is the session that is forked');
    agent.client.onUpdate('F', [agentSays('b', 'told before the answer')]);
    agent.newSession.at(-1)!({ ok: true, value: { sessionId: 'F', events: [] } });
    assert.deepEqual(lines(fork), [...OURS, 'agent: told before the answer']);
    const { sessionId, status, title } = fork.store.state;
    assert.deepEqual([sessionId, status, title], ['F', 'ready', 'Talk']);
    fork.prompt(text('more'));
    assert.deepEqual(agent.sent.at(-1)!.slice(0, 2), ['prompt', 'F']);
    assert.deepEqual([lines(source), source.store.state.sessionId], [OURS, 'S']);
    sessions.dispose();
  });

  it('contains no entry twice when the agent replays the conversation before it answers', async () => {
    const { agent, fork, sessions } = await forked();
    const told: EventInput = { type: 'message_chunk', role: 'user', messageId: 'u', content: { type: 'text', text: 'question' } };
    agent.client.onUpdate('F', [told, agentSays('a', 'answer')]);
    agent.newSession.at(-1)!({ ok: true, value: { sessionId: 'F', events: [] } });
    assert.deepEqual(lines(fork), OURS);
    assert.equal(fork.store.state.status, 'ready');
    sessions.dispose();
  });

  it('creates a separate journal that restores all of it', async () => {
    const { agent, source, fork, sessions, journals, deps } = await forked();
    agent.newSession.at(-1)!({ ok: true, value: { sessionId: 'F', events: [] } });
    await sessions.flush();
    sessions.dispose();
    assert.equal(parseJournal(journals.get(fork.key)!)?.header.key, fork.key);
    const later = new Sessions(deps);
    const [forkBack, sourceBack] = [await later.restore(fork.key, () => launch()), await later.restore(source.key, () => launch())];
    assert.deepEqual([lines(forkBack!), forkBack!.store.state.sessionId], [OURS, 'F']);
    assert.deepEqual([lines(sourceBack!), sourceBack!.store.state.sessionId], [OURS, 'S']);
    assert.deepEqual(ids(forkBack!), ids(sourceBack!));
    later.dispose();
  });

  it('can be tried again when the agent refuses it', async () => {
    const { agent, fork, sessions } = await forked();
    agent.newSession.at(-1)!(refused('busy'));
    assert.deepEqual([fork.store.state.status, fork.store.state.failure?.detail, lines(fork)], ['failed', 'busy', []]);
    fork.open();
    agent.newSession.at(-1)!({ ok: true, value: { sessionId: 'F', events: [] } });
    assert.deepEqual(lines(fork), OURS);
    sessions.dispose();
  });
});

describe('forking a session before a message', () => {
  async function scene(offers: boolean) {
    const fakes = fakeDependencies();
    const sessions = new Sessions(fakes.deps);
    const source = sessions.create(launch(), setup);
    const agent = fakes.agents[0]!;
    agent.offerFork();
    agent.dialect.sessionCapabilities = { ...agent.dialect.sessionCapabilities, ...(offers && { forkAt: true }) };
    const fork = agent.dialect.forkSession!;
    const afters: unknown[] = [];
    agent.dialect.forkSession = (sessionId, params, settled, after) => {
      afters.push(after);
      return fork(sessionId, params, settled);
    };
    agent.open();
    for (const [index, id] of ['a', 'b'].entries()) {
      source.prompt(text(`question ${index}`));
      agent.client.onUpdate('S', [agentSays(id, `answer ${index}`)]);
      agent.prompts[index]!({ ok: true, value: { stopReason: 'end_turn', events: [] } });
    }
    const second = ids(source).filter((id) => id.startsWith('user:'))[1]!;
    return { ...fakes, sessions, source, agent, afters, second };
  }

  it('cuts the memory of the agent there, and says so', async () => {
    const { agent, afters, source, sessions, second, deps } = await scene(true);
    const fork = (await forkBefore(sessions, deps.journals, source, launch(), second))!;
    fork.open();
    fork.submit(text('better question'));
    assert.deepEqual(afters, ['a']);
    agent.newSession.at(-1)!({ ok: true, value: { sessionId: 'F', events: [] } });
    assert.deepEqual(lines(fork), [
      'user: question 0',
      'agent: answer 0',
      'turn end_turn',
      'notice session.forked_before',
      'user: better question',
    ]);
    assert.deepEqual(agent.sent.at(-1), ['prompt', 'F', text('better question')]);
    sessions.dispose();
  });

  it('is refused for an agent that would fork all of it', async () => {
    const { source, sessions, second, deps } = await scene(false);
    assert.equal(await forkBefore(sessions, deps.journals, source, launch(), second), undefined);
    sessions.dispose();
  });
});
