/** Executes the state machine: assigns answers to sessions, and tracks unsent prompts. */
import assert from 'node:assert/strict';
import type { Failure } from '../../../../src/core/model/failure';
import { setupIn } from '../../../../src/core/model/sessionSetup';
import type { Session } from '../../../../src/session/session';
import { Sessions } from '../../../../src/session/sessions';
import { type FakeAccount, type FakeAgent, fakeDependencies, launch, turn } from '../fakes';

const setup = setupIn({ cwd: '/w', additionalDirectories: [] });
const text = (words: string): { type: 'text'; text: string }[] => [{ type: 'text', text: words }];
const METHOD = { methodId: 'login', name: 'Log in', type: 'terminal', args: [] } as const;
const SIGN_IN: { ok: false; failure: Failure } = { ok: false, failure: { code: 'auth.required' } };

interface Scene extends ReturnType<typeof fakeDependencies> {
  readonly sessions: Sessions;
  readonly session: Session;
  readonly agent: FakeAgent;
  readonly returned: string[];
}

/** A ready session S, whose process has another session too. */
function shared(...offers: readonly ('load' | 'resume')[]): Scene {
  const fakes = fakeDependencies();
  const sessions = new Sessions(fakes.deps);
  sessions.create(launch(), setup);
  const agent = fakes.agents[0]!;
  prepare(agent, ...offers);
  agent.open('OTHER');
  const session = sessions.create(launch(), setup);
  agent.newSession.at(-1)!({ ok: true, value: { sessionId: 'S', events: [] } });
  const returned: string[] = [];
  session.onPromptReturned((words) => returned.push(words));
  return { ...fakes, sessions, session, agent, returned };
}

function prepare(agent: FakeAgent, ...offers: readonly ('load' | 'resume')[]): void {
  offers.forEach((name) => agent.offer(name));
  agent.dialect.authMethods = [METHOD];
  agent.dialect.sessionCapabilities = { ...agent.dialect.sessionCapabilities, additionalDirectories: true };
}

/** Calls `listener` at each event of this type, from inside the store. */
function on(session: Session, type: string, listener: () => void): void {
  session.store.onEvents((_, events) => events.filter((event) => event.type === type).forEach(listener));
}

describe('an answer that arrives after the session has left its agent', () => {
  it('is ignored for every request', async () => {
    const { session, agent, returned, sessions } = shared();
    session.prompt(text('go'));
    session.setConfig('model', 'm');
    session.setConfig('model', 'n');
    agent.dialect.closeSession = (_, settled) => {
      settled({ ok: true, value: undefined });
      return { requestId: 99, cancel: () => undefined };
    };
    await session.end();
    assert.equal(agent.disposed, 0, 'the other session goes on');
    const { seq } = session.store;
    agent.prompts[0]!({ ok: true, value: { stopReason: 'refusal', events: [] } });
    agent.configs[0]!({ ok: true, value: [{ type: 'config_options', options: [] }] });
    agent.configs[1]!({ ok: false, failure: { code: 'request.failed' } });
    assert.deepEqual([session.store.seq, returned], [seq, []]);
    sessions.dispose();
  });

  it('still counts while the agent is being asked to close it', async () => {
    const { session, agent, sessions } = shared();
    session.prompt(text('go'));
    const ending = session.end();
    agent.prompts[0]!({ ok: true, value: { stopReason: 'cancelled', events: [{ type: 'usage', usage: { used: 1, size: 2 } }] } });
    agent.closes[0]!();
    await ending;
    assert.equal(session.store.state.usage?.used, 1);
    sessions.dispose();
  });

  it('does not open a session that was requested before the session left', async () => {
    const { session, agent, agents, sessions } = shared('load');
    assert.equal(session.changeFolders(['/x']), undefined);
    session.act('cancel_start');
    assert.equal(session.store.state.failure?.code, 'agent.start_cancelled');
    session.act('retry');
    assert.equal(agents.length, 2, 'the first one still owes an answer');
    agent.again[0]!({ ok: true, value: { sessionId: 'S', events: [] } });
    assert.deepEqual([session.store.state.status, session.roots.additionalDirectories], ['starting', []]);
    sessions.dispose();
  });
});

describe('a prompt that the agent did not take', () => {
  it('is returned once, however the session ends', () => {
    const { session, agent, returned } = shared();
    session.prompt(text('go'));
    // The connection first settles its pending requests, and then reports its end.
    agent.prompts[0]!({ ok: false, failure: { code: 'connection.closed' } });
    agent.end({ code: 'agent.exited' });
    session.act('end_session');
    assert.deepEqual(returned, ['go']);
  });

  it('is not returned when the next one is sent during its end event', () => {
    const { session, agent, returned } = shared();
    let isNext = true;
    on(session, 'turn_ended', () => {
      if (isNext) {
        isNext = false;
        assert.equal(session.prompt(text('two')), undefined);
      }
    });
    session.prompt(text('one'));
    agent.prompts[0]!({ ok: true, value: { stopReason: 'end_turn', events: [] } });
    agent.prompts[1]!({ ok: false, failure: { code: 'request.failed' } });
    assert.deepEqual(returned, [], 'Retry sends the one that failed');
    agent.end({ code: 'agent.exited' });
    assert.deepEqual(returned, ['two']);
  });

  it('is sent when it is submitted during the loss of the agent, and the lost one stays in the conversation', async () => {
    const { session, agent, agents, returned } = shared('resume');
    on(session, 'disconnected', () => assert.equal(session.submit(text('two')), undefined));
    session.prompt(text('one'));
    agent.end({ code: 'agent.exited' });
    await turn();
    assert.deepEqual([returned, session.store.state.status, agents.length], [[], 'starting', 2]);
    prepare(agents[1]!, 'resume');
    agents[1]!.ready(agents[1]!.dialect);
    agents[1]!.again[0]!({ ok: true, value: { sessionId: 'S', events: [] } });
    assert.deepEqual(agents[1]!.sent.at(-1), ['prompt', 'S', text('two')]);
  });

  it('waits for a session that a sign-in starts again, and is sent once', async () => {
    const { session, agent, agents, deps, returned, sessions } = shared('resume');
    session.prompt(text('go'));
    agent.prompts[0]!(SIGN_IN);
    session.signIn('login');
    (deps.account as FakeAccount).asked[0]!.finish();
    await turn();
    const next = agents[1]!;
    prepare(next, 'resume');
    next.ready(next.dialect);
    assert.equal(next.prompts.length, 0, 'not before the session is there');
    next.again[0]!({ ok: true, value: { sessionId: 'S', events: [] } });
    assert.deepEqual(
      [next.sent, returned],
      [
        [
          ['resume', 'S'],
          ['prompt', 'S', text('go')],
        ],
        [],
      ],
    );
    sessions.dispose();
  });
});
