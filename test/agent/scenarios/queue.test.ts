/**
 * Messages that the user sends before the agent is ready, and while it works. The events of each scenario are in
 * test/golden/scenarios/queue/.
 */
import assert from 'node:assert/strict';
import type { Stage } from '../../support/scenario/stage';
import { setup as signInSetup } from './signInSetup';
import { scenarios } from './suite';

/** Answers after a while. */
const ANSWER = [{ sleep: 100 }, { say: 'Yes.' }];
const SLOW = { beforeNew: [{ sleep: 700 }], script: ANSWER };
/** Works until it is stopped. */
const BUSY = '@script [{"say":"Working"},{"waitCancel":true}]';
const KEEPER = {
  keeps: true,
  script: ANSWER,
  initialize: { agentCapabilities: { sessionCapabilities: { resume: {}, close: {} } } },
};

/** The agent's prompts, in order. */
function sent(stage: Stage, wanted = 'session/prompt'): string[] {
  return stage.frames.flatMap(({ kind, text }) => {
    if (kind !== 'c2a') {
      return [];
    }
    const { method, params } = JSON.parse(text) as { method?: string; params?: { prompt: { text: string }[] } };
    return method === wanted ? [params!.prompt.map((block) => block.text.replace(/^@script .*/s, '@script …')).join(' ')] : [];
  });
}

const steered = (stage: Stage): string[] => sent(stage, '_session/steering');

const idOf = (stage: Stage, words: string): string =>
  stage.session.store.state.queue.find(({ content: [first] }) => first?.type === 'text' && first.text === words)?.queueId ??
  assert.fail(`${words} is not queued`);

/** Waits until this many prompts were sent and answered. */
async function answered(stage: Stage, count: number): Promise<void> {
  await stage.when(`${count} answers`, () => {
    const { status, turn } = stage.session.store.state;
    return sent(stage).length === count && status === 'ready' && !turn;
  });
}

scenarios('queue', (scenario) => {
  scenario('before-the-agent-is-ready', { setup: SLOW }, async (stage) => {
    await stage.seen('agent_initialized');
    stage.say('typed early');
    stage.say('and this');
    assert.equal(stage.session.store.state.status, 'starting');
    await answered(stage, 2);
    assert.deepEqual(sent(stage), ['typed early', 'and this']);
  });

  scenario('three-in-order-and-a-fourth-never', { setup: { script: ANSWER } }, async (stage) => {
    await stage.ready();
    ['first', 'one', 'two', 'never', 'three'].forEach((words) => stage.say(words));
    assert.equal(stage.session.queue.remove(idOf(stage, 'never')), undefined);
    await answered(stage, 4);
    assert.deepEqual(sent(stage), ['first', 'one', 'two', 'three']);
  });

  scenario('changed-and-moved', { setup: { script: ANSWER } }, async (stage) => {
    await stage.ready();
    ['first', 'one', 'two'].forEach((words) => stage.say(words));
    const one = idOf(stage, 'one');
    stage.session.queue.edit(one);
    stage.session.queue.move(idOf(stage, 'two'), 0);
    await stage.seen('turn_ended');
    await answered(stage, 2);
    stage.note('the agent is done, and what is changed is not sent');
    assert.deepEqual(sent(stage), ['first', 'two']);
    stage.session.queue.save(one, 'uno', []);
    await answered(stage, 3);
    assert.deepEqual(sent(stage), ['first', 'two', 'uno']);
  });

  scenario('after-stop', { setup: { script: ANSWER } }, async (stage) => {
    await stage.ready();
    stage.say(BUSY);
    await stage.seen('message_chunk');
    stage.say('waits');
    stage.cancel();
    stage.say('said while it stops');
    await answered(stage, 2);
    stage.note('> resume queue');
    stage.session.resumeQueue();
    await answered(stage, 3);
    assert.deepEqual(sent(stage), ['@script …', 'said while it stops', 'waits']);
  });

  scenario('after-a-failure', { setup: { script: ANSWER } }, async (stage) => {
    await stage.ready();
    stage.say('@script [{"sleep":50},{"error":{"code":-32603,"message":"no credit"}}]');
    stage.say('waits');
    await stage.seen('turn_ended');
    stage.note('> resume queue');
    stage.session.resumeQueue();
    await answered(stage, 2);
    assert.deepEqual(sent(stage), ['@script …', 'waits']);
  });

  scenario('after-the-agent-has-gone', { setup: KEEPER }, async (stage) => {
    await stage.ready();
    stage.say('@script [{"sleep":50},{"exit":3}]');
    stage.say('waits');
    await stage.seen('disconnected');
    assert.deepEqual(sent(stage), ['@script …']);
    stage.note('> resume queue');
    stage.session.resumeQueue();
    await answered(stage, 2);
    assert.deepEqual(sent(stage), ['@script …', 'waits']);
  });

  scenario('until-the-user-signs-in', { setup: signInSetup({ needed: ['session/new'] }, { script: ANSWER }) }, async (stage) => {
    stage.say('early');
    await stage.signInStands('required');
    stage.say('and more');
    stage.signIn('browser');
    await answered(stage, 2);
    assert.deepEqual(sent(stage), ['early', 'and more']);
  });

  scenario('when-the-user-does-not-sign-in', { setup: signInSetup({ needed: ['session/new'] }, { script: ANSWER }) }, async (stage) => {
    stage.say('early');
    await stage.signInStands('required');
    stage.signIn();
    await stage.seen('session_failed');
    assert.deepEqual(sent(stage), []);
  });

  const STEERABLE = { script: ANSWER, initialize: { _meta: { steering: { supported: true } } } };
  /** Works, and continues with the message that is steered into its turn. */
  const LISTENS = '@script [{"say":"Working"},{"waitSteer":true},{"say":" Done."}]';

  scenario('into-the-running-turn', { setup: STEERABLE }, async (stage) => {
    await stage.ready();
    stage.say(LISTENS);
    await stage.seen('message_chunk');
    stage.say('waits');
    stage.say('mind the tests', 'steer');
    await answered(stage, 2);
    assert.deepEqual(sent(stage), ['@script …', 'waits']);
    assert.deepEqual(steered(stage), ['mind the tests']);
  });

  const outcomes: readonly (readonly [string, unknown])[] = [
    ['not-taken', { outcome: 'failed' }],
    ['too-late', { outcome: 'promptRequired', reason: 'noRunningTurn' }],
    ['in-a-turn-of-its-own', { outcome: 'startedNewTurn' }],
    ['refused', { error: { code: -32602, message: 'no images here' } }],
    ['with-an-odd-answer', { outcome: 'perhaps' }],
  ];
  for (const [name, answer] of outcomes) {
    scenario(`into-the-running-turn-${name}`, { setup: { ...STEERABLE, steering: [answer] } }, async (stage) => {
      await stage.ready();
      stage.say('@script [{"say":"Working"},{"sleep":300}]');
      await stage.seen('message_chunk');
      stage.say('now', 'steer');
      await stage.seen('notice');
      await stage.when('the agent to be done', () => {
        const { turn, queue } = stage.session.store.state;
        return !turn && queue.every(({ paused }) => paused);
      });
      assert.deepEqual(steered(stage), ['now']);
    });
  }

  scenario('instead-of-the-running-turn', { setup: { script: ANSWER } }, async (stage) => {
    await stage.ready();
    stage.say('@script [{"tool":{"toolCallId":"t","title":"Build","status":"in_progress"}},{"waitCancel":true}]');
    await stage.seen('tool_call_update');
    stage.say('waits');
    stage.say('never mind', 'interrupt');
    await answered(stage, 3);
    assert.deepEqual(sent(stage), ['@script …', 'never mind', 'waits']);
  });

  scenario('over-a-reload', { setup: KEEPER }, async (stage) => {
    await stage.ready();
    stage.say(BUSY);
    await stage.seen('message_chunk');
    ['one', 'two', 'never', 'three'].forEach((words) => stage.say(words));
    stage.session.queue.remove(idOf(stage, 'never'));
    await stage.reload();
    assert.deepEqual(sent(stage), ['@script …']);
    stage.note('> resume queue');
    stage.session.resumeQueue();
    await answered(stage, 4);
    assert.deepEqual(sent(stage), ['@script …', 'one', 'two', 'three']);
  });
});
