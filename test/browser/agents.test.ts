import assert from 'node:assert/strict';
import type { EventInput } from '../../src/core/model/event';
import { eachInItsOwnView, type View } from './support/view';

/** Messages recorded from npm agents, and the page that their users must then see. */
describe('view: messages of real agents', function () {
  this.timeout(30_000);
  let view: View;

  eachInItsOwnView((opened) => (view = opened));

  it('shows the change when a permission request names only its tool call', async () => {
    const changes = [{ operation: 'modify', path: '/home/ada/sample/a.ts', oldText: 'return a - b;', newText: 'return a + b;' }];
    await view.happen(
      {
        type: 'tool_call_update',
        toolCallId: 'c',
        patch: { title: 'Editing files', kind: 'edit', status: 'pending', content: [{ type: 'diff', changes }] },
      },
      {
        type: 'permission_requested',
        permissionId: 'p',
        title: 'Edit files',
        options: [{ optionId: 'y', name: 'Yes', kind: 'allow_once' }],
        subject: { toolCallId: 'c', locations: [{ path: '/home/ada/sample/a.ts' }] },
      },
    );
    const card = view.page.getByRole('group', { name: 'Edit files' });
    const diff = card.getByRole('group', { name: 'Changes to a.ts' });
    await diff.getByText('return a - b;').waitFor();
    await diff.getByRole('button', { name: 'Open Diff' }).click();
    const [opened] = await view.postedAtLeast('open_diff');
    assert.deepEqual(opened, { type: 'open_diff', entryId: 'tool_call:c', content: 0, change: 0 });
  });

  it('keeps the line breaks and case of printed or read tool output', async () => {
    const text = '__init__.py\n\u001b[32m*.md\u001b[0m\n  indented\n';
    const printed: EventInput = {
      type: 'tool_call_update',
      toolCallId: 'c',
      patch: { title: 'ls', kind: 'execute', status: 'completed', content: [{ type: 'content', content: { type: 'text', text } }] },
    };
    await view.happen(printed);
    const card = view.page.getByRole('article', { name: /^ls/ });
    await card.getByRole('button', { name: /ls/ }).click();
    const output = card.getByRole('group', { name: 'Output' });
    assert.equal((await output.innerText()).trimEnd(), '__init__.py\n*.md\n  indented');
  });

  it('names an option whose value means nothing without the name', async () => {
    const select = {
      type: 'select' as const,
      currentValue: 'off',
      groups: [
        {
          choices: [
            { value: 'off', name: 'Off' },
            { value: 'on', name: 'On' },
          ],
        },
      ],
    };
    await view.happen({
      type: 'config_options',
      options: [
        { ...select, configId: 'all', name: 'Allow All', category: 'permissions' },
        { ...select, configId: 'mode', name: 'Mode', category: 'mode' },
        { ...select, configId: 'model', name: 'Model', category: 'model' },
      ],
    });
    await view.page.getByText('Allow All: Off', { exact: true }).waitFor();
    // A mode alone would read like the permission mode beside it.
    await view.page.getByText('Mode: Off', { exact: true }).waitFor();
    assert.equal(await view.page.getByText('Model: Off', { exact: true }).count(), 0);
  });
});
