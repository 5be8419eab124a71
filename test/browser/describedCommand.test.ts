/** A command that its agent describes, before and after the user's answer. */
import assert from 'node:assert/strict';
import { toolCall, toolText } from '../support/events';
import { asked } from './support/asked';
import { eachInItsOwnView, type View } from './support/view';

describe('a command with a description', function () {
  this.timeout(60_000);
  let view: View;
  eachInItsOwnView(
    (opened) => (view = opened),
    async (each) => {
      await each.ready();
      await each.tame();
      await each.happen({ type: 'turn_started', turnId: 't' });
    },
  );

  const rawInput = { command: 'wc -l src/*.ts', description: 'Count the lines' };
  const call = { title: '`wc -l src/*.ts`', kind: 'execute', rawInput, content: [toolText('Count the lines')] };
  const article = () => view.page.locator('article.tool');
  const open = async () => {
    if ((await article().locator('.tool-header').getAttribute('aria-expanded')) === 'false') {
      await article().locator('.tool-header').click();
    }
  };
  /** The texts of the card's body: prose, then code. */
  const texts = async () => ({
    prose: await article().locator('.permission-description').allInnerTexts(),
    code: await article().locator('.subject-command, .content-text, .terminal-output').allInnerTexts(),
  });

  it('is shown with its description as prose in the question, while it runs, and at its end', async () => {
    await view.happen(...asked({ call, subject: { content: [toolText('Count the lines')] } }, 'c'));
    await article().getByText('Needs approval').waitFor();
    assert.deepEqual(await texts(), { prose: ['Count the lines'], code: ['wc -l src/*.ts'] });
    const tops = await article()
      .locator('.permission-description, .subject-command')
      .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().top));
    assert.ok(tops[0]! < tops[1]!, 'above the command');

    await view.happen({ type: 'permission_resolved', permissionId: 'c', outcome: 'selected', optionId: 'y' });
    await article().getByText('Running', { exact: true }).waitFor();
    await open();
    assert.deepEqual(await texts(), { prose: ['Count the lines'], code: [] });
    assert.match((await article().getAttribute('aria-label')) ?? '', /, Running$/);

    await view.happen(toolCall('c', { status: 'completed', content: [toolText('3 src/a.ts')] }));
    await article().getByText('Done', { exact: true }).waitFor();
    assert.deepEqual(await texts(), { prose: [], code: ['3 src/a.ts'] });
  });

  it('is shown once and not as running while it waits, where the agent has announced its terminal', async () => {
    const { command } = rawInput;
    await view.happen(
      { type: 'terminal_update', terminalId: 't1', command },
      ...asked({ call: { ...call, rawInput: { command }, content: [{ type: 'terminal', terminalId: 't1' }] } }, 'c'),
    );
    await article().getByText('Needs approval').waitFor();
    assert.deepEqual(await article().locator('.subject-command').allInnerTexts(), [command]);
    assert.equal(await article().locator('.terminal, .icon-spinner').count(), 0);

    await view.happen({ type: 'permission_resolved', permissionId: 'c', outcome: 'selected', optionId: 'y' });
    await article().getByText('Running', { exact: true }).waitFor();
    await open();
    await article().locator('.terminal').waitFor();
    assert.ok((await article().locator('.terminal .icon-spinner').count()) > 0);
  });

  it('shows another command of the announced terminal while the question waits, and its output without a spinner', async () => {
    await view.happen(
      { type: 'terminal_update', terminalId: 't1', command: 'rm -rf build' },
      ...asked({ call: { ...call, content: [{ type: 'terminal', terminalId: 't1' }] } }, 'c'),
    );
    await article().locator('.terminal-command').getByText('rm -rf build').waitFor();
    assert.equal(await article().locator('.icon-spinner').count(), 0);
  });

  it('is canceled, not failed, when the agent reports the end of a stopped call as a failure', async () => {
    await view.happen(
      ...asked({ call }, 'c'),
      { type: 'permission_resolved', permissionId: 'c', outcome: 'selected', optionId: 'y' },
      { type: 'turn_cancelling' },
      toolCall('c', { status: 'failed' }),
      { type: 'turn_ended', turnId: 't', stopReason: 'cancelled' },
    );
    await article().getByText('Canceled', { exact: true }).waitFor();
    assert.equal(await article().getByText('Failed').count(), 0);
    assert.equal(await article().locator('.status-failed').count(), 0);
  });

  it('shows any other text before it runs as prose, and its output as it is', async () => {
    const said = { ...call, content: [toolText('Counts *all* lines.')] };
    await view.happen(...asked({ call: said }, 'c'));
    await article().locator('.tool-content .md em', { hasText: 'all' }).waitFor();
    assert.deepEqual((await texts()).code, ['wc -l src/*.ts']);
    await view.happen(
      { type: 'permission_resolved', permissionId: 'c', outcome: 'selected', optionId: 'y' },
      toolCall('c', { status: 'completed', content: [toolText('*3* lines')] }),
    );
    await article().getByText('Done', { exact: true }).waitFor();
    await open();
    await article().locator('.content-text, .terminal-output').getByText('*3* lines').waitFor();
  });

  it('is shown as a command where the title does not say it, and not again as input', async () => {
    await view.happen(toolCall('c', { ...call, title: 'Count the lines', name: 'Count', status: 'completed', rawOutput: { stdout: '3' } }));
    await open();
    await article().locator('.subject-command').waitFor();
    assert.deepEqual(await texts(), { prose: [], code: ['wc -l src/*.ts'] });
    assert.equal(await article().locator('.tool-name').count(), 0);
    assert.deepEqual(await article().locator('.raw').getByRole('button').allInnerTexts(), ['Output']);
  });
});
