import assert from 'node:assert/strict';
import type { Failure } from '../../../src/core/model/failure';
import { STEER_OUTCOMES, afterSteering, type SteerOutcome } from '../../../src/core/queue/steering';
import { lines, text } from './earlierScene';
import type { FakeAgent } from './fakes';
import { done, idOf, queue, ready, say, sent, wordsOf } from './messageQueueScene';
import type { ContentBlock } from '../../../src/core/model/content';

function working(): ReturnType<typeof ready> {
  const scene = ready();
  scene.agent.offerSteering();
  scene.session.store.append({ type: 'agent_initialized', ...initialized(scene.agent) });
  say(scene.session, 'go');
  return scene;
}

const initialized = ({ dialect: { protocolVersion, promptCapabilities, authMethods, sessionCapabilities } }: FakeAgent) => ({
  protocolVersion,
  promptCapabilities,
  authMethods,
  offers: sessionCapabilities,
});
const steered = ({ sent: all }: FakeAgent): string[] =>
  all.filter(([what]) => what === 'steer').map(([, , content]) => wordsOf(content as readonly ContentBlock[]));
const cancelled = ({ sent: all }: FakeAgent): number => all.filter(([what]) => what === 'cancel').length;
const answer = (agent: FakeAgent, value: SteerOutcome | Failure): void =>
  agent.steers.at(-1)!(typeof value === 'string' ? { ok: true, value } : { ok: false, failure: value });

describe('a message for the running turn', () => {
  const refused: Failure = { code: 'request.failed', params: { method: '_session/steering', code: -32602 }, detail: 'no images' };
  const unclear: Failure[] = [
    { code: 'request.timeout' },
    { code: 'connection.closed' },
    { code: 'protocol.bad_answer', params: { method: '_session/steering' } },
  ];
  /** The answer, the resulting queue of [now, later], the notice, and the agent's prompts after the turn. */
  const table: readonly (readonly [SteerOutcome | Failure, readonly string[], string | undefined, readonly string[]])[] = [
    ['injected', ['later'], undefined, ['go', 'later']],
    ['startedNewTurn', ['later'], 'queue.steered_new_turn', ['go', 'later']],
    ['promptRequired', ['now', 'later'], 'queue.steered_late', ['go', 'now', 'later']],
    ['failed', ['later', 'now'], 'queue.not_steered', ['go', 'later', 'now']],
    [refused, ['later', 'now'], 'queue.not_steered', ['go', 'later', 'now']],
    ...unclear.map((failure) => [failure, ['(later)', '(now)'], 'queue.steering_unclear', ['go']] as const),
  ];

  it('has a row for every outcome', () => {
    assert.deepEqual(
      STEER_OUTCOMES.filter((outcome) => !table.some(([each]) => each === outcome)),
      [],
    );
  });

  for (const [outcome, left, said, prompts] of table) {
    it(`is handled when the answer is ${typeof outcome === 'string' ? outcome : outcome.code}`, () => {
      const { session, agent } = working();
      say(session, 'later');
      assert.equal(session.submit(text('now'), 'steer'), undefined);
      assert.deepEqual([steered(agent), queue(session)], [['now'], ['later', 'now>']]);
      answer(agent, outcome);
      assert.deepEqual(queue(session), left);
      const isInTurn = left.length === 1;
      assert.equal(lines(session).filter((line) => line === 'user: now').length, isInTurn ? 1 : 0);
      const notices = [...session.store.state.entries].flatMap((entry) =>
        'failure' in entry && entry.failure ? [entry.failure.code] : [],
      );
      assert.deepEqual(notices, said === undefined ? [] : [said]);
      for (let index = 0; index < agent.prompts.length; index++) {
        agent.prompts[index]!(done());
      }
      assert.deepEqual(sent(agent), prompts);
      assert.equal(cancelled(agent), 0);
    });
  }

  it("keeps the agent's reason", () => {
    assert.equal(afterSteering(refused).failure?.detail, 'no images');
  });

  it('is not sent a second time while its answer is pending, also when the turn ends', () => {
    const { session, agent } = working();
    session.submit(text('now'), 'steer');
    const queueId = idOf(session, 'now');
    agent.prompts[0]!(done());
    assert.deepEqual([sent(agent), queue(session)], [['go'], ['now>']]);
    say(session, 'after');
    assert.deepEqual(sent(agent), ['go'], 'what comes now goes behind it');
    assert.deepEqual(
      [
        session.queue.remove(queueId),
        session.queue.edit(queueId),
        session.queue.save(queueId, 'other', []),
        session.queue.move(queueId, 1),
        session.queue.sendNow(queueId, 'steer'),
        session.queue.sendNow(queueId, 'interrupt'),
      ].map((failure) => failure?.code),
      Array(6).fill('queue.already_sent'),
    );
    answer(agent, 'promptRequired');
    assert.deepEqual([sent(agent), steered(agent)], [['go', 'now'], ['now']]);
    agent.prompts[1]!(done());
    assert.deepEqual(sent(agent), ['go', 'now', 'after']);
  });

  it('is sent as edited, and not at all when it was removed or is being edited', () => {
    const { session, agent } = working();
    say(session, 'one', 'two', 'three');
    const [one, two, three] = ['one', 'two', 'three'].map((words) => idOf(session, words)) as [string, string, string];
    session.queue.edit(one);
    session.queue.save(one, 'uno', []);
    session.queue.sendNow(one, 'steer');
    session.queue.remove(two);
    assert.equal(session.queue.sendNow(two, 'steer'), undefined, 'nothing to speak of');
    session.queue.edit(three);
    session.queue.sendNow(three, 'steer');
    session.queue.sendNow(three, 'interrupt');
    assert.deepEqual([steered(agent), queue(session), cancelled(agent)], [['uno'], ['uno>', 'three*'], 0]);
  });

  it('waits for the user when the agent exits before it has answered', () => {
    const { session, agent } = working();
    session.submit(text('now'), 'steer');
    agent.end({ code: 'agent.exited' });
    assert.deepEqual(queue(session), ['(now)']);
    answer(agent, 'injected');
    assert.deepEqual(queue(session), ['(now)'], 'what a process says that is gone counts for nothing');
  });

  it('stays with the turn that is stopped meanwhile', () => {
    const { session, agent } = working();
    session.submit(text('now'), 'steer');
    session.cancel();
    assert.deepEqual(queue(session), ['(now>)']);
    answer(agent, 'promptRequired');
    agent.prompts[0]!(done('cancelled'));
    assert.deepEqual([sent(agent), queue(session)], [['go'], ['(now)']]);
  });

  it('is only queued when the agent does not support steering, or does not accept its attachments', () => {
    const plain = ready();
    say(plain.session, 'go');
    plain.session.submit(text('now'), 'steer');
    assert.deepEqual([queue(plain.session), steered(plain.agent), cancelled(plain.agent)], [['now'], [], 0]);
    const { session, agent } = working();
    const image = { type: 'image', data: 'aGk=', mimeType: 'image/png' } as const;
    assert.equal(session.submit([...text('look'), image], 'steer')?.code, 'turn.not_taken');
    assert.deepEqual([queue(session), steered(agent)], [[], []]);
  });

  it('starts a turn when none is running', () => {
    const { session, agent } = ready();
    session.submit(text('hello'), 'steer');
    agent.prompts[0]!(done());
    session.submit(text('again'), 'interrupt');
    assert.deepEqual([sent(agent), cancelled(agent)], [['hello', 'again'], 0]);
  });
});

describe('a message that interrupts the running turn', () => {
  it('stops it and is sent next, and queued messages stay queued', () => {
    const { session, agent } = working();
    say(session, 'one', 'two');
    assert.equal(session.submit(text('now'), 'interrupt'), undefined);
    assert.deepEqual([sent(agent), queue(session), cancelled(agent)], [['go'], ['now', 'one', 'two'], 1]);
    assert.equal(session.store.state.turn?.cancelling, true);
    agent.prompts[0]!(done('cancelled'));
    assert.deepEqual(
      [sent(agent), queue(session)],
      [
        ['go', 'now'],
        ['one', 'two'],
      ],
    );
    agent.prompts[1]!(done());
    agent.prompts[2]!(done());
    assert.deepEqual(sent(agent), ['go', 'now', 'one', 'two']);
  });

  it('is sent even if the turn was stopped before, and does not resume messages that wait for the user', () => {
    const { session, agent } = working();
    say(session, 'one', 'two');
    session.cancel();
    session.queue.sendNow(idOf(session, 'two'), 'interrupt');
    assert.deepEqual([queue(session), cancelled(agent)], [['two', '(one)'], 1]);
    agent.prompts[0]!(done('cancelled'));
    agent.prompts[1]!(done());
    assert.deepEqual([sent(agent), queue(session)], [['go', 'two'], ['(one)']]);
  });

  it('is sent at once when it waited for the user and no turn is running', () => {
    const { session, agent } = working();
    say(session, 'one', 'two');
    session.cancel();
    agent.prompts[0]!(done('cancelled'));
    session.queue.sendNow(idOf(session, 'two'), 'interrupt');
    assert.deepEqual([sent(agent), queue(session), cancelled(agent)], [['go', 'two'], ['(one)'], 1]);
  });

  it('waits when the turn fails while it is being stopped', () => {
    const { session, agent } = working();
    session.submit(text('now'), 'interrupt');
    agent.prompts[0]!({ ok: false, failure: { code: 'request.failed', detail: 'no credit' } });
    assert.deepEqual([sent(agent), queue(session)], [['go'], ['(now)']]);
  });
});
