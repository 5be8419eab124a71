/** Settings that a workspace cannot change. */
import assert from 'node:assert/strict';
import Module from 'node:module';
import path from 'node:path';

describe('a setting that a workspace cannot change', () => {
  const loader = Module as unknown as { _load(request: string, ...rest: unknown[]): unknown };
  const load = loader._load;
  const file = path.resolve(__dirname, '../../../../src/workbench/settings/userValue.ts');
  let inspected: Record<string, unknown> | undefined;
  let byName: Record<string, Record<string, unknown>> = {};
  const inspect = (name: string) => (Object.hasOwn(byName, name) ? byName[name] : inspected);
  const vscode = { workspace: { getConfiguration: () => ({ inspect, get: () => inspected?.['workspaceValue'] }) } };
  let value: (setting: string) => unknown;
  before(() => {
    delete require.cache[file];
    loader._load = (request, ...rest) => (request === 'vscode' ? vscode : load.call(loader, request, ...rest));
    ({ userValue: value } = require(file) as typeof import('../../../../src/workbench/settings/userValue'));
  });
  after(() => {
    loader._load = load;
    delete require.cache[file];
  });

  it("has the user's value, or else its default", () => {
    inspected = { defaultValue: 'always', globalValue: 'never', workspaceValue: 'always' };
    assert.equal(value('s'), 'never');
    inspected = { defaultValue: 'always', workspaceValue: 'never', workspaceFolderValue: 'never' };
    assert.equal(value('s'), 'always');
    inspected = { defaultValue: 'always', globalValue: 'never', globalRemoteValue: 'never' };
    assert.equal(value('s'), 'always');
    inspected = undefined;
    assert.equal(value('s'), undefined);
  });

  it('has the value under its earlier name while it has none', () => {
    inspected = undefined;
    const earlier = { globalValue: ['old'], workspaceValue: ['planted'] };
    byName = { 'acpHost.extensionTools': { defaultValue: [], globalValue: ['new'] }, 'acpHost.editorTools.extensionTools': earlier };
    assert.deepEqual(value('acpHost.extensionTools'), ['new']);
    byName['acpHost.extensionTools'] = { defaultValue: [], globalValue: [] };
    assert.deepEqual(value('acpHost.extensionTools'), []);
    byName['acpHost.extensionTools'] = { defaultValue: [] };
    assert.deepEqual(value('acpHost.extensionTools'), ['old']);
    byName['acpHost.editorTools.extensionTools'] = { workspaceValue: ['planted'], workspaceFolderValue: ['planted'] };
    assert.deepEqual(value('acpHost.extensionTools'), []);
    byName['acpHost.editorTools.extensionTools'] = { globalValue: ['planted'], globalRemoteValue: ['planted'] };
    assert.deepEqual(value('acpHost.extensionTools'), []);
  });
});
