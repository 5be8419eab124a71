/** The diff of a permission request is closed with the answer, unless the user keeps it. */
import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { entryIdOf } from '../../src/core/model/state';
import { SessionStore } from '../../src/session/state/store';
import { systemClock } from '../../src/util/clock';
import { OpenHandlers } from '../../src/workbench/links/openHandlers';
import { eventually } from './filesFixture';

describe('the diff of a permission request', () => {
  let handlers: OpenHandlers;
  let store: SessionStore;
  const proposed = () =>
    vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).filter(({ label }) => label.includes('(proposed changes)'));
  const open = async (permissionId: string) => {
    const change = { path: `/w/${permissionId}.txt`, oldText: 'one\n', newText: 'two\n', operation: 'modify' };
    store.append({
      type: 'permission_requested',
      permissionId,
      title: 'Edit',
      options: [],
      subject: { content: [{ type: 'diff', changes: [change] }] },
    } as never);
    const session = { store, roots: { cwd: '/w', additionalDirectories: [] } };
    await handlers.openDiff(session as never, entryIdOf.permission(permissionId), 0, 0);
    await eventually('the diff', () => proposed().length === 1);
  };
  const answer = (permissionId: string) => store.append({ type: 'permission_resolved', permissionId, outcome: 'selected' });

  beforeEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    store = new SessionStore(systemClock);
    handlers = new OpenHandlers({ during: async (question) => await question() });
  });
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    handlers.dispose();
  });

  it('is closed when this request is answered, and not by another answer', async () => {
    await open('first');
    store.append({ type: 'permission_requested', permissionId: 'other', title: 'Run', options: [], subject: {} });
    answer('other');
    await new Promise((resolve) => setTimeout(resolve, 300));
    assert.equal(proposed().length, 1);
    answer('first');
    await eventually('no diff', () => proposed().length === 0);
  });

  it('stays open when the user has kept its tab', async () => {
    await open('kept');
    await vscode.commands.executeCommand('workbench.action.keepEditor');
    await eventually('a kept tab', () => proposed()[0]?.isPreview === false);
    answer('kept');
    await new Promise((resolve) => setTimeout(resolve, 500));
    assert.equal(proposed().length, 1);
  });

  it('stays open when it was opened after the answer', async () => {
    await open('late');
    answer('late');
    await eventually('no diff', () => proposed().length === 0);
    const session = { store, roots: { cwd: '/w', additionalDirectories: [] } };
    await handlers.openDiff(session as never, entryIdOf.permission('late'), 0, 0);
    await eventually('the diff', () => proposed().length === 1);
    await new Promise((resolve) => setTimeout(resolve, 300));
    assert.equal(proposed().length, 1);
  });
});
