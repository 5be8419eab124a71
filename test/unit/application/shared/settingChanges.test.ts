import assert from 'node:assert/strict';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type ListSetting, SettingChanges } from '../../../../src/application/shared/settingChanges';
import { systemClock } from '../../../../src/util/clock';

describe('changes of settings by several windows', () => {
  let folder: string;
  let file: readonly unknown[] | undefined;
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'acp-setting-changes-')));
    file = undefined;
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** A window, which sees the writes of others only when it reads the file. */
  function window({ shared = folder, failures = 0 } = {}) {
    let view = file;
    const listeners = new Set<() => void>();
    const see = (): void => {
      view = file;
      listeners.forEach((listener) => listener());
    };
    const setting: ListSetting = {
      name: 'rules',
      read: () => view,
      write: async (value) => {
        await new Promise((resolve) => setTimeout(resolve, 5));
        if (failures-- > 0) {
          throw new Error('The file has changed meanwhile.');
        }
        file = value.length > 0 ? value : undefined;
        see();
      },
    };
    const changes = new SettingChanges({
      folder: shared,
      clock: systemClock,
      onDidChange: (listener) => {
        listeners.add(listener);
        return { dispose: () => void listeners.delete(listener) };
      },
    });
    const list = (value: unknown) => (value ?? []) as readonly unknown[];
    return {
      see,
      onWrite: (listener: (value: unknown) => void) => changes.onDidWrite(setting, listener),
      add: (...entries: unknown[]) => changes.change(setting, (value) => [...list(value), ...entries]),
      remove: (entry: unknown) => changes.change(setting, (value) => list(value).filter((each) => each !== entry)),
    };
  }

  it('keep both of two entries added at once', async () => {
    const [one, other] = [window(), window()];
    await Promise.all([one.add('a'), other.add('b')]);
    assert.deepEqual([...file!].sort(), ['a', 'b']);
    await Promise.all([one.add('c'), other.add('d'), one.add('e'), other.add('f')]);
    assert.deepEqual([...file!].sort(), ['a', 'b', 'c', 'd', 'e', 'f']);
  });

  it('do not restore an entry that another window has just removed', async () => {
    file = ['a'];
    const [one, other] = [window(), window()];
    await one.remove('a');
    await other.add('b');
    assert.deepEqual(file, ['b']);
    await one.add('a');
    await one.remove('a');
    await other.remove('b');
    assert.equal(file, undefined);
  });

  it('do not restore an entry that the user has just removed from the file', async () => {
    const [one, other] = [window(), window()];
    await one.add('a');
    await other.add('b');
    one.see();
    file = ['b'];
    one.see();
    other.see();
    await one.add('c');
    assert.deepEqual(file, ['b', 'c']);
  });

  it('build on what the user has just written into the file', async () => {
    const [one, other] = [window(), window()];
    await one.add('a');
    file = ['a', 'by hand'];
    other.see();
    await other.add('b');
    assert.deepEqual(file, ['a', 'by hand', 'b']);
  });

  it('are reported to a window that does not see them yet', async () => {
    const [one, other] = [window(), window()];
    const reported: unknown[] = [];
    const subscription = other.onWrite((value) => reported.push(value));
    // The watcher starts late.
    await new Promise((resolve) => setTimeout(resolve, 100));
    await one.add('a');
    for (const end = Date.now() + 5000; reported.length === 0 && Date.now() < end; ) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    assert.deepEqual(reported.at(-1), ['a']);
    subscription.dispose();
  });

  it('try again where VS Code refuses a write', async () => {
    await window({ failures: 1 }).add('a');
    assert.deepEqual(file, ['a']);
    await assert.rejects(window({ failures: 3 }).add('b'), /has changed meanwhile/);
    assert.deepEqual(file, ['a']);
  });

  it('are made without the shared folder, too', async () => {
    writeFileSync(path.join(folder, 'file'), '');
    await window({ shared: path.join(folder, 'file', 'below') }).add('a');
    assert.deepEqual(file, ['a']);
  });
});
