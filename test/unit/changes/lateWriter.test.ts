/** A state that is written some time after a change. */
import assert from 'node:assert/strict';
import { DebouncedWriter } from '../../../src/changes/review/debouncedWriter';
import type { Clock } from '../../../src/core/platform/clock';

/** A clock whose timers run only when the test calls them. */
class StoppedClock implements Clock {
  private timers: (() => void)[] = [];

  now(): number {
    return 0;
  }

  after(_: number, run: () => void): { dispose(): void } {
    this.timers.push(run);
    return { dispose: () => void (this.timers = this.timers.filter((each) => each !== run)) };
  }

  run(): void {
    this.timers.splice(0).forEach((run) => run());
  }
}

describe('a late writer', () => {
  let clock: StoppedClock;
  let state: string;
  let written: string[];
  let failures: unknown[];
  let failing: boolean;
  let writer: DebouncedWriter;

  beforeEach(() => {
    clock = new StoppedClock();
    [state, written, failures, failing] = ['', [], [], false];
    const write = async (): Promise<void> => {
      const now = state;
      await Promise.resolve();
      if (failing) {
        throw new Error(`no room for ${now}`);
      }
      written.push(now);
    };
    writer = new DebouncedWriter(clock, 500, write, (error) => failures.push((error as Error).message));
  });

  function change(to: string): void {
    state = to;
    writer.changed();
  }

  it('writes several changes of one moment once', async () => {
    change('a');
    change('b');
    clock.run();
    await writer.flush();
    assert.deepEqual(written, ['b', 'b']);
  });

  it('writes a change that arrives during a write', async () => {
    change('a');
    clock.run();
    change('b');
    clock.run();
    await writer.flush();
    assert.deepEqual(written.at(-1), 'b');
  });

  it('writes the newest state when it is disposed, and nothing after that', async () => {
    change('a');
    writer.dispose();
    change('b');
    clock.run();
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(written, ['b']);
  });

  it('writes nothing when it is disposed without a change', async () => {
    writer.dispose();
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(written, []);
  });

  it('reports a failure once, and writes the state with the next change or when it is disposed', async () => {
    failing = true;
    change('a');
    await writer.flush();
    change('b');
    await writer.flush();
    assert.deepEqual([written, failures], [[], ['no room for a']]);
    failing = false;
    change('c');
    clock.run();
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual([written, failures.length], [['c'], 1]);
    failing = true;
    change('d');
    await writer.flush();
    assert.equal(failures.length, 2);
    failing = false;
    writer.dispose();
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(written, ['c', 'd']);
  });
});
