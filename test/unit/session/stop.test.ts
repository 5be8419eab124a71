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
