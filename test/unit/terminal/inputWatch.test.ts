import assert from 'node:assert/strict';
import { InputWatch } from '../../../src/terminal/inputWatch';
import { readsTerminal } from '../../../src/util/processes/terminalReaders';
import { FakeClock } from '../session/permission/fakes';

const settle = async (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function scene(reads: () => boolean | undefined) {
  const clock = new FakeClock();
  const reports: boolean[] = [];
  const watch = new InputWatch(
    clock,
    () => Promise.resolve(reads()),
    (waiting) => void reports.push(waiting),
  );
  const quiet = async (ms: number): Promise<void> => {
    clock.pass(ms);
    await settle();
  };
  return { watch, reports, quiet, say: (text: string) => watch.output(Buffer.from(text)) };
}

describe('a command that waits for input', () => {
  it('is detected after some seconds of silence, until it writes again', async () => {
    const { reports, quiet, say, watch } = scene(() => true);
    say('Ok to proceed? (y) ');
    await quiet(2999);
    assert.deepEqual(reports, []);
    await quiet(1);
    assert.deepEqual(reports, [true]);
    say('y\r\n');
    assert.deepEqual(reports, [true, false]);
    await quiet(3000);
    watch.dispose();
    assert.deepEqual(reports, [true, false, true, false]);
    await quiet(10_000);
    assert.equal(reports.length, 4);
  });

  it('is detected without a prompt, when it reads', async () => {
    const { reports, quiet } = scene(() => true);
    await quiet(3000);
    assert.deepEqual(reports, [true]);
  });

  it('is not detected when the system reports that it does not read', async () => {
    const { reports, quiet, say } = scene(() => false);
    say('Password: ');
    await quiet(6000);
    assert.deepEqual(reports, []);
  });

  for (const [output, isPrompt] of [
    ['Ok to proceed? (y) ', true],
    ['\x1b[1mPassword:\x1b[0m ', true],
    ['Overwrite? [y/N] ', true],
    ['Press any key to continue . . . ', true],
    ['package name: (app) ', true],
    ['Compiling 12 files', false],
    ['Listening on port 8080\n', false],
    ['Done?\n', false],
    ['', false],
  ] as const) {
    it(`is ${isPrompt ? '' : 'not '}recognized by ${JSON.stringify(output)} when the system gives no answer`, async () => {
      const { reports, quiet, say } = scene(() => undefined);
      say(output);
      await quiet(3000);
      assert.deepEqual(reports, isPrompt ? [true] : []);
    });
  }
});

describe('readsTerminal', () => {
  it('returns undefined for a process that has ended', async () => {
    assert.equal(await readsTerminal(2 ** 22 + 1), undefined);
  });
});
