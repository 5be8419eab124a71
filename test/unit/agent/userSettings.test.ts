import assert from 'node:assert/strict';
import { userValueOf } from '../../../src/agent/userSettings';

describe('userValueOf', () => {
  it("takes the user's value alone", () => {
    const inspected = { defaultValue: { d: 1 }, globalValue: { g: 1 }, workspaceValue: { w: 1 }, workspaceFolderValue: { f: 1 } };
    assert.deepEqual(userValueOf('s', inspected, [{ folder: 'one', inspected }, { folder: 'two', inspected: {} }]), {
      value: { g: 1 },
      ignored: [
        { setting: 's', source: 'extensionDefault' },
        { setting: 's', source: 'workspace' },
        { setting: 's', source: 'workspaceFolder', folder: 'one' },
      ],
    });
  });

  it('tells of a value once where one folder is the workspace', () => {
    const inspected = { workspaceValue: { w: 1 }, workspaceFolderValue: { w: 1 } };
    assert.deepEqual(userValueOf('s', inspected, [{ folder: 'one', inspected }]).ignored, [{ setting: 's', source: 'workspace' }]);
    const folderAlone = { workspaceFolderValue: { w: 1 } };
    assert.deepEqual(userValueOf('s', {}, [{ folder: 'one', inspected: folderAlone }]).ignored, [{ setting: 's', source: 'workspaceFolder', folder: 'one' }]);
  });

  it('ignores nothing where only our own empty default is', () => {
    assert.deepEqual(userValueOf('s', { defaultValue: {} }), { value: undefined, ignored: [] });
    assert.deepEqual(userValueOf('s', { defaultValue: '', globalValue: 'x' }), { value: 'x', ignored: [] });
    assert.deepEqual(userValueOf('s', undefined), { value: undefined, ignored: [] });
    assert.deepEqual(userValueOf('s', { defaultValue: 128 }, [], 128), { value: undefined, ignored: [] });
    assert.deepEqual(userValueOf('s', { defaultValue: 5 }, [], 128), { value: undefined, ignored: [{ setting: 's', source: 'extensionDefault' }] });
  });

  it('has nothing when only a project sets it', () => {
    assert.deepEqual(userValueOf('s', { workspaceValue: 'x' }), { value: undefined, ignored: [{ setting: 's', source: 'workspace' }] });
  });
});
