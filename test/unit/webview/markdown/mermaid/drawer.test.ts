import assert from 'node:assert/strict';
import { Drawer, type Drawn, REST_MS, START_MS, TIMEOUT_MS } from '../../../../../webview/markdown/mermaid/drawer';
import type { DiagramTheme, FromDrawer, ToDrawer } from '../../../../../webview/markdown/mermaid/messages';
import { GRACE_MS, READY, type WorkerHandle } from '../../../../../webview/workers/supervisor';

const THEME = { dark: true, background: '#000000' } as DiagramTheme;
const LIGHT = { dark: false, background: '#ffffff' } as DiagramTheme;

class FakeWorker implements WorkerHandle<ToDrawer> {
  readonly orders: ToDrawer[] = [];
  ended = false;
  constructor(
    readonly hear: (answer: FromDrawer | typeof READY) => void,
    readonly fail: () => void,
  ) {}
  postMessage(order: ToDrawer): void {
    assert.ok(!this.ended);
    this.orders.push(order);
  }
  terminate(): void {
    this.ended = true;
  }
  answer(svg = 'x', spent = false): void {
    this.hear({ type: 'picture', spent, picture: { svg, width: 1, height: 1, type: 'pie', title: '', description: '' } });
  }
}

describe('the drawer of diagrams', () => {
  let workers: FakeWorker[];
  let timers: { ms: number; callback: () => void }[];
  let drawer: Drawer;
  let told: string[];
  let refuse: boolean;

  beforeEach(() => {
    workers = [];
    timers = [];
    told = [];
    refuse = false;
    drawer = new Drawer({
      spawn: async (hear, fail) => {
        if (refuse) {
          throw new Error('no worker');
        }
        const worker = new FakeWorker(hear, fail);
        workers.push(worker);
        return worker;
      },
      after: (ms, callback) => {
        const timer = { ms, callback };
        timers.push(timer);
        return () => void (timers = timers.filter((each) => each !== timer));
      },
    });
  });

  const draw = (text: string, theme = THEME) =>
    drawer.draw(
      text,
      theme,
      (drawn: Drawn) =>
        void told.push(`${text}: ${drawn.picture ? drawn.picture.svg : drawn.refusal.code === 'slow' ? 'too long' : drawn.refusal.code}`),
    );
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  const ready = async () => {
    await settled();
    workers.at(-1)!.hear(READY);
  };
  /** Lets the only timer run out. */
  const runOut = async (ms: number) => {
    assert.deepEqual(
      timers.map((timer) => timer.ms),
      [ms],
    );
    timers.pop()!.callback();
    await settled();
  };

  it('starts a worker with the first diagram, and gives it one at a time', async () => {
    await settled();
    assert.equal(workers.length, 0);
    draw('a');
    draw('b');
    await settled();
    assert.deepEqual(workers[0]!.orders, [], 'nothing before it is there');
    await ready();
    assert.deepEqual(
      workers[0]!.orders.map(({ text }) => text),
      ['a'],
    );
    workers[0]!.answer('A');
    assert.deepEqual(
      workers[0]!.orders.map(({ text }) => text),
      ['a', 'b'],
    );
    workers[0]!.answer('B');
    assert.deepEqual(told, ['a: A', 'b: B']);
    assert.equal(workers.length, 1);
  });

  it('uses no worker again in which a drawing failed, or accessed something foreign', async () => {
    for (const text of ['a', 'b', 'c', 'd']) {
      draw(text);
    }
    await ready();
    workers[0]!.hear({ type: 'refused', refusal: { code: 'large' } });
    assert.equal(workers[0]!.ended, true);
    await ready();
    workers[1]!.answer('B', true);
    assert.equal(workers[1]!.ended, true);
    await ready();
    workers[2]!.answer('C');
    workers[2]!.answer('D');
    assert.deepEqual(told, ['a: large', 'b: B', 'c: C', 'd: D']);
  });

  it('keeps drawings and refusals for each theme', async () => {
    draw('a');
    await ready();
    workers[0]!.answer('A');
    draw('a');
    assert.deepEqual(told, ['a: A', 'a: A']);
    assert.equal(drawer.recall('a', THEME)?.picture?.svg, 'A');
    assert.equal(drawer.recall('a', LIGHT), undefined);
    assert.equal(workers[0]!.orders.length, 1);
  });

  it('keeps drawings up to a few megabytes', async () => {
    draw('0');
    await ready();
    workers[0]!.answer('x'.repeat(1_500_000));
    for (const text of ['1', '2']) {
      draw(text);
      workers[0]!.answer('x'.repeat(1_500_000));
    }
    assert.equal(drawer.recall('0', THEME), undefined);
    assert.ok(drawer.recall('1', THEME)?.picture);
    assert.ok(drawer.recall('2', THEME)?.picture);
  });

  it('ends a worker that takes too long, and continues with another', async () => {
    draw('endless');
    draw('b');
    await ready();
    await runOut(TIMEOUT_MS);
    assert.equal(workers[0]!.ended, false, 'its answer may be on the way');
    await runOut(GRACE_MS);
    assert.equal(workers[0]!.ended, true);
    assert.deepEqual(told, ['endless: too long']);
    workers[0]!.answer('late');
    assert.deepEqual(told, ['endless: too long']);
    await ready();
    workers[1]!.answer('B');
    assert.deepEqual(told, ['endless: too long', 'b: B']);
    draw('endless');
    assert.deepEqual(told.at(-1), 'endless: too long', 'it is not tried again');
  });

  it('gives up waiting diagrams when no worker can be started', async () => {
    refuse = true;
    draw('a');
    draw('b');
    await settled();
    assert.deepEqual(told, ['a: too long', 'b: too long']);
    assert.deepEqual(timers, []);
  });

  it('waits for the start of a worker up to a limit', async () => {
    draw('a');
    await settled();
    await runOut(START_MS);
    assert.equal(workers[0]!.ended, true);
    assert.deepEqual(told, ['a: too long']);
  });

  it('continues after a worker that breaks', async () => {
    draw('a');
    draw('b');
    await ready();
    workers[0]!.fail();
    await ready();
    workers[1]!.answer('B');
    assert.deepEqual(told, ['a: too long', 'b: B']);
  });

  it('forgets diagrams that are no longer needed', async () => {
    draw('a');
    const leave = draw('b');
    draw('c');
    await ready();
    leave();
    workers[0]!.answer('A');
    assert.deepEqual(
      workers[0]!.orders.map(({ text }) => text),
      ['a', 'c'],
    );
  });

  it('draws a diagram once that is requested twice', async () => {
    const leave = draw('a');
    draw('a');
    leave();
    await ready();
    workers[0]!.answer('A');
    assert.deepEqual(told, ['a: A']);
    assert.equal(workers[0]!.orders.length, 1);
  });

  it('frees the worker’s memory after a while', async () => {
    draw('a');
    await ready();
    workers[0]!.answer('A');
    await runOut(REST_MS);
    assert.equal(workers[0]!.ended, true);
    draw('b');
    await ready();
    workers[1]!.answer('B');
    assert.deepEqual(told, ['a: A', 'b: B']);
  });
});
