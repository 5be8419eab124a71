/** The pages of agents with the keyboard alone. */
import assert from 'node:assert/strict';
import { browseState, finishedTest, pageState, RUNNING } from '../support/agentPages';
import { stopBrowser } from '../support/browser';
import { AgentsView } from './support/agentsView';

describe('the pages of agents, with the keyboard alone', function () {
  this.timeout(60_000);
  let view: AgentsView;
  beforeEach(async () => {
    view = await AgentsView.open();
  });
  afterEach(() => view.close());
  after(stopBrowser);

  const focused = () =>
    view.page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '');
  const names = () => view.page.locator('.agent-row .agent-name').allTextContents();
  const press = async (...keys: string[]): Promise<void> => {
    for (const key of keys) {
      await view.page.keyboard.press(key);
    }
  };

  it('filters at each key, announces the number, and keeps the order of names first', async () => {
    await view.send(browseState());
    assert.equal(await focused(), 'Search agents');
    await view.page.keyboard.type('g');
    assert.equal((await names())[0], 'Goose');
    await view.page.keyboard.type('oo');
    assert.deepEqual(await names(), ['Goose', 'Gemini CLI']);
    assert.equal(await view.page.locator('.agents-count').textContent(), '2 agents');
    assert.equal(await view.page.locator('.agents-count').getAttribute('role'), 'status');
    await view.page.keyboard.type('xyz');
    assert.equal(await view.page.locator('.agents-count').textContent(), 'No agents found.');
    await press('Escape');
    assert.equal((await names()).length, 11);
  });

  it('moves between the rows with the arrow keys, and opens the current one', async () => {
    await view.send(browseState());
    const [first, second] = await names();
    await press('ArrowDown');
    assert.match(await focused(), new RegExp(`^${first}`));
    await press('ArrowDown');
    assert.match(await focused(), new RegExp(`^${second}`));
    await press('Enter');
    assert.deepEqual(
      (await view.posted('open')).map(({ key }) => key),
      ['registry/vibe'],
    );
    await press('End');
    assert.match(await focused(), /^Broken/);
    await press('Home', 'ArrowUp');
    assert.equal(await focused(), 'Search agents');
  });

  it('reaches the buttons of the current row alone with Tab, and with the right arrow', async () => {
    await view.send(browseState());
    await press('ArrowDown', 'Tab');
    assert.equal(await focused(), 'Update: Goose');
    await press('Enter');
    assert.deepEqual(await view.posted('act'), [{ type: 'act', key: 'registry/goose', action: 'update' }]);
    assert.deepEqual(await view.posted('open'), []);
    await press('ArrowRight');
    assert.equal(await focused(), 'New Session: Goose');
    await press('ArrowLeft', 'ArrowLeft');
    assert.match(await focused(), /^Goose/);
    // The last button is followed by the end of the page, after which Chromium begins again, and not by the buttons of other rows.
    await press('ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight');
    assert.equal(await focused(), 'Uninstall: Goose');
    await press('Tab');
    assert.equal(await view.page.evaluate(() => document.activeElement?.closest('.agent-row') === null), true);
  });

  it('keeps the focus in the row when its button is gone', async () => {
    const state = browseState();
    await view.send(state);
    await press('ArrowDown', 'Tab');
    await view.send({ ...state, agents: state.agents.map((row) => ({ ...row, actions: ['cancel' as const] })) });
    assert.match(await focused(), /^Goose/);
  });

  it('narrows the list by the pressed filters', async () => {
    await view.send(browseState());
    await view.page.getByRole('button', { name: 'Installed', exact: true }).focus();
    await press('Space');
    assert.deepEqual(await names(), ['Goose', 'Mistral Vibe']);
    await view.page.getByRole('button', { name: 'Updates', exact: true }).focus();
    await press('Space');
    assert.deepEqual(await names(), ['Goose']);
    assert.equal(await view.page.locator('.agents-input').inputValue(), '@updates @installed');
  });

  it('selects tabs with the arrow keys', async () => {
    await view.send(pageState('Goose', { test: finishedTest() }));
    await view.page.getByRole('tab', { name: 'Details' }).focus();
    await press('ArrowRight', 'ArrowRight');
    assert.equal(await view.page.getByRole('tab', { name: 'Versions' }).getAttribute('aria-selected'), 'true');
    await press('End');
    assert.equal(await focused(), 'Test');
    await press('ArrowRight');
    assert.equal(await focused(), 'Details');
    await press('Tab');
    assert.equal(await view.page.evaluate(() => document.activeElement?.getAttribute('role')), 'tabpanel');
  });

  it('opens web links of a readme, and no others', async () => {
    await view.send(pageState());
    const link = view.page.getByRole('link', { name: 'guide' });
    await link.focus();
    await press('Enter');
    assert.deepEqual(await view.posted('link'), [{ type: 'link', href: 'https://example.com/guide' }]);
    assert.equal(await view.page.getByRole('link').count(), 1);
    assert.equal(await view.page.locator('.readme img').count(), 0);
  });

  it('stops a running agent and shows its session', async () => {
    await view.send(RUNNING);
    await view.page.getByRole('button', { name: 'Stop: Goose' }).focus();
    await press('Enter');
    await view.page.getByRole('button', { name: 'Write the docs' }).focus();
    await press('Enter');
    assert.deepEqual(await view.posted('act'), [{ type: 'act', key: 'p1', action: 'stop' }]);
    assert.deepEqual(await view.posted('show_session'), [{ type: 'show_session', key: 's2' }]);
  });

  it('draws a hostile icon as a mask, in which no script runs and nothing is loaded', async () => {
    const icon =
      '<svg xmlns="http://www.w3.org/2000/svg" onload="window.hacked=1"><script>window.hacked=1</script><image href="https://example.com/x"/></svg>")';
    const state = browseState();
    await view.send({ ...state, agents: state.agents.map((row) => ({ ...row, icon, name: '<b onclick="window.hacked=1">x</b>' })) });
    assert.equal(await view.page.evaluate(() => 'hacked' in window), false);
    assert.equal(await view.page.locator('.agent-name b').count(), 0);
  });

  it('starts the version of a row, and names the one that a rollback starts', async () => {
    await view.send(pageState());
    await view.send({ type: 'tab', tab: 'versions' });
    const rollBack = view.page.getByRole('button', { name: 'Roll Back: Goose', exact: true });
    assert.equal(await rollBack.getAttribute('title'), 'Roll Back to 1.9.0');
    const use = view.page.getByRole('button', { name: 'Use 1.9.0: Goose', exact: true });
    assert.equal(await use.textContent(), 'Use 1.9.0');
    await use.focus();
    await press('Enter');
    assert.deepEqual(await view.posted('act'), [{ type: 'act', key: 'registry/goose', action: 'use_version', version: '1.9.0' }]);
  });

  it('shows for a moment what an action has done', async () => {
    await view.page.clock.install();
    await view.send(pageState('Goose', { test: finishedTest() }));
    await view.send({ type: 'tab', tab: 'test' });
    await view.page.getByRole('button', { name: 'Copy Report: Goose', exact: true }).focus();
    await press('Enter');
    assert.equal((await view.posted('act')).at(-1)?.action, 'copy_report');
    await view.send({ type: 'say', text: 'Report copied.' });
    const said = view.page.getByText('Report copied.', { exact: true });
    assert.ok((await said.boundingBox())!.width > 60);
    await view.page.clock.runFor(6000);
    assert.equal(await said.count(), 0);
  });

  it('shows the description of an agent without a readme once', async () => {
    for (const [name, hint] of [
      ['Mistral Vibe', 'No readme.'],
      ['Cline', 'The readme is shown once the agent is installed.'],
    ] as const) {
      const state = pageState(name);
      await view.send(state);
      await view.page.getByText(hint, { exact: true }).waitFor();
      assert.equal(await view.page.getByText(state.agent.description, { exact: true }).count(), 1, name);
    }
  });
});
