import assert from 'node:assert/strict';
import type { ToolCallPatch } from '../../src/core/model/event';
import { asked } from './support/asked';
import { eachInItsOwnView, keepPicture, root, type View } from './support/view';
import { permissionRequest, toolCall, toolDiff, toolText } from '../support/events';

describe('tool cards', function () {
  this.timeout(60_000);
  let view: View;

  eachInItsOwnView((opened) => (view = opened));

  const call = (patch: ToolCallPatch) => toolCall('x', { title: 'X', status: 'completed', ...patch });
  const card = () => view.page.getByRole('article', { name: /^X/ });
  const header = () => card().getByRole('button', { name: /^X/ });

  it('start with the reason of a failed call, expanded or not', async () => {
    await view.happen(
      call({
        status: 'failed',
        content: [toolDiff('/a', 'a\n', 'b\n'), toolText('No such text in the file.')],
        locations: [{ path: '/a', line: 2 }],
        rawInput: { file_path: '/a' },
      }),
    );
    await card().getByText('No such text in the file.').waitFor();
    const words = await card().locator('.tool-body').innerText();
    assert.ok(words.startsWith('No such text in the file.'), words);
    await view.happen({ type: 'tool_call_update', toolCallId: 'y', patch: { title: 'Y', status: 'failed' } });
    await view.page.getByRole('article', { name: 'Y, Failed' }).getByText("The agent didn't give a reason.").waitFor();
  });

  for (const title of ['X edit src/b.txt', 'X src/application/sessions/agentHistory.ts']) {
    it(`keep the chevron beside the first line of the title in a narrow page: ${title}`, async () => {
      await view.page.setViewportSize({ width: 289, height: 600 });
      const edit = (status: string) =>
        call({
          title,
          kind: 'edit',
          status,
          content: [toolDiff('/a', 'a\n', 'b\n')],
          locations: [{ path: '/a' }],
          rawInput: { path: '/a' },
        });
      await view.happen(
        edit('pending'),
        permissionRequest('p', title, { subject: { toolCallId: 'x' }, options: [{ optionId: 'y', name: 'Yes', kind: 'allow_once' }] }),
      );
      await view.happen({ type: 'permission_resolved', permissionId: 'p', outcome: 'selected', optionId: 'y' }, edit('completed'));
      if ((await header().getAttribute('aria-expanded')) !== 'true') {
        await header().click();
      }
      await view.painted();
      await keepPicture(view.page, `${root}/test-results/tool-cards/chevron-${title.length}.png`);
      const places = await header().evaluate((each) => {
        const { top, right } = each.querySelector('.icon-chevron')!.getBoundingClientRect();
        const words = each.querySelector('.tool-title')!.getBoundingClientRect();
        return { chevron: top - words.top, beside: right > words.right, height: each.getBoundingClientRect().height };
      });
      assert.ok(places.beside && Math.abs(places.chevron) < 8, JSON.stringify(places));
      assert.ok(title.length > 20 || places.height < 34, JSON.stringify(places));
    });
  }

  it('list the tool’s input by name, and show it as JSON on request', async () => {
    await view.happen(
      call({
        kind: 'other',
        rawInput: {
          query: 'greet <b>',
          body: Array.from({ length: 50 }, (_, line) => `line ${line}`).join('\n'),
          options: { deep: Array.from({ length: 30 }, (_, index) => index) },
        },
      }),
    );
    await header().click();
    assert.equal(await card().getByText('greet <b>').count(), 0);
    await card().getByRole('button', { name: 'Input', exact: true }).click();
    await card().getByText('greet <b>', { exact: true }).waitFor();
    assert.deepEqual(await card().locator('dt').allInnerTexts(), ['query', 'body', 'options']);
    const body = card().getByRole('group', { name: 'body' });
    assert.ok(!(await body.innerText()).includes('line 20'));
    await card().getByRole('button', { name: 'Show all 50 lines' }).click();
    assert.ok((await body.innerText()).includes('line 49'));
    const json = card().getByRole('button', { name: 'JSON', exact: true });
    assert.equal(await json.getAttribute('aria-pressed'), 'false');
    await json.click();
    await card().getByText('"query": "greet <b>"').waitFor();
    assert.equal(await card().locator('dl').count(), 0);
    await card().getByRole('button', { name: 'Copy' }).click();
    assert.deepEqual(JSON.parse((await view.postedAtLeast('copy'))[0]!.text).query, 'greet <b>');
  });

  it('fetch a long input on request, and list it then', async () => {
    await view.happen(call({ rawInput: { path: '/a', content: 'x'.repeat(5000) } }));
    await header().click();
    await card().getByRole('button', { name: 'Input', exact: true }).click();
    await card()
      .getByRole('button', { name: /^Show all 5\d+ characters$/ })
      .click();
    await card().locator('dt', { hasText: 'content' }).waitFor();
  });

  it('format JSON that came on one line, unless it is a file', async () => {
    await view.happen(call({ kind: 'other', content: [toolText('{"id":1,"list":["a"]}')] }), {
      type: 'tool_call_update',
      toolCallId: 'file',
      patch: { title: 'Read it', kind: 'read', status: 'completed', content: [toolText('{"id":1}')] },
    });
    await header().click();
    assert.equal((await card().getByRole('group', { name: 'Output' }).innerText()).trim(), '{\n  "id": 1,\n  "list": [\n    "a"\n  ]\n}');
    const file = view.page.getByRole('article', { name: /^Read it/ });
    await file.getByRole('button').first().click();
    assert.equal((await file.getByRole('group', { name: 'Output' }).innerText()).trim(), '{"id":1}');
  });

  it('show the running time, from three seconds on, and the total', async () => {
    const clock = (atAgo: number, status: string) =>
      view.page.evaluate(
        ([ago, now]) =>
          window.playground.stage.events([
            { type: 'tool_call_update', toolCallId: 'x', patch: { title: 'X', status: 'in_progress' }, at: Date.now() - ago },
            { type: 'tool_call_update', toolCallId: 'x', patch: { status: now }, at: Date.now() },
          ]),
        [atAgo, status] as const,
      );
    await view.happen({ type: 'turn_started', turnId: 't' });
    await clock(61_000, 'in_progress');
    await view.page.waitForFunction(() => /^1 min [1-9] s$/.test(document.querySelector('.tool-time')?.textContent ?? ''));
    await clock(61_000, 'failed');
    await view.page.waitForFunction(() => /^1 min [1-9] s$/.test(document.querySelector('.tool-failed .tool-time')?.textContent ?? ''));
  });

  it('show a command as running whose agent reports nothing after its input', async () => {
    await view.happen({ type: 'turn_started', turnId: 't' });
    await view.happen(call({ status: 'pending', kind: 'execute', rawInput: {} }));
    await view.page.getByRole('article', { name: 'X, Pending' }).waitFor();
    await view.happen(call({ status: 'pending', kind: 'execute', rawInput: { command: 'sleep 60' } }));
    await view.page.getByRole('article', { name: /^X.*, Running$/ }).waitFor();
    await view.happen({ type: 'turn_ended', turnId: 't', stopReason: 'end_turn' });
    await view.page.getByRole('article', { name: /^X.*, In background$/ }).waitFor();
  });

  it('show a title without code marks, in both notations', async () => {
    await view.happen(call({ title: 'X `src/a.ts`' }));
    assert.equal(await card().locator('.tool-title').innerText(), 'X src/a.ts');
    await view.happen(call({ title: '`ls -la`', kind: 'execute' }));
    await view.page.locator('.tool-title').getByText('ls -la', { exact: true }).waitFor();
    await view.happen(call({ title: `X ${'مرحبا '.repeat(200)}` }));
    const box = await card()
      .locator('.tool-header')
      .evaluate((element) => [element.scrollWidth - element.clientWidth, element.getBoundingClientRect().height]);
    assert.ok(box[0]! <= 0 && box[1]! < 40, box.join());
  });

  it('number the lines of a passage from the agent’s line, and omit numbers without one', async () => {
    await view.happen(call({ kind: 'edit', content: [toolDiff('/a', 'return 1;', 'return 2;')] }));
    await card().locator('.diff-line').first().waitFor();
    assert.deepEqual(await card().locator('.diff-number').allTextContents(), ['', '']);
    await view.happen(call({ locations: [{ path: '/a', line: 217 }] }));
    await view.page.waitForFunction(() => document.querySelector('.diff-number')?.textContent === '217');
    await card().getByRole('button', { name: '/a', exact: true }).click();
    assert.deepEqual((await view.postedAtLeast('open_location'))[0], { type: 'open_location', path: '/a', line: 217 });
  });

  it('number the lines of a change by its location in the file, which opens at the first changed line', async () => {
    const diff = toolDiff('/a', 'one\ntwo\n', 'one\nTWO\n');
    await view.happen(call({ kind: 'edit', content: [diff] }));
    await card().locator('.diff-line').first().waitFor();
    assert.deepEqual(await card().locator('.diff-number').allTextContents(), ['', '', '']);
    await view.happen({ type: 'diff_located', entryId: 'tool_call:x', lines: [{ content: 0, change: 0, line: 40 }] });
    await view.page.waitForFunction(() => document.querySelector('.diff-number')?.textContent === '40');
    assert.deepEqual(await card().locator('.diff-number').allTextContents(), ['40', '41', '41']);
    await card().getByRole('button', { name: '/a', exact: true }).click();
    assert.deepEqual((await view.postedAtLeast('open_location'))[0], { type: 'open_location', path: '/a', line: 41 });
  });

  it('show a command once, and the agent’s raw input by the menu', async () => {
    await view.happen(
      { type: 'terminal_update', terminalId: 't', ours: true, command: 'X --all' },
      { type: 'terminal_output', terminalId: 't', text: 'fine\r\n' },
      { type: 'terminal_update', terminalId: 't', exitStatus: { exitCode: 0 } },
      call({
        title: '`X --all`',
        kind: 'execute',
        content: [{ type: 'terminal', terminalId: 't' }],
        rawInput: { command: 'X --all', description: 'Runs it' },
        rawOutput: { stdout: 'fine' },
      }),
    );
    await card().getByText('fine').waitFor();
    const raw = (name: string) => card().getByRole('button', { name, exact: true });
    assert.equal(await card().getByText('X --all').count(), 1);
    assert.deepEqual([await raw('Input').count(), await raw('Output').count()], [0, 0]);
    const menu = card().getByRole('button', { name: 'More Actions…' });
    await menu.press('Enter');
    await card().getByRole('menuitem', { name: 'Show Raw Data' }).press('Enter');
    await card().getByText('Runs it').waitFor();
    assert.deepEqual(
      [await raw('Input').getAttribute('aria-expanded'), await raw('Output').getAttribute('aria-expanded')],
      ['true', 'true'],
    );
    assert.equal(await menu.evaluate((element) => element === document.activeElement), true);
    await menu.click();
    await card().getByRole('menuitem', { name: 'Hide Raw Data' }).click();
    await raw('Input').waitFor({ state: 'detached' });
    // A value with information of its own is visible.
    await view.happen(toolCall('y', { title: 'Y asks', status: 'completed', rawInput: { topic: 'words' }, rawOutput: { id: 7 } }));
    const other = view.page.getByRole('article', { name: /^Y asks/ });
    await other.getByRole('button', { name: /^Y asks/ }).click();
    await other.getByRole('button', { name: 'Input', exact: true }).waitFor();
    assert.equal(await other.getByRole('button', { name: 'More Actions…' }).count(), 0);
  });

  it('show the whole command under a title in words', async () => {
    const command = `node -e '${'x'.repeat(300)}'\necho done`;
    await view.happen(
      { type: 'terminal_update', terminalId: 't', ours: true, command },
      call({ title: 'X the tests', kind: 'execute', content: [{ type: 'terminal', terminalId: 't' }] }),
    );
    assert.equal(await card().locator('.terminal-command').innerText(), command);
  });

  it('name their file when the title only names the tool', async () => {
    await view.happen(
      call({ title: 'edit', kind: 'edit', content: [toolDiff('/src/a.ts', 'a', 'b')] }),
      toolCall('y', { title: 'Read', kind: 'read', status: 'completed', locations: [{ path: '/b.md', line: 3 }] }),
    );
    await view.page.getByRole('article', { name: 'edit /src/a.ts, Done' }).waitFor();
    await view.page.getByRole('article', { name: 'Read /b.md, Done' }).waitFor();
  });

  it('exclude the time in which the user was asked', async () => {
    await view.page.evaluate(() => {
      const at = Date.now() - 70_000;
      const permission = { permissionId: 'p', title: 'May I?', options: [], subject: { toolCallId: 'x' } };
      window.playground.stage.events([
        { type: 'turn_started', turnId: 't', at },
        { type: 'tool_call_update', toolCallId: 'x', patch: { title: 'X', status: 'pending' }, at },
        { type: 'permission_requested', ...permission, at: at + 1000 },
        { type: 'permission_resolved', permissionId: 'p', outcome: 'selected', at: at + 58_000 },
        { type: 'tool_call_update', toolCallId: 'x', patch: { status: 'completed' }, at: at + 60_000 },
        { type: 'turn_ended', turnId: 't', stopReason: 'end_turn', at: at + 61_000 },
        { type: 'turn_started', turnId: 'short', at: at + 62_000 },
        { type: 'turn_ended', turnId: 'short', stopReason: 'end_turn', at: at + 62_900 },
      ]);
    });
    await view.page.waitForFunction(() => document.querySelector('.tool-time')?.textContent === '3 s');
    assert.deepEqual(await view.page.locator('.turn-line').allInnerTexts(), ['4 s', '0.9 s']);
  });

  it('keep showing a change during an update', async () => {
    const told = (status: string, newText: string) => call({ kind: 'edit', status, content: [toolDiff('/a', 'old\n', newText)] });
    await view.happen(told('in_progress', 'new\n'));
    await card().locator('.diff-lines').getByText('new').waitFor();
    await view.page.evaluate(() => {
      const seen: number[] = [];
      const look = () => {
        seen.push(document.querySelectorAll('article .diff-lines').length);
        requestAnimationFrame(look);
      };
      look();
      Object.assign(window, { seen });
    });
    for (const text of ['new\n', 'newer\n', 'newest\n']) {
      await view.happen(told('in_progress', text));
      await card().locator('.diff-lines').getByText(text.trim(), { exact: true }).waitFor();
    }
    await view.happen(told('completed', 'newest\n'));
    await view.painted();
    const seen = await view.page.evaluate(() => (window as unknown as { seen: number[] }).seen);
    assert.ok(seen.length > 2 && seen.every((count) => count === 1), seen.join());
  });

  it('align a proposed change with the file, and say why they cannot', async () => {
    const file = ['one', 'two', 'three', 'four', 'five', ''];
    const whole = toolDiff('/a', 'two\n', file.with(1, 'TWO').join('\n'));
    await view.happen(
      ...asked(
        { call: { title: 'X', kind: 'edit', content: [whole, toolDiff('/a', 'x\n', 'y\n'), toolDiff('/a', 'three\n', '  3\n')] } },
        'x',
      ),
      {
        type: 'diff_located',
        entryId: 'tool_call:x',
        lines: [
          { content: 0, change: 0, line: 2 },
          { content: 2, change: 0, line: 3 },
        ],
        fits: [
          { content: 0, change: 0, context: { before: 1, after: 4 } },
          { content: 1, change: 0, match: 'missing' },
          { content: 2, change: 0, fileText: '  three\n' },
        ],
      },
    );
    await card().locator('.diff-note', { hasText: "The file doesn't have the text to replace." }).waitFor();
    await view.page.waitForFunction(() => document.querySelectorAll('.diff-line').length === 6);
    assert.deepEqual(await card().locator('.diff-line').allTextContents(), ['2-two', '2+TWO', '-x', '+y', '3-  three', '3+  3']);
    await view.happen({ type: 'permission_resolved', permissionId: 'x', outcome: 'selected', optionId: 'y' });
    await card().getByText('Running', { exact: true }).waitFor();
    assert.equal(await card().locator('.diff-note').count(), 0, 'the note is for the decision');
  });

  it('describe a change without visible lines', async () => {
    for (const [oldText, newText, words] of [
      ['a\r\nb\r\n', 'a\nb\n', 'Only line endings changed.'],
      ['a\nb', 'a\nb\n', 'Only line endings changed.'],
      ['a\n', 'a\n', 'No lines changed.'],
      [null, '', 'The file is empty.'],
    ] as const) {
      await view.happen(
        call({ kind: 'edit', content: [{ type: 'diff', changes: [{ operation: 'modify', path: '/file', oldText, newText }] }] }),
      );
      await card().locator('.diff-note', { hasText: words }).waitFor();
    }
  });

  it('say that a moved file has the same lines, and offer no diff of it', async () => {
    const moved = { operation: 'move', path: '/new', oldPath: '/old' };
    await view.happen(call({ kind: 'move', content: [{ type: 'diff', changes: [moved] }] }));
    await card().getByText("The change isn't shown here.").waitFor();
    await view.happen(call({ kind: 'move', content: [{ type: 'diff', changes: [{ ...moved, sameText: true }] }] }));
    await card().locator('.diff-note', { hasText: 'No lines changed.' }).waitFor();
    assert.equal(await card().getByRole('button', { name: 'Open Diff' }).count(), 0);
  });

  it('compare the diffs in view, however many there are, and count the changes in the header', async () => {
    const changes = (count: number) =>
      Array.from({ length: count }, (_, index) => toolDiff(`/file${index}`, `old ${index}\n`, `new ${index}\n`));
    await view.happen(call({ kind: 'edit', content: changes(3) }));
    await header().getByRole('img', { name: 'Lines added: 3, removed: 3' }).waitFor();
    await view.happen(call({ kind: 'edit', content: changes(200) }));
    await header().getByText('200 files').waitFor();
    await card().locator('.diff').nth(199).waitFor();
    await view.page.waitForFunction(() => document.querySelectorAll('.diff-later').length > 100);
    await card().locator('.diff').first().scrollIntoViewIfNeeded();
    await card().locator('.diff').nth(100).scrollIntoViewIfNeeded();
    await card().locator('.diff').nth(100).getByText('new 100').waitFor();
    assert.ok((await card().locator('.diff-later').count()) > 100);
  });

  it('show a rewritten file of thousands of lines, and lay out only the lines near the viewport', async () => {
    const lines = (word: string) => Array.from({ length: 12_000 }, (_, index) => `${word} ${index}\n`).join('');
    await view.happen(call({ kind: 'edit', content: [toolDiff('/big', lines('old'), lines('new'))] }));
    await header().getByRole('img', { name: 'Lines added: 12000, removed: 12000' }).waitFor();
    assert.equal(await card().locator('.diff-line').count(), 200);
    await card().getByRole('button', { name: 'Show all 24000 lines' }).click();
    await view.painted();
    const region = card().getByRole('group', { name: 'Changed lines' });
    assert.ok((await card().locator('.diff-line').count()) < 2000);
    await region.evaluate((element) => (element.scrollTop = element.scrollHeight));
    await region.getByText('new 11999').waitFor();
    assert.ok((await card().locator('.diff-line').count()) < 3000);
  });
});
