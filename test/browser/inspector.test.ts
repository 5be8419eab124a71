/** The inspector: filters, search, following, the open message, keys, and its bounds. */
import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { keepPicture, root, stopBrowser } from '../support/browser';
import { addBusyAgent, inspectedTraces, SECRET } from '../support/inspectedAgents';
import { Traces } from '../../src/acp/trace/traces';
import { systemClock } from '../../src/util/clock';
import { brokenIn } from './support/axe';
import { InspectorView } from './support/inspectorView';
import { themesOf } from './support/themesOf';

describe('the inspector', function () {
  this.timeout(120_000);
  let view: InspectorView | undefined;
  const folder = path.join(root, 'test-results', 'inspector');

  before(() => mkdir(folder, { recursive: true }));
  afterEach(async () => {
    await view?.close();
    view = undefined;
  });
  after(stopBrowser);

  const count = async (opened: InspectorView): Promise<string> =>
    (await opened.page.locator('.inspector-count > span').first().textContent()) ?? '';

  for (const theme of themesOf(['dark', 'light', 'hc', 'hc-light'], ['dark', 'light'])) {
    it(`breaks no rule of accessibility in ${theme}`, async () => {
      view = await InspectorView.open(inspectedTraces(), { theme });
      const { page } = view;
      for (const name of ['list', 'message']) {
        if (name === 'message') {
          await view.row(/tool_call/).click();
          await page.getByText(/differences? from the schema/).waitFor();
        }
        for (const width of [300, 600, 1200]) {
          await page.setViewportSize({ width, height: 800 });
          await keepPicture(page, path.join(folder, `${name}-${theme}-${width}.png`));
          assert.deepEqual(await brokenIn(theme, view.asView), [], `${name} at ${width}`);
          const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
          assert.ok(overflow <= 0, `${name} at ${width} is ${overflow} pixels too wide`);
        }
      }
    });
  }

  it('shows requests of each program with their answers and times', async () => {
    view = await InspectorView.open(inspectedTraces());
    await view.row(/^Request to the agent, initialize, 121 ms/).waitFor();
    await view.row(/^Request to the agent, proxy\/initialize, context, 121 ms/).waitFor();
    await view
      .row(/^Request from the agent, proxy\/successor initialize, filter, no response yet/)
      .first()
      .waitFor();
    await view.row(/^Request to the agent, session\/prompt, error, 31 ms/).waitFor();
    assert.ok(!(await view.page.content()).includes(SECRET));
  });

  it('filters by program, direction, method, session and errors', async () => {
    view = await InspectorView.open(inspectedTraces());
    const { page } = view;
    const select = (name: string, label: string) => page.getByRole('combobox', { name }).selectOption({ label });
    const all = await count(view);
    await select('Program', 'filter');
    await page.getByText(/^\d+ of \d+ messages\.$/).waitFor();
    await view.row(/stderr/).waitFor();
    assert.equal(await view.row(/fs\/read/).count(), 0);
    await select('Program', 'ACP Host');
    await select('Direction', 'From the agent');
    await select('Method', 'fs/read_text_file');
    assert.match(await count(view), /^1 of \d+ messages\.$/);
    await page.getByRole('button', { name: 'Clear Filters' }).click();
    assert.equal(await count(view), all);
    await page.getByRole('button', { name: 'Errors Only' }).click();
    await view.row(/Not a message/).waitFor();
    await view.row(/^Request to the agent, session\/prompt, error/).waitFor();
    assert.equal(await view.row(/initialize/).count(), 0);
  });

  it('finds text anywhere in a message, but no secret', async () => {
    view = await InspectorView.open(inspectedTraces());
    const search = view.page.getByRole('searchbox', { name: 'Search in messages' });
    await search.fill('2.0.0"');
    await view.page.getByText(/^4 of \d+ messages\.$/).waitFor();
    await search.fill(SECRET);
    await view.page.getByText(/^0 of \d+ messages\.$/).waitFor();
    await view.page.getByText('No messages match the filters.').waitFor();
    await search.fill('PLEASE');
    await view.page.getByText('No messages match the filters.').waitFor({ state: 'detached' });
    await view
      .row(/^Request to the agent, session\/prompt, error/)
      .first()
      .click();
    await view.detail.getByText('please').waitFor();
    const hits = (): Promise<string[]> =>
      view!.page.evaluate(() => [...(CSS.highlights.get('inspector-hit') ?? [])].map((range) => String(range)));
    assert.deepEqual(await hits(), ['please']);
    await search.fill('');
    await view.page.waitForFunction(() => (CSS.highlights.get('inspector-hit')?.size ?? 0) === 0);
  });

  it('opens a message as JSON with what is wrong, and leads to its answer', async () => {
    view = await InspectorView.open(inspectedTraces());
    const { page, detail } = view;
    await view.row(/tool_call/).click();
    await detail.getByText('2 differences from the schema of version 1.').waitFor();
    const marks = detail.getByRole('list', { name: 'Differences from the schema' });
    assert.match((await marks.textContent()) ?? '', /params\.update\.toolCallId has another type than string\..*params\.update\.status/s);
    assert.match((await marks.textContent()) ?? '', /The schema doesn't have params\.update\.shade\./);
    await marks.getByRole('button').first().click();
    assert.match((await page.evaluate(() => document.activeElement?.textContent)) ?? '', /"toolCallId": 7/);
    await view.row(/^Request to the agent, session\/prompt, error/).click();
    await detail.getByText('Fits the schema of version 1.').waitFor();
    assert.match((await detail.getByRole('region', { name: 'Content of the message' }).textContent()) ?? '', /Use \[redacted\], please/);
    await detail.getByRole('button', { name: 'Go to Response' }).click();
    await detail.getByText('"Sign in first"').waitFor();
    await detail.getByRole('button', { name: 'Copy' }).click();
    await detail.getByRole('button', { name: 'Go to Request' }).click();
    await detail.getByText('please').waitFor();
    assert.match(view.host.done.join(), /^copy \{\n {2}"jsonrpc": "2\.0",\n {2}"id": 3,\n {2}"error"/);
  });

  it('is used with the keyboard alone', async () => {
    view = await InspectorView.open(inspectedTraces());
    const { page, list, detail } = view;
    await list.focus();
    await page.keyboard.press('Home');
    assert.equal(await view.row(/^Request to the agent, initialize, 121/).getAttribute('aria-selected'), 'true');
    await page.keyboard.press('ArrowDown');
    const active = await list.getAttribute('aria-activedescendant');
    assert.match((await page.locator(`#${active}`).getAttribute('aria-label')) ?? '', /proxy\/initialize, context/);
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    assert.equal(await detail.evaluate((element) => element === document.activeElement), true);
    await page.keyboard.press('Escape');
    assert.equal(await list.evaluate((element) => element === document.activeElement), true);
    // Every control is reached with Tab.
    const reached = new Set<string>();
    for (let index = 0; index < 40; index++) {
      await page.keyboard.press('Tab');
      reached.add(
        await page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? ''),
      );
    }
    for (const name of [
      'Search in messages',
      'Program',
      'Direction',
      'Method',
      'Errors Only',
      'Follow',
      'Replay',
      'Export…',
      'Copy',
      'Close',
      'Messages',
    ]) {
      assert.ok(reached.has(name), `${name} of ${[...reached].join(' | ')}`);
    }
  });

  it('follows new messages until the user scrolls back', async () => {
    const traces = new Traces(systemClock);
    const agent = addBusyAgent(traces, 300);
    view = await InspectorView.open(traces);
    const { page } = view;
    await view.row(/word 299/).waitFor();
    agent.trace.received('{"jsonrpc":"2.0","method":"session/update","params":{"late":"one"}}');
    await view.row(/late/).waitFor();
    await view.list.hover();
    await page.mouse.wheel(0, -2000);
    await page.getByRole('button', { name: 'Follow', pressed: false }).waitFor();
    agent.trace.received('{"jsonrpc":"2.0","method":"session/update","params":{"later":"one"}}');
    await page.getByText('302 messages.').waitFor();
    assert.equal(await view.row(/later/).count(), 0);
    await page.getByRole('button', { name: 'Follow' }).click();
    await view.row(/later/).waitFor();
  });

  it('draws only the rows on the screen, and says what was dropped', async () => {
    const traces = new Traces(systemClock);
    const agent = addBusyAgent(traces, 4100);
    view = await InspectorView.open(traces);
    await view.page.getByText('4000 messages.').waitFor();
    await view.page.getByText('100 older messages were dropped.').waitFor();
    await view.page.getByText('The last 4,000 messages are kept, 16 MB at most.').waitFor();
    assert.ok((await view.list.getByRole('option').count()) < 80);
    assert.ok(view.largest <= 200);
    for (let index = 0; index < 6000; index++) {
      agent.trace.received(`{"jsonrpc":"2.0","method":"session/update","params":{"flood":${index}}}`);
    }
    await view.row(/flood":5999/).waitFor();
    await view.list.focus();
    await view.page.keyboard.press('Home');
    await view.detail.waitFor();
  });

  it('starts a replay and an export, and waits for a first agent', async () => {
    const traces = new Traces(systemClock);
    view = await InspectorView.open(traces);
    await view.page.getByText('No agent has run in this window yet.').waitFor();
    addBusyAgent(traces, 1);
    await view.row(/word 0/).waitFor();
    await view.page.getByRole('button', { name: 'Replay' }).click();
    await view.page.getByRole('button', { name: 'Export…' }).click();
    await view.page.waitForFunction(() => true);
    assert.deepEqual(view.host.done, ['replay Busy', 'export Busy']);
  });
});
