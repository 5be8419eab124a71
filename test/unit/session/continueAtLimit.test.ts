import assert from 'node:assert/strict';
import type { Failure } from '../../../src/core/model/failure';
import { Sessions } from '../../../src/session/sessions';
import { waitForReset } from '../../../src/session/continuation';
import { waitsForConfig } from '../../../src/core/queue/rules';
import type { Session } from '../../../src/session/session';
import { back, next } from './earlierScene';
import { fakeDependencies, launch } from './fakes';
import { done, type Fakes, queue, ready, say, sent, starting } from './messageQueueScene';

const HOUR = 3_600_000;

/** A session whose first prompt has met a limit that resets in an hour. */
function atLimit(
  params: Failure['params'] = { cause: 'usage_limit', retryAfter: 3600 },
  more: object = {},
  scene = ready(),
): ReturnType<typeof ready> {
  Object.assign(scene.deps, more);
  say(scene.session, 'go', 'then');
  scene.agent.prompts[0]!({ ok: false, failure: { code: 'request.failed', params } });
  return scene;
}

/** A session whose agent cannot open it again. */
function forgetful(): ReturnType<typeof ready> {
  const scene = starting();
  scene.agent.open();
  return scene;
}

/** Lets the session wait for the reset. Resolves when the code for it is loaded. */
async function wait(session: Session): Promise<void> {
  waitForReset(session.store, turnId(session));
  await loaded();
}

const loaded = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));

const turnId = ({ store }: Session): string => {
  const last = store.state.entries.at(store.state.entries.length - 1)!;
  return last.kind === 'turn' && 'turnId' in last ? last.turnId : assert.fail(`no turn, but ${last.kind}`);
};

describe('a conversation at a limit', () => {
  it('continues by itself when the limit resets, first with the failed prompt and then with the queue', async () => {
    const stored: (readonly string[])[] = [];
    const waiting = { get: () => stored.at(-1), update: (_: string, keys: readonly string[]) => void stored.push(keys) };
    const { session, agent, clock } = atLimit(undefined, { waiting });
    assert.deepEqual(queue(session), ['(then)']);
    await wait(session);
    assert.deepEqual(stored, [[session.key]]);
    say(session, 'later');
    clock.pass(HOUR - 1);
    assert.deepEqual([sent(agent), queue(session)], [['go'], ['(then)', 'later']]);
    clock.pass(1);
    assert.deepEqual([sent(agent), session.store.state.continuation], [['go', 'go'], undefined]);
    assert.deepEqual(stored.at(-1), []);
    agent.prompts[1]!(done());
    agent.prompts[2]!(done());
    assert.deepEqual([sent(agent), queue(session)], [['go', 'go', 'then', 'later'], []]);
  });

  it('waits as long as the quota says when the error names no time', async () => {
    const { session, clock, agent } = atLimit({ cause: 'usage_limit' });
    const meters = [
      { id: 'five_hour', status: 'exceeded', resetsAt: clock.now() + HOUR },
      { id: 'seven_day', usedPercent: 12, resetsAt: clock.now() + 50 * HOUR },
    ];
    const overage = [{ id: 'overage', status: 'exceeded', resetsAt: clock.now() + 500 * HOUR }];
    const pools = [
      { id: 'plan', meters },
      { id: 'extra_usage', meters: overage },
    ];
    agent.client.onUpdate('S', [{ type: 'quota', pools }]);
    await wait(session);
    assert.equal(session.store.state.continuation?.at, clock.now() + HOUR);
  });

  it('cannot wait for an unknown time', async () => {
    const { session } = atLimit({ cause: 'usage_limit' });
    await wait(session);
    assert.equal(session.store.state.continuation, undefined);
  });

  it('no longer waits once the user gives up, retries, sends a queued message or ends the session', async () => {
    for (const act of [
      (session: Session) => session.queue.stopWaiting(),
      (session: Session) => void session.retryPrompt(turnId(session)),
      (session: Session) => void session.queue.sendNow(session.store.state.queue[0]!.queueId, 'interrupt'),
      (session: Session) => session.resumeQueue(),
      (session: Session) => void session.end(),
    ]) {
      const { session, agent, clock } = atLimit();
      await wait(session);
      act(session);
      const before = sent(agent);
      clock.pass(2 * HOUR);
      assert.deepEqual([session.store.state.continuation, sent(agent)], [undefined, before]);
    }
  });

  it('continues in a later window, in the same order', async () => {
    for (const late of [HOUR / 2, 3 * HOUR]) {
      const before = atLimit();
      await wait(before.session);
      const scene = await reload(before, late);
      const { session, clock, agents } = scene;
      if (late < HOUR) {
        assert.deepEqual([agents.length, queue(session)], [0, ['(then)']]);
        clock.pass(HOUR - late);
      } else {
        clock.pass(0);
      }
      const agent = next(scene, 'resume');
      agent.again[0]!(back('S'));
      agent.prompts[0]!(done());
      assert.deepEqual([sent(agent), queue(session)], [['go', 'then'], []]);
      agent.prompts[1]!(done());
      await scene.sessions.flush();
      assert.equal(scene.queues.size, 0);
    }
  });

  it('follows the clock when the computer has slept, and when the user sets it back', async () => {
    const slept = atLimit();
    await wait(slept.session);
    setClock(slept, 2 * HOUR);
    slept.clock.pass(60_000);
    assert.deepEqual(sent(slept.agent), ['go', 'go']);
    const early = atLimit();
    await wait(early.session);
    setClock(early, -HOUR);
    early.clock.pass(2 * HOUR - 60_000);
    assert.deepEqual(sent(early.agent), ['go']);
    early.clock.pass(60_000);
    assert.deepEqual(sent(early.agent), ['go', 'go']);
  });

  it('waits for an agent that starts at that time', async () => {
    const { session, agent, agents, clock } = atLimit();
    await wait(session);
    session.restartAgent(true);
    clock.pass(HOUR);
    assert.deepEqual([session.store.state.status, session.store.state.continuation !== undefined], ['starting', true]);
    agents[1]!.offer('resume');
    agents[1]!.ready(agents[1]!.dialect);
    agents[1]!.again[0]!(back('S'));
    assert.deepEqual([sent(agent), sent(agents[1]!)], [['go'], []]);
    clock.pass(60_000);
    agents[1]!.prompts[0]!(done());
    assert.deepEqual([sent(agents[1]!), queue(session)], [['go', 'then'], []]);
  });

  it('says why it does not continue when the agent is gone for good, and keeps the queue', async () => {
    const { session, agent, clock } = atLimit(undefined, {}, forgetful());
    await wait(session);
    agent.end({ code: 'agent.exited' });
    clock.pass(HOUR);
    const { entries, continuation } = session.store.state;
    const notices = [...entries].flatMap((entry) => (entry.kind === 'notice' && 'failure' in entry ? [entry.failure?.code] : []));
    assert.deepEqual([notices, queue(session), continuation], [['session.not_loaded'], ['(then)'], undefined]);
  });

  it('leaves the decision to the user when the agent does not confirm an option', async () => {
    const { session, agent, clock } = atLimit();
    await wait(session);
    session.setConfig('mode', 'plan');
    clock.pass(2 * HOUR);
    assert.deepEqual([sent(agent), queue(session), waitsForConfig(session.store.state)], [['go'], ['go', 'then'], true]);
    session.resumeQueue();
    assert.deepEqual(sent(agent), ['go', 'go']);
  });

  it('does not continue in the window that has lost the session', async () => {
    const { session, agent, clock, deps } = atLimit();
    await wait(session);
    deps.journals.isTaken = () => true;
    clock.pass(2 * HOUR);
    assert.deepEqual(sent(agent), ['go']);
  });
});

/** Changes the time of day, which running timers do not notice. */
function setClock({ clock }: Pick<Fakes, 'clock'>, ms: number): void {
  const now = clock.now.bind(clock);
  clock.now = () => now() + ms;
}

/** Closes the window, and opens the next one after `ms`. */
async function reload(before: Fakes & { readonly sessions: Sessions; readonly session: Session }, ms: number) {
  await before.sessions.flush();
  const after = fakeDependencies();
  after.clock.pass(before.clock.now() + ms - after.clock.now());
  for (const store of ['journals', 'queues'] as const) {
    before[store].forEach((kept, key) => after[store].set(key, kept));
  }
  const sessions = new Sessions(after.deps);
  const session = (await sessions.restore(before.session.key, launch))!;
  await loaded();
  return { ...after, sessions, session };
}
