import assert from 'node:assert/strict';

interface Step {
  readonly name: string;
  readonly needs?: readonly string[];
  readonly share?: number;
}

type Schedule = (
  steps: readonly Step[],
  options: {
    jobs: number;
    ready?: Record<string, Promise<string | undefined>>;
    run: (step: Step) => Promise<boolean>;
    skip: (step: Step, why: string) => void;
  },
) => Promise<void>;

describe('the steps of the gate', () => {
  let schedule: Schedule;
  before(async () => ({ schedule } = (await import('../harness/lib/schedule.mjs' as string)) as { schedule: Schedule }));

  /** Runs the steps, each as long as a turn of the event loop, and returns what happened. */
  async function played(steps: readonly Step[], jobs: number, failing: readonly string[] = [], ready = {}): Promise<string[]> {
    const lines: string[] = [];
    await schedule(steps, {
      jobs,
      ready,
      run: async ({ name }) => {
        lines.push(`+${name}`);
        await new Promise((resolve) => setImmediate(resolve));
        lines.push(`-${name}`);
        return !failing.includes(name);
      },
      skip: ({ name }, why) => lines.push(`${name}: ${why}`),
    });
    return lines;
  }

  it('run in order, up to the given number at once', async () => {
    const steps = [{ name: 'a' }, { name: 'b' }, { name: 'c' }];
    assert.deepEqual(await played(steps, 1), ['+a', '-a', '+b', '-b', '+c', '-c']);
    assert.deepEqual(await played(steps, 2), ['+a', '+b', '-a', '+c', '-b', '-c']);
  });

  it('let others start first while they wait for what they need', async () => {
    const steps = [{ name: 'long', needs: ['built'] }, { name: 'built' }, { name: 'c' }];
    assert.deepEqual(await played(steps, 1), ['+built', '-built', '+long', '-long', '+c', '-c']);
    const browser = new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), 20));
    assert.deepEqual(await played([{ name: 'a', needs: ['browser'] }, { name: 'b' }], 2, [], { browser }), ['+b', '-b', '+a', '-a']);
  });

  it('run in parallel as far as the processors have room', async () => {
    const steps = [{ name: 'a', share: 0.7 }, { name: 'b' }, { name: 'c', share: 0.7 }, { name: 'd', share: 0.6 }, { name: 'e' }];
    assert.deepEqual(await played(steps, 2), ['+a', '+b', '-a', '+c', '-b', '+d', '-c', '+e', '-d', '-e']);
    const waiting = [{ name: 'a', share: 0.7 }, { name: 'b', share: 0.7 }, { name: 'c' }, { name: 'd', share: 0.6 }];
    assert.deepEqual(await played(waiting, 2), ['+a', '+b', '+d', '-a', '-b', '+c', '-d', '-c']);
    assert.deepEqual(await played([{ name: 'a', share: 3 }, { name: 'b' }], 2), ['+a', '-a', '+b', '-b']);
  });

  it('do not run without what they need, and report why', async () => {
    const steps = [
      { name: 'a', needs: ['built'] },
      { name: 'b', needs: ['a'] },
      { name: 'built' },
      { name: 'c', needs: ['browser'] },
      { name: 'd' },
    ];
    const browser = Promise.resolve('no browser');
    assert.deepEqual(await played(steps, 1, ['built'], { browser }), [
      '+built',
      '-built',
      'a: built failed',
      'b: a was not run',
      'c: no browser',
      '+d',
      '-d',
    ]);
  });
});
