/** Updates after a turn: the tail of its answer, or work that can be stopped and that ends after a while. */
import assert from 'node:assert/strict';
import type { EventInput } from '../../../../src/core/model/event';
import { isBusy, isUnresponsive } from '../../../../src/core/model/select';
import { STOP_MS } from '../../../../src/session/lifecycle/turns';
import { QUIET_MS, TAIL_MS } from '../../../../src/session/client/workBetweenTurns';
import { toolCall } from '../../../support/events';
import { agentSays, lines, text } from '../earlierScene';
import { done, ready, say, sent } from '../messageQueueScene';

type Rested = ReturnType<typeof ready> & { hear(...events: EventInput[]): void };

/** A session whose turn has just ended. */
function rested(stopReason = 'end_turn'): Rested {
  const scene = ready();
  const hear = (...events: EventInput[]): void => scene.agent.client.onUpdate('S', events);
  say(scene.session, 'go');
  hear(agentSays('m', 'Started.'));
  scene.agent.prompts[0]!(done(stopReason));
  return { ...scene, hear };
}
const works = ({ session }: Rested): boolean => isBusy(session.store.state);
const build = (status?: string): EventInput => toolCall('build', { title: 'build', ...(status !== undefined && { status }) });

describe('updates after the end of a turn', () => {
  it('belong to the answer within a second', () => {
    const scene = rested();
    scene.clock.pass(TAIL_MS - 1);
    scene.hear(agentSays('m', ' Really.'));
    assert.deepEqual([lines(scene.session).at(-2), works(scene)], ['agent: Started. Really.', false]);
    scene.sessions.dispose();
  });

  it('are work with a separate message later, until none arrives for a while', () => {
    const scene = rested();
    scene.clock.pass(12_000);
    scene.hear(agentSays('m', 'The build '));
    scene.clock.pass(QUIET_MS - 1);
    scene.hear(agentSays('m', 'failed.'));
    scene.clock.pass(QUIET_MS - 1);
    assert.equal(works(scene), true);
    scene.clock.pass(1);
    assert.deepEqual([works(scene), scene.session.store.state.workEndedAt], [false, scene.clock.now()]);
    assert.deepEqual(lines(scene.session), ['user: go', 'agent: Started.', 'turn end_turn', 'agent: The build failed.', 'turn end_turn']);
    scene.sessions.dispose();
  });

  it('are work while a tool call runs', () => {
    const scene = rested();
    scene.clock.pass(3000);
    scene.hear(build('in_progress'));
    scene.clock.pass(10 * QUIET_MS);
    assert.equal(works(scene), true);
    scene.hear(build('completed'));
    scene.clock.pass(QUIET_MS);
    assert.equal(works(scene), false);
    scene.sessions.dispose();
  });

  it('count a call reported right after the turn as work when it still runs a moment later', () => {
    const scene = rested();
    scene.hear(build('in_progress'));
    scene.hear(build('completed'));
    scene.clock.pass(TAIL_MS);
    assert.equal(works(scene), false);
    const other = rested();
    other.hear(build('in_progress'));
    assert.equal(works(other), false);
    other.clock.pass(TAIL_MS);
    assert.equal(works(other), true);
    [scene, other].forEach(({ sessions }) => sessions.dispose());
  });

  it('do not count as work when they end a call in the background', () => {
    const scene = ready();
    say(scene.session, 'go');
    scene.agent.client.onUpdate('S', [build('in_progress')]);
    scene.agent.prompts[0]!(done());
    scene.clock.pass(9000);
    assert.equal(lines(scene.session)[1], 'tool build background');
    scene.agent.client.onUpdate('S', [build('completed')]);
    assert.deepEqual([lines(scene.session)[1], isBusy(scene.session.store.state)], ['tool build completed', false]);
    scene.sessions.dispose();
  });

  it('do not count as work when they are usage, commands or a title', () => {
    const scene = rested();
    scene.clock.pass(3000);
    scene.hear({ type: 'available_commands', commands: [] }, { type: 'session_info', title: 'T' });
    scene.hear({ type: 'usage', usage: { used: 1, size: 2 } });
    assert.equal(works(scene), false);
    scene.sessions.dispose();
  });

  it('do not count as work right after the session was opened, because they are a greeting', () => {
    const scene = ready();
    scene.agent.client.onUpdate('S', [agentSays('m', 'Hello.')]);
    assert.equal(isBusy(scene.session.store.state), false);
    scene.sessions.dispose();
  });

  it('belong to a stopped turn: its text continues there, its calls do not', () => {
    const scene = ready();
    say(scene.session, 'go');
    scene.agent.client.onUpdate('S', [agentSays('m', 'Started.'), build('in_progress')]);
    scene.session.cancel();
    scene.agent.prompts[0]!(done('cancelled'));
    scene.clock.pass(3000);
    scene.agent.client.onUpdate('S', [build('in_progress')]);
    assert.equal(isBusy(scene.session.store.state), false);
    scene.agent.client.onUpdate('S', [agentSays('m', ' More.')]);
    assert.deepEqual(lines(scene.session), ['user: go', 'agent: Started. More.', 'tool build cancelled', 'turn cancelled']);
    assert.equal(isBusy(scene.session.store.state), true);
    scene.sessions.dispose();
  });
});

describe('work between turns', () => {
  const working = (): Rested => {
    const scene = rested();
    scene.clock.pass(3000);
    scene.hear(build('in_progress'), agentSays('m', 'chunk0'));
    return scene;
  };

  it('is stopped by session/cancel, and offers a restart when it continues', () => {
    const scene = working();
    scene.session.cancel();
    assert.deepEqual(scene.agent.sent.at(-1), ['cancel', 'S']);
    assert.deepEqual([scene.session.store.state.work?.cancelling, lines(scene.session).includes('tool build cancelled')], [true, true]);
    for (let second = 0; second < STOP_MS / 1000; second++) {
      assert.equal(isUnresponsive(scene.session.store.state), false);
      scene.hear(build('in_progress'), agentSays('m', 'more'));
      scene.clock.pass(1000);
    }
    assert.equal(isUnresponsive(scene.session.store.state), true);
    scene.sessions.dispose();
  });

  it('ends a while after Stop, and does not count as unseen', () => {
    const scene = working();
    scene.session.cancel();
    scene.clock.pass(QUIET_MS);
    assert.deepEqual([works(scene), scene.session.store.state.workEndedAt], [false, undefined]);
    scene.sessions.dispose();
  });

  it('writes nothing and starts no command after Stop', async () => {
    const scene = working();
    scene.session.cancel();
    const write = scene.agent.client.writeTextFile('S', { path: '/w/a', content: 'x' }, new AbortController().signal);
    await assert.rejects(write, /stopped/);
    assert.deepEqual(scene.roomLog, []);
    scene.sessions.dispose();
  });

  it('leaves the session ready for a prompt, to whose turn it then belongs', () => {
    const scene = working();
    say(scene.session, 'next');
    assert.deepEqual(sent(scene.agent), ['go', 'next']);
    scene.clock.pass(QUIET_MS);
    const { turn, work } = scene.session.store.state;
    assert.deepEqual([turn?.cancelling, work], [false, undefined]);
    scene.agent.prompts[1]!(done());
    assert.equal(works(scene), false);
    scene.sessions.dispose();
  });

  it('continues while the user is asked a question', () => {
    const scene = working();
    scene.hear(build('completed'));
    void scene.agent.client.requestPermission(
      'S',
      { title: 'Push?', options: [{ optionId: 'a', name: 'Allow', kind: 'allow_once' }], subject: {} },
      new AbortController().signal,
    );
    scene.clock.pass(10 * QUIET_MS);
    assert.equal(works(scene), true);
    scene.session.answerPermission([...scene.session.store.state.pendingPermissions][0]!, 'a');
    scene.clock.pass(QUIET_MS);
    assert.equal(works(scene), false);
    scene.sessions.dispose();
  });

  it('ends without an event when the agent exits', () => {
    const scene = working();
    scene.agent.end({ code: 'agent.exited' });
    scene.clock.pass(QUIET_MS);
    assert.deepEqual([works(scene), scene.clock.pending], [false, 0]);
    assert.equal(scene.session.prompt(text('x'))?.code, 'session.not_ready');
    scene.sessions.dispose();
  });
});

describe('a turn that the agent reports as its own', () => {
  const own = (status: string): EventInput => ({ type: 'background_task', taskId: 'own', patch: { taskKind: 'turn', status } });

  it('begins and ends with the report, whatever the pauses', () => {
    const scene = rested();
    scene.hear(own('running'));
    assert.equal(works(scene), true);
    scene.hear(agentSays('m', 'The build passed.'));
    scene.clock.pass(10 * QUIET_MS);
    assert.equal(works(scene), true);
    scene.hear(own('completed'));
    assert.equal(works(scene), false);
    assert.deepEqual(lines(scene.session), ['user: go', 'agent: Started.', 'turn end_turn', 'agent: The build passed.', 'turn end_turn']);
    scene.clock.pass(QUIET_MS);
    assert.equal(scene.clock.pending, 0);
    scene.sessions.dispose();
  });

  it('lets messages wait in the queue', () => {
    const scene = rested();
    scene.hear(own('running'));
    say(scene.session, 'next');
    assert.deepEqual(sent(scene.agent), ['go']);
    scene.hear(own('completed'));
    assert.deepEqual(sent(scene.agent), ['go', 'next']);
    scene.sessions.dispose();
  });

  it('begins after a turn of the user that it outlives', () => {
    const scene = ready();
    say(scene.session, 'go');
    scene.agent.client.onUpdate('S', [own('running')]);
    scene.agent.prompts[0]!(done());
    scene.agent.client.onUpdate('S', [agentSays('n', 'Still.')]);
    assert.equal(scene.session.store.state.work !== undefined, true);
    scene.sessions.dispose();
  });

  it('is stopped like a turn, and messages then wait for the user', () => {
    const scene = rested();
    scene.hear(own('running'));
    say(scene.session, 'next');
    scene.session.cancel();
    assert.deepEqual(scene.agent.sent.at(-1), ['cancel', 'S']);
    scene.hear(own('stopped'));
    assert.deepEqual([works(scene), sent(scene.agent)], [false, ['go']]);
    scene.sessions.dispose();
  });
});
