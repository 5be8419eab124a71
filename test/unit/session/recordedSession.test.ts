import assert from 'node:assert/strict';
import path from 'node:path';
import type { SessionEvent, EventInput } from '../../../src/core/model/event';
import type { Failure } from '../../../src/core/model/failure';
import { NO_CAPABILITIES } from '../../../src/core/model/wellKnown';
import { VIEW_ACTIONS } from '../../../src/core/protocol/channels/actions';
import { reduce } from '../../../src/core/reduce/reduce';
import { canResume } from '../../../src/core/model/select';
import { EMPTY_STATE } from '../../../src/core/model/state';
import { Sessions } from '../../../src/session/sessions';
import type { PathSystem } from '../../../src/util/realPath';
import { RootCheck } from '../../../src/util/roots';
import { fakeDependencies, turn } from './fakes';

const REPLAYED: EventInput = { type: 'disconnected', failure: { code: 'session.replayed' } };
const OPENED: EventInput = { type: 'session_opened', agentName: 'Fake', cwd: '//evil/share', sessionId: 'S' };
const INITIALIZED: EventInput = {
  type: 'agent_initialized',
  protocolVersion: 1,
  promptCapabilities: { image: true, audio: true, embeddedContext: true },
  authMethods: [{ methodId: 'key', name: 'Key', type: 'agent' }],
  offers: { ...NO_CAPABILITIES, load: true, resume: true, fork: true, additionalDirectories: true },
};

/** A log whose events may claim anything. */
function recorded(...events: readonly EventInput[]) {
  const fakes = fakeDependencies();
  const sessions = new Sessions(fakes.deps);
  const stamped = [OPENED, INITIALIZED, { type: 'session_ready', sessionId: 'S' } as const, ...events, REPLAYED].map(
    (event, index): SessionEvent => ({ ...event, at: index }) as SessionEvent,
  );
  return { ...fakes, sessions, session: sessions.addRecorded('Fake', stamped.reduce(reduce, EMPTY_STATE), stamped.length) };
}

describe('a recorded conversation', () => {
  it('is listed when it is complete, takes no prompt, starts nothing and leaves no journal', async () => {
    const { deps, agents, journals, clock } = fakeDependencies();
    const sessions = new Sessions(deps);
    let changes = 0;
    sessions.onChange(() => changes++);
    const events: SessionEvent[] = [
      { type: 'session_ready', at: 1, sessionId: 'S' },
      { type: 'disconnected', at: 2, failure: { code: 'session.replayed' } },
    ];
    const session = sessions.addRecorded('Agent', events.reduce(reduce, EMPTY_STATE), events.length);
    assert.deepEqual([sessions.all, changes], [[session], 1]);
    assert.deepEqual([session.store.state.sessionId, session.store.seq], ['S', 2]);
    assert.equal(session.isRecorded, true);
    assert.equal(session.prompt([{ type: 'text', text: 'go' }])?.code, 'session.not_ready');
    session.open();
    clock.pass(1000);
    await sessions.flush();
    await turn();
    assert.equal(agents.length, 0);
    assert.equal(journals.size, 0);
    sessions.forget(session.key);
    assert.deepEqual(sessions.all, []);
    sessions.dispose();
    sessions.addRecorded('Late', EMPTY_STATE, 0);
    assert.deepEqual(sessions.all, [], 'the window is closing');
    assert.equal(journals.size, 0);
  });

  for (const [name, events] of Object.entries<readonly EventInput[]>({
    'that the user ended': [{ type: 'session_ended' }],
    'that the user ended twice': [REPLAYED, { type: 'session_ended' }, { type: 'session_ended' }],
    'of a crash': [{ type: 'disconnected', failure: { code: 'agent.exited' } }],
    'of an earlier window': [{ type: 'disconnected', failure: { code: 'session.interrupted' } }],
  })) {
    it(`is the end of a log, also ${name}`, () => {
      const { session } = recorded(...events);
      const { state } = session.store;
      assert.deepEqual([session.isRecorded, state.status, state.failure?.code], [true, 'disconnected', 'session.replayed']);
      assert.equal(canResume(state), false);
    });
  }

  it('reads no disk and uses no folder, whatever the log names', async () => {
    const { session } = recorded();
    assert.deepEqual([session.roots.cwd, session.roots.additionalDirectories], ['', []]);
    assert.equal(session.store.state.cwd, '//evil/share', 'the text is there to be read');
    const touched: string[] = [];
    const read = async (at: string): Promise<never> => {
      touched.push(at);
      throw new Error('not read');
    };
    const check = new RootCheck(session.roots, { path: path.posix, realpath: read, linkOf: read, inodeOf: read } satisfies PathSystem);
    await assert.rejects(check.resolve('/etc/passwd'), ({ failure }: { failure: Failure }) => failure.code === 'fs.outside_roots');
    assert.equal(await check.contains('/net/evil/share/a'), false);
    assert.equal(await check.leadsAway('/net/evil/share/a'), true);
    assert.deepEqual(touched, []);
  });

  it('ignores every button, message and answer', async () => {
    const { session, agents, clock } = recorded();
    const { state } = session.store;
    VIEW_ACTIONS.forEach((action) => assert.equal(session.act(action), false, action));
    session.open();
    session.resume();
    session.restartAgent(true);
    session.resumeQueue();
    assert.notEqual(session.submit([{ type: 'text', text: 'go' }]), undefined);
    assert.notEqual(session.changeFolders(['/x']), undefined);
    await session.end();
    clock.pass(60_000);
    await turn();
    assert.equal(agents.length, 0);
    assert.equal(session.store.state, state);
  });

  it('passes no queued message of the log to another session', () => {
    const content = [{ type: 'text' as const, text: 'rm -rf ~' }];
    const { session } = recorded({ type: 'message_queued', queueId: 'q', content, size: 8 });
    assert.deepEqual(session.store.state.queue, []);
  });

  it('is not mistaken for the agent’s session whose id it claims', () => {
    const { sessions, session } = recorded();
    assert.equal(session.store.state.sessionId, 'S');
    assert.equal(sessions.find('Fake', 'S'), undefined);
  });
});
