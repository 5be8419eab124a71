import assert from 'node:assert/strict';
import { earlierNameOf, withoutEarlierNames } from '../../../../src/application/shared/earlierNames';
import { settings } from '../../../../src/application/shared/ids';

describe('earlier names of settings', () => {
  it('are known for the settings that were below another one', () => {
    assert.equal(earlierNameOf(settings.editorToolCategories), 'acpHost.editorTools.categories');
    assert.equal(earlierNameOf(settings.problemsAfterEdits), 'acpHost.editorTools.problemsAfterEdits');
    assert.equal(earlierNameOf(settings.extensionTools), 'acpHost.editorTools.extensionTools');
    assert.equal(earlierNameOf(settings.sandboxNetwork), 'acpHost.sandbox.network');
    assert.equal(earlierNameOf(settings.sandboxHosts), 'acpHost.sandbox.hosts');
    assert.equal(earlierNameOf(settings.sandboxWritable), 'acpHost.sandbox.writable');
    assert.equal(earlierNameOf(settings.sandboxUnreadable), 'acpHost.sandbox.unreadable');
    assert.equal(earlierNameOf(settings.sandbox), undefined);
    assert.equal(earlierNameOf('toString'), undefined);
  });

  it('are not taken for agents of the other setting, in any source', () => {
    const value = { ada: 'all', '*': 'off', categories: { edits: false }, problemsAfterEdits: 'off', extensionTools: [] };
    const rest = { ada: 'all', '*': 'off' };
    assert.deepEqual(
      withoutEarlierNames(settings.editorTools, { globalValue: value, globalLocalValue: value, workspaceValue: value }),
      withoutEarlierNames(settings.editorTools, { globalValue: rest, globalLocalValue: rest, workspaceValue: rest }),
    );
    const network = { network: 'off', hosts: ['a.com'], writable: [], unreadable: [] };
    const inspected = withoutEarlierNames(settings.sandbox, {
      workspaceFolderValue: network,
      globalRemoteValue: { '*': 'off', ...network },
    });
    assert.deepEqual(inspected?.workspaceFolderValue, undefined);
    assert.deepEqual(inspected?.globalRemoteValue, { '*': 'off' });
  });

  it('leave no value when the other setting has none', () => {
    assert.equal(withoutEarlierNames(settings.editorTools, { globalValue: { problemsAfterEdits: true } })?.globalValue, undefined);
    assert.equal(withoutEarlierNames(settings.editorTools, { globalValue: 'all' })?.globalValue, 'all');
    assert.deepEqual(withoutEarlierNames(settings.editorTools, { globalValue: {} })?.globalValue, {});
    assert.equal(withoutEarlierNames(settings.sandbox, { globalValue: null })?.globalValue, null);
    assert.equal(withoutEarlierNames(settings.sandbox, undefined), undefined);
  });

  it('keep an agent with such a name in its sandbox', () => {
    assert.deepEqual(withoutEarlierNames(settings.sandbox, { globalValue: { hosts: 'agent' } })?.globalValue, { hosts: 'agent' });
  });

  it('change no other setting', () => {
    const inspected = { globalValue: { hosts: [], categories: {} } };
    assert.equal(withoutEarlierNames(settings.agents, inspected), inspected);
    assert.equal(withoutEarlierNames(settings.sandboxHosts, inspected), inspected);
  });
});
