import assert from 'node:assert/strict';
import { GRACE_MS, READY, type SupervisorOptions, WorkerSupervisor } from '../../../../webview/workers/supervisor';

const START_MS = 1000;
const REST_MS = 5000;

/** A supervisor of workers that the test controls. */
function setUp(options: Partial<SupervisorOptions> = {}) {
  const workers: { got: string[]; ended: boolean; hear(message: string): void; fail(): void; arrive(): void; refuse(): void }[] = [];
  const timers = new Set<{ ms: number; callback(): void }>();
  const log: string[] = [];
  const supervisor = new WorkerSupervisor<string, string>(
    {
      spawn: (hear, fail) =>
        new Promise((resolve, reject) => {
          const got: string[] = [];
          const worker = {
            got,
            ended: false,
            hear,
            fail,
            arrive: () => resolve({ postMessage: (message) => void got.push(message), terminate: () => void (worker.ended = true) }),
            refuse: () => reject(new Error('refused')),
          };
          workers.push(worker);
        }),
      after: (ms, callback) => {
        const timer = { ms, callback };
        timers.add(timer);
        return () => void timers.delete(timer);
      },
    },
    { startMs: START_MS, maxFailedStarts: 2, ...options },
    {
      onReady: () => void log.push('ready'),
      onReply: (reply) => void log.push(`reply ${reply}`),
      onFailure: () => void log.push('failure'),
    },
  );
  /** Lets the only timer run out. */
  const runOut = (ms: number) => {
    assert.deepEqual(
      [...timers].map((timer) => timer.ms),
      [ms],
    );
    const [timer] = timers;
    timers.clear();
    timer!.callback();
  };
  /** Starts a new worker, and waits until it is ready. */
  const started = async () => {
    supervisor.start();
    const worker = workers.at(-1)!;
    worker.arrive();
    await settle();
    worker.hear(READY);
    return worker;
  };
  return { supervisor, workers, timers, log, runOut, started };
}

const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('the supervisor of a worker', () => {
  it('starts one worker, which is ready when it has arrived and reported so, in either order', async () => {
    for (const order of ['arrive', 'say'] as const) {
      const { supervisor, workers, log, timers } = setUp();
      supervisor.start();
      supervisor.start();
      assert.equal(workers.length, 1);
      if (order === 'arrive') {
        workers[0]!.arrive();
      } else {
        workers[0]!.hear(READY);
      }
      await settle();
      assert.deepEqual([supervisor.isReady, log], [false, []]);
      if (order === 'arrive') {
        workers[0]!.hear(READY);
      } else {
        workers[0]!.arrive();
      }
      await settle();
      workers[0]!.hear(READY);
      assert.deepEqual([supervisor.isIdle, log, timers.size], [true, ['ready'], 0]);
    }
  });

  it('sends one request at a time, and accepts one answer', async () => {
    const { supervisor, log, timers, started } = setUp();
    const worker = await started();
    worker.hear('unasked');
    supervisor.ask('a', 100);
    assert.deepEqual([supervisor.isReady, supervisor.isIdle], [true, false]);
    assert.throws(() => supervisor.ask('b', 100));
    supervisor.post('by the way');
    worker.hear('A');
    worker.hear('again');
    assert.deepEqual(worker.got, ['a', 'by the way']);
    assert.deepEqual([log, timers.size, supervisor.isIdle], [['ready', 'reply A'], 0, true]);
  });

  it('sends nothing without a worker', async () => {
    const { supervisor, workers } = setUp();
    supervisor.post('a');
    assert.throws(() => supervisor.ask('b', 100));
    supervisor.start();
    workers[0]!.arrive();
    await settle();
    supervisor.post('too early');
    assert.deepEqual(workers[0]!.got, []);
  });

  it('ends a worker that does not answer in time, and ignores a late answer', async () => {
    const { supervisor, log, runOut, started } = setUp();
    const worker = await started();
    supervisor.ask('endless', 100);
    runOut(100);
    assert.equal(worker.ended, false, 'its answer may be on the way');
    runOut(GRACE_MS);
    worker.hear('late');
    worker.fail();
    assert.deepEqual([worker.ended, supervisor.isReady, log], [true, false, ['ready', 'failure']]);
    (await started()).hear('not asked this one');
    assert.deepEqual(log, ['ready', 'failure', 'ready']);
  });

  it('ends a worker that breaks', async () => {
    const { supervisor, log, timers, started } = setUp();
    const worker = await started();
    supervisor.ask('a', 100);
    worker.fail();
    assert.deepEqual([worker.ended, log, timers.size, supervisor.isAvailable], [true, ['ready', 'failure'], 0, true]);
  });

  it('gives up after several workers in a row that do not start', async () => {
    const { supervisor, workers, log, runOut, timers } = setUp();
    supervisor.start();
    runOut(START_MS);
    workers[0]!.arrive();
    await settle();
    assert.equal(workers[0]!.ended, true, 'what comes too late is ended');
    assert.equal(supervisor.isAvailable, true);
    supervisor.start();
    workers[1]!.refuse();
    await settle();
    assert.deepEqual([supervisor.isAvailable, log, timers.size], [false, ['failure', 'failure'], 0]);
    supervisor.start();
    assert.equal(workers.length, 2);
  });

  it('gives up when workers break before a request, but not when answers came in between', async () => {
    const { supervisor, started } = setUp();
    (await started()).fail();
    const worker = await started();
    supervisor.ask('a', 100);
    worker.hear('A');
    worker.fail();
    assert.equal(supervisor.isAvailable, true);
    (await started()).fail();
    assert.equal(supervisor.isAvailable, false);
  });

  it('does not give up because of requests that do not end', async () => {
    const { supervisor, runOut, started } = setUp({ maxFailedStarts: 1 });
    for (let round = 0; round < 5; round++) {
      await started();
      supervisor.ask('endless', 100);
      runOut(100);
      runOut(GRACE_MS);
    }
    assert.equal(supervisor.isAvailable, true);
  });

  it('frees the memory after a period of rest', async () => {
    const { supervisor, log, runOut, started, timers } = setUp({ restMs: REST_MS });
    const worker = await started();
    supervisor.ask('a', 100);
    worker.hear('A');
    runOut(REST_MS);
    assert.deepEqual([worker.ended, log, timers.size], [true, ['ready', 'reply A'], 0]);
  });

  it('ends the worker on request, even one that is still starting', async () => {
    const { supervisor, workers, log, timers, started } = setUp();
    const worker = await started();
    supervisor.ask('a', 100);
    supervisor.end();
    worker.hear('late');
    supervisor.start();
    supervisor.end();
    workers[1]!.arrive();
    await settle();
    assert.deepEqual([worker.ended, workers[1]!.ended, log, timers.size], [true, true, ['ready'], 0]);
  });
});
