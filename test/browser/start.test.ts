/** An empty conversation: its suggestions, and the header's actions. */
import assert from 'node:assert/strict';
import type { StartPage } from '../../src/core/protocol/view';
import { eachInItsOwnView, View } from './support/view';

const CALC = { name: 'calc.js', uri: 'file:///home/ada/sample/src/calc.js' };
const FACTS: StartPage = { demo: false, folder: 'project', git: false, recent: [], location: 'editor' };

describe('view: an empty conversation', function () {
  this.timeout(30_000);
  let view: View;

  eachInItsOwnView(
    (opened) => (view = opened),
    async (opened) => {
      await opened.ready();
      await opened.tame();
      await page().waitFor();
    },
  );

  const page = () => view.page.getByRole('region', { name: 'Get started' });
  const message = () => view.page.getByRole('textbox', { name: 'Message', exact: true });
  const starters = () => page().getByRole('list', { name: 'Suggestions' }).getByRole('button').allInnerTexts();
  const starter = (name: string) => page().getByRole('button', { name, exact: true });
  const begin = async (facts: Partial<StartPage>) => {
    await view.send({ type: 'start_page', ...FACTS, ...facts });
    await page().getByRole('list', { name: 'Suggestions' }).waitFor();
    await view.painted();
  };
  const hasFocus = () => message().evaluate((element) => element === document.activeElement);
  const draftOf = async () => ({
    text: await message().inputValue(),
    files: await view.page
      .locator('.attachments')
      .getByRole('button', { name: /^Remove / })
      .count(),
  });

  it('has the edges of the message box', async () => {
    await begin({});
    for (const width of [300, 460]) {
      await view.page.setViewportSize({ width, height: 700 });
      await view.painted();
      const [list, box] = await Promise.all(['.starters', '.composer-box'].map((each) => view.page.locator(each).boundingBox()));
      assert.deepEqual([list!.x, list!.width], [box!.x, box!.width], `at ${width}`);
    }
  });

  it('stays below an agent’s banner until the user sends a message', async () => {
    const lines = Array.from({ length: 20 }, (_, index) => `banner line ${index}`).join('\n\n');
    await view.happen(
      { type: 'message_chunk', role: 'agent', messageId: 'b', content: { type: 'text', text: lines } },
      { type: 'available_commands', commands: [{ name: 'help', description: 'Help' }] },
    );
    await begin({});
    const banner = view.page.getByText('banner line 19', { exact: true });
    await banner.waitFor();
    const [above, below] = [await banner.boundingBox(), await page().boundingBox()];
    assert.ok(above!.y + above!.height <= below!.y, JSON.stringify([above, below]));
    await message().fill('/');
    assert.deepEqual(await view.page.getByRole('option').filter({ hasText: 'export' }).count(), 0);
    await view.happen({ type: 'message_chunk', role: 'user', messageId: 't', content: { type: 'text', text: 'hello' } });
    await page().waitFor({ state: 'detached' });
  });

  it('suggests three or four prompts, about the open file if there is one', async () => {
    await begin({ file: CALC });
    assert.deepEqual(await starters(), ['Explain this project', 'Find a bug in calc.js', 'Write a test for calc.js']);
    await begin({ file: CALC, git: true, folder: 'folder' });
    assert.deepEqual(await starters(), ['Explain this folder', 'Find a bug in calc.js', 'Write a test for calc.js', 'Review my changes']);
    await begin({ file: { name: 'calc.test.js', uri: 'file:///home/ada/sample/calc.test.js' } });
    assert.deepEqual(await starters(), ['Explain this project', 'Find a bug in calc.test.js', 'Add tests to calc.test.js']);
    await begin({ file: { name: 'README.md', uri: 'file:///home/ada/sample/README.md' } });
    assert.deepEqual(await starters(), ['Explain this project', 'Find mistakes in README.md', 'Explain README.md']);
    await begin({ git: true });
    assert.deepEqual(await starters(), ['Explain this project', 'Find a bug', 'Write a missing test', 'Review my changes']);
    await begin({ folder: 'empty' });
    assert.equal((await starters()).length, 3);
    await begin({ demo: true, file: CALC });
    assert.equal((await starters())[0], 'Show me what you can do');
  });

  it('puts the chosen prompt into the message box, with the file, and sends nothing', async () => {
    await begin({ file: CALC });
    await starter('Find a bug in calc.js').click();
    assert.deepEqual(await draftOf(), { text: 'Find a bug in calc.js and explain how to fix it.', files: 1 });
    assert.ok(await hasFocus());
    // Another choice replaces the first.
    await starter('Explain this project').click();
    const { text, files } = await draftOf();
    assert.match(text, /^Explain this project: /);
    assert.equal(files, 0);
    assert.deepEqual(await view.posted('prompt'), []);
    await message().press('Enter');
    assert.deepEqual(await view.postedAtLeast('prompt'), [{ type: 'prompt', content: [{ type: 'text', text }] }]);
  });

  it('keeps typed text and attachments', async () => {
    await view.send({ type: 'attach', blocks: [{ type: 'resource_link', uri: CALC.uri, name: CALC.name }] });
    await message().fill('In French, please.');
    await begin({ file: CALC });
    await starter('Write a test for calc.js').click();
    assert.deepEqual(await draftOf(), { text: 'In French, please.\n\nWrite a test for calc.js.', files: 1 });
    await starter('Find a bug in calc.js').click();
    assert.match((await draftOf()).text, /^In French, please\.\n\nWrite a test for calc\.js\.\n\nFind a bug/);
  });

  it('starts the demo agent’s tour at once, on the active file', async () => {
    await begin({ demo: true, file: CALC });
    await starter('Show me what you can do').click();
    const [prompt] = await view.postedAtLeast('prompt');
    assert.deepEqual(prompt?.content, [
      { type: 'text', text: 'Show me what you can do' },
      { type: 'resource_link', uri: CALC.uri, name: CALC.name },
    ]);
    assert.deepEqual(await draftOf(), { text: '', files: 0 });
  });

  it('opens a recent session, and the list of all', async () => {
    await begin({
      recent: [
        { sessionKey: 'k-1', title: 'Fix the calculator', about: 'Codex, yesterday' },
        { sessionKey: 'k-2', title: '', about: 'Codex, 2 days ago' },
      ],
    });
    await page()
      .getByRole('button', { name: /^Fix the calculator Codex, yesterday/ })
      .click();
    assert.deepEqual(await view.postedAtLeast('open_session'), [{ type: 'open_session', sessionKey: 'k-1' }]);
    await page().getByRole('button', { name: 'Show All…' }).click();
    assert.deepEqual(await view.postedAtLeast('action'), [{ type: 'action', action: 'session_history' }]);
  });

  it('mentions only the existing keys and sign-in', async () => {
    await begin({});
    assert.equal(await page().locator('kbd').count(), 0);
    assert.equal(await page().getByText(/sign/i).count(), 0);
    await view.happen(
      { type: 'available_commands', commands: [{ name: 'plan', description: 'Plans' }] },
      { type: 'sign_in', status: 'signed_in' },
    );
    await page().getByText('Signed in', { exact: true }).waitFor();
    assert.deepEqual(await page().locator('kbd').allInnerTexts(), ['/']);
  });

  it('shows no settings, such as where chats open', async () => {
    for (const location of ['editor', 'sideBar'] as const) {
      await begin({ location });
      assert.equal(await page().getByRole('radio').count(), 0);
      assert.equal(await view.page.getByText(/Open chats in/).count(), 0);
    }
  });

  it('requests its facts again when another file becomes active', async () => {
    await view.postedAtLeast('start_page');
    const before = (await view.posted('start_page')).length;
    await view.send({ type: 'editor', fileName: 'calc.js' });
    await view.postedAtLeast('start_page', before + 1);
  });

  it('shows untrusted names as plain text, and no longer than a line', async () => {
    await begin({
      file: { name: '<img src=x> **b**\u202e.js', uri: CALC.uri },
      recent: [{ sessionKey: 'k', title: '[x](command:a) '.repeat(100), about: '<b>' }],
    });
    assert.match((await starters())[1]!, /^Find a bug in <img src=x> \*\*b\*\*/);
    assert.equal(await page().locator('img, b').count(), 0);
    assert.ok((await page().locator('.recent-title').boundingBox())!.height < 40);
  });

  it('disappears with the first message, and does not cover a failure', async () => {
    await begin({});
    await view.happen(
      { type: 'turn_started', turnId: 't' },
      { type: 'message', role: 'user', messageId: 'm', content: [{ type: 'text', text: 'Hi' }] },
    );
    await page().waitFor({ state: 'detached' });
    await view.page.evaluate(() => window.playground.stage.restart());
    await view.ready();
    await page().waitFor();
    await view.happen({ type: 'disconnected', failure: { code: 'agent.exited', params: { exitCode: 1 } } });
    await page().waitFor({ state: 'detached' });
  });

  it('fits any width', async () => {
    await begin({ file: { ...CALC, name: 'a-file-with-a-rather-long-name-for-its-size.component.ts' }, git: true });
    for (const width of [300, 420, 900, 1600]) {
      await view.page.setViewportSize({ width, height: 500 });
      await view.painted();
      const wide = await view.page.evaluate(
        () => [...document.querySelectorAll('.start, .header, body')].filter((each) => each.scrollWidth > each.clientWidth + 1).length,
      );
      assert.equal(wide, 0, `${width} px`);
    }
  });
});

describe('view: a page with a conversation', function () {
  this.timeout(30_000);

  it('does not load the code of the start page', async () => {
    const loaded: string[] = [];
    const view = await View.document('gallery', {}, async (page) => {
      await page.route(/\.js/, (route) => {
        loaded.push(route.request().url());
        return route.continue();
      });
    });
    try {
      await view.page.locator('.log > .page').first().waitFor();
      await view.whole();
      assert.ok(
        loaded.some((file) => /toolChunk/.test(file)),
        loaded.join('\n'),
      );
      assert.ok(!loaded.some((file) => /startPage/.test(file)), loaded.join('\n'));
    } finally {
      await view.close();
    }
  });
});

describe('view: the header', function () {
  this.timeout(30_000);
  let view: View;
  eachInItsOwnView((opened) => (view = opened));

  const focused = () =>
    view.page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '');
  const more = () => view.page.getByRole('button', { name: 'More Actions…' });

  it('shows the first prompt as title until the agent sets one', async () => {
    await view.tame();
    const title = () => view.page.getByRole('heading', { level: 1 }).innerText();
    assert.equal((await title()).trim(), 'Demo Agent');
    await view.happen(
      { type: 'turn_started', turnId: 't' },
      { type: 'message', role: 'user', messageId: 'm', content: [{ type: 'text', text: '# Fix `add`\n\nin **calc.js**' }] },
    );
    await view.page.getByRole('heading', { name: 'Fix add', exact: true }).waitFor();
    await view.happen({ type: 'session_info', title: 'Calculator' });
    await view.page.getByRole('heading', { name: 'Calculator', exact: true }).waitFor();
  });

  it('shows the session’s folder', async () => {
    const folder = view.page.locator('.header-folder');
    assert.equal(await folder.getAttribute('title'), 'Folder: /home/ada/sample');
    assert.match(await folder.innerText(), /sample/);
  });

  it('leads to a new session, to other sessions, and to the actions of this one', async () => {
    await view.page.getByRole('button', { name: 'New Session', exact: true }).click();
    await view.page.getByRole('button', { name: 'Session History', exact: true }).click();
    assert.deepEqual(
      (await view.postedAtLeast('action', 2)).map(({ action }) => action),
      ['new_session', 'session_history'],
    );
  });

  it('never starts with an action that ends the session', async () => {
    await view.tame();
    await view.happen(
      { type: 'turn_started', turnId: 't' },
      { type: 'message', role: 'user', messageId: 'm', content: [{ type: 'text', text: 'Hi' }] },
      { type: 'turn_ended', turnId: 't', stopReason: 'end_turn' },
    );
    const menu = view.page.getByRole('menu');
    for (const key of ['Enter', 'ArrowDown', 'ArrowUp']) {
      await more().focus();
      await view.page.keyboard.press(key);
      await menu.waitFor();
      assert.notEqual(await focused(), 'End Session', key);
      assert.notEqual(await focused(), '', key);
      const names = await menu.getByRole('menuitem').evaluateAll((all) => all.map((item) => item.getAttribute('aria-label')));
      assert.equal(names.at(-1), 'End Session');
      assert.ok(await menu.evaluate((element) => element.lastElementChild?.previousElementSibling?.getAttribute('role') === 'separator'));
      await view.page.keyboard.press('Escape');
      await menu.waitFor({ state: 'detached' });
    }
    await more().click();
    await menu.getByRole('menuitem', { name: 'Find' }).click();
    await view.page.getByRole('searchbox', { name: 'Find in conversation' }).waitFor();
    await view.happen({ type: 'session_ended' });
    await more().click();
    assert.equal(await menu.getByRole('menuitem', { name: 'End Session' }).count(), 0);
  });
});
