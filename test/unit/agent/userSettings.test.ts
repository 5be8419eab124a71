import assert from 'node:assert/strict';
import { userValueOf } from '../../../src/agent/userSettings';

describe('userValueOf', () => {
  it("returns only the user's value", () => {
    const inspected = { defaultValue: { d: 1 }, globalValue: { g: 1 }, workspaceValue: { w: 1 }, workspaceFolderValue: { f: 1 } };
    assert.deepEqual(
      userValueOf('s', inspected, [
        { folder: 'one', inspected },
        { folder: 'two', inspected: {} },
      ]),
      {
        value: { g: 1 },
        ignored: [
          { setting: 's', source: 'extensionDefault' },
          { setting: 's', source: 'workspace' },
          { setting: 's', source: 'workspaceFolder', folder: 'one' },
        ],
      },
    );
  });

  it('reports a value once when one folder is the workspace', () => {
    const inspected = { workspaceValue: { w: 1 }, workspaceFolderValue: { w: 1 } };
    assert.deepEqual(userValueOf('s', inspected, [{ folder: 'one', inspected }]).ignored, [{ setting: 's', source: 'workspace' }]);
    const folderAlone = { workspaceFolderValue: { w: 1 } };
    assert.deepEqual(userValueOf('s', {}, [{ folder: 'one', inspected: folderAlone }]).ignored, [
      { setting: 's', source: 'workspaceFolder', folder: 'one' },
    ]);
  });

  it("ignores nothing when only the extension's empty default is set", () => {
    assert.deepEqual(userValueOf('s', { defaultValue: {} }), { value: undefined, ignored: [] });
    assert.deepEqual(userValueOf('s', { defaultValue: '', globalValue: 'x' }), { value: 'x', ignored: [] });
    assert.deepEqual(userValueOf('s', undefined), { value: undefined, ignored: [] });
    assert.deepEqual(userValueOf('s', { defaultValue: 128 }, [], 128), { value: undefined, ignored: [] });
    assert.deepEqual(userValueOf('s', { defaultValue: 5 }, [], 128), {
      value: undefined,
      ignored: [{ setting: 's', source: 'extensionDefault' }],
    });
  });

  it('returns no value when only a project sets it', () => {
    assert.deepEqual(userValueOf('s', { workspaceValue: 'x' }), { value: undefined, ignored: [{ setting: 's', source: 'workspace' }] });
  });

  it("leaves out values from a remote machine or dev container, which the editor merges with the user's own", () => {
    const merged = { globalValue: { own: 1, planted: 1 }, globalLocalValue: { own: 1 }, globalRemoteValue: { planted: 1 } };
    assert.deepEqual(userValueOf('s', merged), { value: { own: 1 }, ignored: [{ setting: 's', source: 'machine' }] });
    assert.deepEqual(userValueOf('s', { globalValue: 'x', globalRemoteValue: 'x' }), {
      value: undefined,
      ignored: [{ setting: 's', source: 'machine' }],
    });
    assert.deepEqual(userValueOf('s', { globalValue: 'x', globalLocalValue: 'x' }), { value: 'x', ignored: [] });
    assert.deepEqual(userValueOf('s', { globalValue: 'of all profiles' }), { value: 'of all profiles', ignored: [] });
  });
});
