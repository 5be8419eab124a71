import assert from 'node:assert/strict';
import type { MathResult, ToMathWorker } from '../../../../../webview/markdown/math/messages';
import { MathQueue, MAX_TEX, SHORT_TIMEOUT_MS, START_MS, TIMEOUT_MS } from '../../../../../webview/markdown/math/queue';
import { GRACE_MS, READY } from '../../../../../webview/workers/supervisor';

const SET: MathResult = { root: { tag: 'span', space: 'html', classes: '', style: {}, attributes: {}, children: [] }, fonts: [] };

class Bench {
  readonly workers: { readonly got: ToMathWorker[]; ended: boolean; hear(message: MathResult | typeof READY): void }[] = [];
  readonly results = new Map<string, MathResult>();
  private readonly timers = new Set<{ at: number; callback(): void }>();
  private now = 0;
  refuses = false;

  readonly queue = new MathQueue({
    spawn: async (hear) => {
      if (this.refuses) {
        throw new Error('refused');
      }
      const worker = { got: [] as ToMathWorker[], ended: false, hear };
      this.workers.push(worker);
      return { postMessage: (message) => void worker.got.push(message), terminate: () => void (worker.ended = true) };
    },
    after: (ms, callback) => {
      const timer = { at: this.now + ms, callback };
      this.timers.add(timer);
      return () => void this.timers.delete(timer);
    },
  });

  add(tex: string, isWanted = () => true): void {
    this.queue.add(tex, false, isWanted, (result) => this.results.set(tex, result));
  }

  /** The newest worker, once it has reported that it is ready. */
  async ready() {
    await Promise.resolve();
    await Promise.resolve();
    const worker = this.workers.at(-1)!;
    worker.hear(READY);
    return worker;
  }

  /** Lets time pass. */
  pass(ms: number): void {
    const end = this.now + ms;
    for (;;) {
      const due = [...this.timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
      if (!due) {
        break;
      }
      this.timers.delete(due);
      this.now = due.at;
      due.callback();
    }
    this.now = end;
  }

  get pending(): number {
    return this.timers.size;
  }
}

describe('the queue of formulas', () => {
  it('starts one worker, and gives it one formula after the other', async () => {
    const bench = new Bench();
    bench.add('a');
    bench.add('b');
    const worker = await bench.ready();
    assert.deepEqual(worker.got, [{ tex: 'a', display: false }]);
    worker.hear(SET);
    worker.hear({ reason: 'syntax', detail: 'no' });
    assert.deepEqual(
      [...bench.results],
      [
        ['a', SET],
        ['b', { reason: 'syntax', detail: 'no' }],
      ],
    );
    assert.equal(bench.workers.length, 1);
    assert.equal(bench.pending, 0);
  });

  it('skips formulas that are no longer needed', async () => {
    const bench = new Bench();
    bench.add('a', () => false);
    bench.add('b');
    const worker = await bench.ready();
    assert.deepEqual(
      worker.got.map(({ tex }) => tex),
      ['b'],
    );
  });

  it('sends no overlong formula', () => {
    const bench = new Bench();
    bench.add('x'.repeat(MAX_TEX + 1));
    assert.deepEqual([...bench.results.values()], [{ reason: 'size' }]);
    assert.equal(bench.workers.length, 0);
  });

  it('ends a worker that hangs, and continues with another', async () => {
    const bench = new Bench();
    bench.add('slow');
    bench.add('b');
    const first = await bench.ready();
    bench.pass(TIMEOUT_MS + GRACE_MS);
    assert.ok(first.ended);
    assert.deepEqual(bench.results.get('slow'), { reason: 'time' });
    const second = await bench.ready();
    first.hear(SET);
    first.hear(SET);
    assert.equal(bench.results.size, 1, 'what an ended worker says late is not heard');
    second.hear(SET);
    assert.deepEqual(bench.results.get('b'), SET);
  });

  it('shortens its time limit after repeated timeouts', async () => {
    const bench = new Bench();
    for (let strike = 0; strike < 3; strike++) {
      bench.add(`slow ${strike}`);
      await bench.ready();
      bench.pass(TIMEOUT_MS + GRACE_MS);
    }
    bench.add('slow too');
    bench.add('fine');
    await bench.ready();
    bench.pass(SHORT_TIMEOUT_MS + GRACE_MS);
    assert.deepEqual(bench.results.get('slow too'), { reason: 'time' });
    (await bench.ready()).hear(SET);
    assert.deepEqual(bench.results.get('fine'), SET);
  });

  it('answers without a worker when none can be started', async () => {
    for (const refuses of [true, false]) {
      const bench = new Bench();
      bench.refuses = refuses;
      bench.add('a');
      for (let hop = 0; hop < 5; hop++) {
        await Promise.resolve();
      }
      bench.pass(START_MS + GRACE_MS);
      bench.add('later');
      assert.deepEqual(
        [...bench.results],
        [
          ['a', { reason: 'time' }],
          ['later', { reason: 'time' }],
        ],
      );
      assert.equal(bench.pending, 0);
    }
  });
});
