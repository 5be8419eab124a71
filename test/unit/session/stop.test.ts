/** Stop with agents that do not end the turn: a restart is offered, changes nothing before it, and lets queued messages continue. */
import assert from 'node:assert/strict';
import { isUnresponsive } from '../../../src/core/model/select';
import { restartAgent } from '../../../src/session/restartAgent';
import { STOP_MS } from '../../../src/session/lifecycle/turns';
import { Sessions } from '../../../src/session/sessions';
import { agentSays, back, lines, setup, text } from './earlierScene';
import { fakeDependencies, launch, turn } from './fakes';
import { done, idOf, queue, ready, say, sent } from './messageQueueScene';

function stopped(): ReturnType<typeof ready> {
  const scene = ready();
  say(scene.session, 'mute');
  scene.session.cancel();
  return scene;
}
/** The newest process reopens session S. */
const reopen = ({ agents }: ReturnType<typeof ready>) => {
  const next = agents.at(-1)!;
  next.offer('resume');
  next.ready(next.dialect);
  next.again[0]!(back('S'));
  return next;
};
const cancels = ({ agent }: ReturnType<typeof ready>): number => agent.sent.filter(([what]) => what === 'cancel').length;
const offered = ({ session }: ReturnType<typeof ready>): boolean => isUnresponsive(session.store.state);

describe('Stop with an agent that does not end its turn', () => {
  it('offers to restart the agent after a while, even while the agent sends updates', () => {
    const scene = stopped();
    scene.clock.pass(STOP_MS - 1);
    scene.agent.client.onUpdate('S', [agentSays('a', 'tick')]);
    assert.equal(offered(scene), false);
    scene.clock.pass(1);
    assert.deepEqual([offered(scene), scene.session.store.state.turn?.cancelling], [true, true]);
    scene.sessions.dispose();
  });

  it('offers the restart at once when Stop is pressed again, and sends one cancellation', () => {
    const scene = stopped();
    scene.session.cancel();
    scene.session.cancel();
    assert.deepEqual([offered(scene), cancels(scene)], [true, 1]);
    scene.sessions.dispose();
  });

  it('offers no restart when the turn has ended in time, or in the turn after it', () => {
    const scene = stopped();
    scene.agent.prompts[0]!(done('cancelled'));
    say(scene.session, 'next');
    scene.session.cancel();
    scene.clock.pass(STOP_MS - 1);
    assert.equal(offered(scene), false);
    scene.agent.prompts[1]!(done('cancelled'));
    scene.clock.pass(STOP_MS);
    assert.equal(offered(scene), false);
    scene.sessions.dispose();
  });

  it('offers no restart when the user ends the session', async () => {
    const scene = stopped();
    const end = scene.session.end();
    assert.equal(offered(scene), false);
    scene.clock.pass(STOP_MS);
    await end;
    scene.sessions.dispose();
  });

  it('ends the turn as stopped with the restart, and drops later messages of the old process', () => {
    const scene = stopped();
    restartAgent(scene.sessions, 'Fake');
    reopen(scene);
    scene.agent.client.onUpdate('S', [agentSays('a', 'late')]);
    scene.agent.prompts[0]!(done());
    assert.deepEqual(lines(scene.session), ['user: mute', 'turn cancelled']);
    assert.deepEqual([scene.session.store.state.status, scene.agent.disposed], ['ready', 1]);
    scene.sessions.dispose();
  });

  it('sends the interrupting message after the restart, and leaves the others to the user', () => {
    const scene = ready();
    say(scene.session, 'mute', 'later', 'now');
    scene.session.cancel();
    scene.session.queue.sendNow(idOf(scene.session, 'now'), 'interrupt');
    assert.deepEqual([offered(scene), queue(scene.session)], [true, ['now', '(later)']]);
    restartAgent(scene.sessions, 'Fake');
    const next = reopen(scene);
    assert.deepEqual([sent(next), queue(scene.session)], [['now'], ['(later)']]);
    scene.sessions.dispose();
  });

  it('sends all queued messages after an interrupted turn and a restart, one after the other', () => {
    const scene = ready();
    say(scene.session, 'mute', 'later');
    assert.equal(scene.session.submit(text('now'), 'interrupt'), undefined);
    restartAgent(scene.sessions, 'Fake');
    const next = reopen(scene);
    next.prompts[0]!(done());
    assert.deepEqual(sent(next), ['now', 'later']);
    scene.sessions.dispose();
  });
});

describe('the time between Stop and the end of the turn', () => {
  const { signal } = new AbortController();
  const code = (promise: Promise<unknown>): Promise<string> =>
    promise.then(
      () => 'done',
      (error: { failure: { code: string } }) => error.failure.code,
    );

  it('allows no write and no command, with one notice', async () => {
    const scene = stopped();
    const { client } = scene.agent;
    assert.equal(await code(client.writeTextFile('S', { path: '/w/a', content: 'x' }, signal)), 'turn.stopped');
    assert.equal(await code(client.createTerminal('S', { command: 'rm', env: [] }, signal)), 'turn.stopped');
    assert.deepEqual(lines(scene.session), ['user: mute', 'notice turn.stopped']);
    assert.deepEqual(scene.roomLog, []);
    assert.equal(await client.readTextFile('S', { path: '/w/a' }, signal), 'text of /w/a');
    scene.sessions.dispose();
  });

  it('lasts after the agent has ended the turn, until the next message', async () => {
    for (const reason of ['cancelled', 'end_turn']) {
      const scene = stopped();
      const { client } = scene.agent;
      scene.agent.prompts[0]!(done(reason));
      scene.clock.pass(5000);
      client.onUpdate('S', [agentSays('late', 'still here')]);
      assert.equal(await code(client.writeTextFile('S', { path: '/w/a', content: 'x' }, signal)), 'turn.stopped');
      assert.equal(await code(client.createTerminal('S', { command: 'rm', env: [] }, signal)), 'turn.stopped');
      assert.deepEqual(scene.roomLog, []);
      assert.equal(lines(scene.session).filter((line) => line === 'notice turn.stopped').length, 1);
      scene.sessions.dispose();
    }
  });

  it('ends when the user allows a later request of the agent', async () => {
    for (const optionId of ['yes', 'no']) {
      const scene = stopped();
      const { client } = scene.agent;
      scene.agent.prompts[0]!(done('cancelled'));
      const options = [
        { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
        { optionId: 'no', name: 'No', kind: 'reject_once' },
      ] as const;
      const answer = client.requestPermission('S', { title: 'Go on?', options, subject: {} }, signal);
      await turn();
      scene.session.answerPermission(scene.session.store.state.pendingPermissions[0]!, optionId);
      assert.deepEqual(await answer, { optionId });
      const wrote = await code(client.writeTextFile('S', { path: '/w/a', content: 'x' }, signal));
      assert.equal(wrote === 'turn.stopped', optionId === 'no');
      scene.sessions.dispose();
    }
  });

  it('ends with the next turn', async () => {
    const scene = stopped();
    scene.agent.prompts[0]!(done('cancelled'));
    say(scene.session, 'next');
    assert.equal(await code(scene.agent.client.createTerminal('S', { command: 'ls', env: [] }, signal)), 'done');
    scene.sessions.dispose();
  });

  it('cancels a write and a command that have not begun', async () => {
    const fakes = fakeDependencies();
    const signals: AbortSignal[] = [];
    const hang = (given: AbortSignal): Promise<never> => {
      signals.push(given);
      return new Promise(() => undefined);
    };
    Object.assign(fakes.deps, {
      files: () => ({ write: (_: unknown, given: AbortSignal) => hang(given) }),
      terminals: () => ({ create: (_: unknown, given: AbortSignal) => hang(given), dispose: () => undefined }),
    });
    const sessions = new Sessions(fakes.deps);
    const session = sessions.create(launch(), setup);
    fakes.agents[0]!.open();
    say(session, 'go');
    const { client } = fakes.agents[0]!;
    void client.writeTextFile('S', { path: '/w/a', content: 'x' }, signal);
    void client.createTerminal('S', { command: 'ls', env: [] }, signal);
    await turn();
    assert.deepEqual(
      signals.map(({ aborted }) => aborted),
      [false, false],
    );
    session.cancel();
    assert.deepEqual(
      signals.map(({ aborted }) => aborted),
      [true, true],
    );
    sessions.dispose();
  });
});

describe('Stop of a subagent', () => {
  const { signal } = new AbortController();
  const code = (promise: Promise<unknown>): Promise<string> =>
    promise.then(
      () => 'done',
      (error: { failure: { code: string } }) => error.failure.code,
    );
  const work = (subagentId: string, state: string, parentId?: string) =>
    ({
      type: 'subagent_update',
      subagentId,
      ...(parentId !== undefined && { parentId }),
      patch: { work: { state }, canCancel: true },
    }) as const;

  function working(): ReturnType<typeof ready> & { attempt(subagentId?: string): Promise<string[]> } {
    const scene = ready();
    const { client } = scene.agent;
    say(scene.session, 'go');
    scene.clock.pass(1);
    client.onUpdate('S', [work('x', 'running'), work('y', 'running', 'x'), work('z', 'running')]);
    const attempt = async (subagentId?: string): Promise<string[]> => {
      const from = subagentId !== undefined && { subagentId };
      return [
        await code(client.writeTextFile('S', { path: '/w/a', content: 'x', ...from }, signal)),
        await code(client.createTerminal('S', { command: 'ls', env: [], ...from }, signal)),
      ];
    };
    return { ...scene, attempt };
  }
  const refused = ['turn.stopped', 'turn.stopped'];

  it('refuses the writes and commands of it and its descendants, with one notice, and no others', async () => {
    const { session, sessions, attempt } = working();
    const free = await attempt('z');
    assert.ok(!free.includes('turn.stopped'));
    session.stopSubagent('x');
    assert.deepEqual([await attempt('x'), await attempt('y')], [refused, refused]);
    assert.deepEqual([await attempt('z'), await attempt()], [free, free]);
    assert.equal(lines(session).filter((line) => line === 'notice turn.stopped').length, 2);
    sessions.dispose();
  });

  it('lasts after the agent has confirmed it, until the agent starts the subagent again', async () => {
    const { agent, session, sessions, attempt } = working();
    session.stopSubagent('x');
    agent.client.onUpdate('S', [{ type: 'subagent_update', subagentId: 'x', patch: { work: { state: 'idle', stopReason: 'cancelled' } } }]);
    assert.deepEqual(await attempt('x'), refused);
    agent.client.onUpdate('S', [work('x', 'running')]);
    assert.notDeepEqual(await attempt('x'), refused);
    sessions.dispose();
  });

  it('leaves a subagent that ran before the stopped turn, once the turn has ended', async () => {
    const { agent, clock, session, sessions, attempt } = working();
    agent.prompts[0]!(done());
    clock.pass(1);
    say(session, 'next');
    clock.pass(1);
    agent.client.onUpdate('S', [work('w', 'running')]);
    session.cancel();
    agent.prompts[1]!(done('cancelled'));
    assert.notDeepEqual(await attempt('z'), refused);
    assert.deepEqual([await attempt('w'), await attempt('unknown'), await attempt()], [refused, refused, refused]);
    sessions.dispose();
  });

  it('withdraws a write of it that has not begun', async () => {
    const fakes = fakeDependencies();
    const signals: AbortSignal[] = [];
    const write = (_: unknown, given: AbortSignal): Promise<never> => {
      signals.push(given);
      return new Promise(() => undefined);
    };
    Object.assign(fakes.deps, { files: () => ({ write }) });
    const sessions = new Sessions(fakes.deps);
    const session = sessions.create(launch(), setup);
    fakes.agents[0]!.open();
    say(session, 'go');
    const { client } = fakes.agents[0]!;
    client.onUpdate('S', [work('x', 'running'), work('z', 'running')]);
    void client.writeTextFile('S', { path: '/w/a', content: 'x', subagentId: 'x' }, signal);
    void client.writeTextFile('S', { path: '/w/a', content: 'x', subagentId: 'z' }, signal);
    await turn();
    session.stopSubagent('x');
    assert.deepEqual(
      signals.map(({ aborted }) => aborted),
      [true, false],
    );
    sessions.dispose();
  });
});
