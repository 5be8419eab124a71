import assert from 'node:assert/strict';
import { permissionRequest } from '../support/events';
import { eachInItsOwnView, type View } from './support/view';

const LONG = Array.from({ length: 60 }, (_, line) => `line ${line} of a long text`).join('\n');

describe('mentions', function () {
  this.timeout(30_000);
  let view: View;

  eachInItsOwnView((opened) => (view = opened));
  beforeEach(async () => {
    await view.tame();
    await view.whole();
    await message().focus();
  });

  const message = () => view.page.getByRole('textbox', { name: 'Message' });
  const options = () => view.page.getByRole('listbox', { name: 'Add to the message' }).getByRole('option');
  const chips = () => view.page.getByRole('list', { name: 'Attachments' }).getByRole('listitem');
  const type = (text: string) => view.page.keyboard.type(text);
  const press = (key: string) => view.page.keyboard.press(key);
  const sent = async (count = 1) => (await view.postedAtLeast('prompt', count)).at(-1)!.content;
  const paste = (text: string) =>
    message().evaluate((area, pasted) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', pasted);
      area.dispatchEvent(new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData }));
    }, text);

  it('are found and put into the text by keyboard alone, and sent at their position', async () => {
    await type('Compare @check');
    await options().first().waitFor();
    const active = await message().getAttribute('aria-activedescendant');
    assert.equal(await view.page.locator(`#${active}`).getAttribute('aria-selected'), 'true');
    assert.equal(await message().getAttribute('aria-controls'), 'mentions');
    await view.page.getByRole('status').getByText('1 suggestion').waitFor({ state: 'attached' });
    await press('Enter');
    assert.equal(await message().inputValue(), 'Compare @checkout.ts ');
    await type('with @arch');
    await options().first().waitFor();
    await press('Tab');
    await type('please');
    assert.deepEqual(await chips().allInnerTexts(), ['checkout.ts', 'architecture.md']);
    assert.equal((await view.posted('prompt')).length, 0);
    await press('Enter');
    const content = await sent();
    assert.deepEqual(
      content.map((block) => (block.type === 'mention' ? block.ref : block.type === 'text' ? block.text : block)),
      [
        'Compare ',
        { kind: 'file', uri: 'file:///home/ada/sample/src/server/routes/checkout.ts' },
        ' with ',
        { kind: 'file', uri: 'file:///home/ada/sample/docs/architecture.md' },
        ' please',
      ],
    );
    assert.equal(await chips().count(), 0);
  });

  it('keep the user’s active row when an answer inserts others above it', async () => {
    await view.page.evaluate(() => void (window.playground.stage.answersMentions = false));
    await type('@add');
    const { queryId } = (await view.postedAtLeast('find_mentions')).at(-1)!;
    const row = (label: string) => ({ kind: 'file' as const, label, detail: 'src' });
    const answer = (...labels: string[]) => view.send({ type: 'mention_rows', queryId, rows: labels.map(row), done: false });
    const active = () => view.page.locator('[role=option][aria-selected=true]').innerText();
    await answer('one', 'two', 'three');
    await options().first().waitFor();
    await press('ArrowDown');
    await press('ArrowDown');
    assert.match(await active(), /three/);
    await answer('one', 'symbol', 'two', 'three', 'four');
    await options().nth(4).waitFor();
    assert.match(await active(), /three/);
    await press('ArrowDown');
    assert.match(await active(), /four/);
  });

  it('show that the files are being listed, with and without rows, until the last answer', async () => {
    await view.page.evaluate(() => void (window.playground.stage.answersMentions = false));
    await type('@');
    const { queryId } = (await view.postedAtLeast('find_mentions')).at(-1)!;
    const status = view.page.getByRole('status').filter({ hasText: 'Loading files…' });
    const rows = [{ kind: 'file', label: 'open.ts', detail: 'src' }] as const;
    await view.send({ type: 'mention_rows', queryId, rows: [], done: false, isListing: true });
    await status.waitFor();
    assert.equal(await options().count(), 0);
    await view.send({ type: 'mention_rows', queryId, rows, done: false, isListing: true });
    await options().first().waitFor();
    assert.equal(await status.isVisible(), true);
    await view.send({ type: 'mention_rows', queryId, rows, done: true });
    await status.waitFor({ state: 'detached' });
    assert.equal(await options().count(), 1);
    await press('Escape');
    await options().first().waitFor({ state: 'detached' });
  });

  it('do not interfere with Escape, arrows and a word that is not a mention', async () => {
    await type('@');
    await options().first().waitFor();
    await press('ArrowDown');
    await view.page.locator('[role=option][aria-selected=true]', { hasText: 'app.ts' }).waitFor();
    await press('ArrowUp');
    await press('ArrowUp');
    await view.page.locator('[role=option][aria-selected=true]', { hasText: 'Sessions…' }).waitFor();
    await press('Escape');
    await options().first().waitFor({ state: 'detached' });
    assert.equal(await message().inputValue(), '@');
    assert.ok(await message().evaluate((area) => document.activeElement === area));
    await message().fill('');
    await type('ada@example.com and @nothing-of-the-kind');
    await view.page.getByRole('status').getByText('No suggestions').waitFor({ state: 'attached' });
    await press('Enter');
    assert.deepEqual(await sent(), [{ type: 'text', text: 'ada@example.com and @nothing-of-the-kind' }]);
  });

  it('ignore a sign at the end of a word: Enter sends', async () => {
    await type('hello @@');
    await options().first().waitFor({ state: 'detached' });
    await press('Enter');
    assert.deepEqual(await sent(), [{ type: 'text', text: 'hello @@' }]);
  });

  it('have categories without their prefixes, each with an icon of its own', async () => {
    await type('@');
    await options().first().waitFor();
    const symbols = options().filter({ hasText: 'Symbols…' });
    assert.equal((await symbols.innerText()).trim(), 'Symbols…');
    assert.equal(await symbols.locator('.icon-symbol').count(), 1);
    assert.equal(await options().filter({ hasText: 'Terminal output…' }).locator('.icon-terminal').count(), 1);
  });

  it('send nothing while the suggestions are not known yet', async () => {
    await view.page.evaluate(() => void (window.playground.stage.answersMentions = false));
    await type('see @app');
    await press('Enter');
    await press('Tab');
    await view.painted();
    assert.equal(await message().inputValue(), 'see @app');
    assert.equal((await view.posted('prompt')).length, 0);
  });

  it('list the entries of a group, and the ones that only the host knows', async () => {
    await type('why? @term');
    await options().first().waitFor();
    await press('Enter');
    await view.page.getByRole('option', { name: 'npm test' }).waitFor();
    assert.equal(await message().inputValue(), 'why? @terminal:');
    await press('Enter');
    await chips().first().waitFor();
    assert.equal(await message().inputValue(), 'why? [Terminal: npm test] ');
    await press('Enter');
    assert.match(JSON.stringify(await sent()), /1 failing/);
  });

  it('are chips that open, and are removed as a whole by Backspace, Delete and their button', async () => {
    const add = async (word: string): Promise<void> => {
      await type(`@${word}`);
      await options().first().waitFor();
      await press('Enter');
      await view.page.getByRole('button', { name: `Remove ${word}`, exact: false }).waitFor();
    };
    await add('README.md');
    await view.page.getByRole('button', { name: /^README\.md/ }).press('Enter');
    assert.equal((await view.postedAtLeast('open_mention'))[0]?.mention.name, 'README.md');
    await message().focus();
    await press('End');
    await press('Backspace');
    assert.equal(await message().inputValue(), '@README.md', 'first the space');
    await press('Backspace');
    assert.equal(await message().inputValue(), '');
    assert.equal(await chips().count(), 0);
    await press('ControlOrMeta+z');
    await chips().first().waitFor();
    assert.equal(await message().inputValue(), '@README.md');
    await view.page.getByRole('button', { name: 'Remove README.md' }).click();
    assert.equal(await message().inputValue(), '');
    assert.ok(await message().evaluate((area) => document.activeElement === area), 'the focus is back in the text');
    await add('AGENTS.md');
    await view.page.getByRole('button', { name: /^AGENTS\.md/ }).press('Delete');
    assert.equal(await chips().count(), 0);
  });

  it('show the folder when two files have the same name', async () => {
    await view.send({ type: 'attach', blocks: [mention('a/index.ts'), mention('b/index.ts'), mention('a/index.ts')] });
    await view.page.waitForFunction(() => document.querySelector('textarea')!.value !== '');
    assert.equal(await message().inputValue(), '@index.ts @b/index.ts @index.ts ');
    assert.equal(await chips().count(), 2);
  });

  it('are separated from the word before them, whether typed, attached or pasted', async () => {
    await type('word');
    await view.send({ type: 'attach', blocks: [mention('a/index.ts')] });
    await chips().first().waitFor();
    assert.equal(await message().inputValue(), 'word @index.ts ');
    await type('more');
    await paste(LONG);
    await chips().nth(1).waitFor();
    assert.equal(await message().inputValue(), 'word @index.ts more [Pasted text, 60 lines] ');
    await press('ControlOrMeta+z');
    assert.equal(await message().inputValue(), `word @index.ts more${LONG}`);
    await press('ControlOrMeta+Shift+z');
    await press('Enter');
    assert.deepEqual(
      (await sent()).map(({ type }) => type),
      ['text', 'mention', 'text', 'mention'],
    );
  });

  it('survive a reload at their positions', async () => {
    await type('see @check');
    await options().first().waitFor();
    await press('Enter');
    await type('now');
    await view.page.reload();
    await view.started();
    assert.equal(await message().inputValue(), 'see @checkout.ts now');
    await message().press('Enter');
    assert.deepEqual(
      (await sent()).map(({ type }) => type),
      ['text', 'mention', 'text'],
    );
  });

  it('return with a message that was not sent, also when they are resources', async () => {
    await message().fill('behind');
    await view.send({
      type: 'restore_message',
      content: [
        { type: 'text', text: 'look at ' },
        { type: 'resource', uri: 'file:///home/ada/sample/src/app.ts#L2-9', text: 'old text' },
        { type: 'text', text: ' please' },
        { type: 'image', data: 'AAAA', mimeType: 'image/png' },
      ],
    });
    await chips().nth(1).waitFor();
    assert.equal(await message().inputValue(), 'look at @app.ts:2-9 please\n\nbehind');
    await message().press('Enter');
    const content = await sent();
    assert.deepEqual(content[1]?.type === 'mention' && content[1].ref, {
      kind: 'file',
      uri: 'file:///home/ada/sample/src/app.ts',
      line: 2,
      endLine: 9,
    });
    assert.equal(content.at(-1)?.type, 'image');
  });

  it('open a long pasted text, and an undo brings the text back', async () => {
    await type('Sum up: ');
    await paste(LONG);
    await chips().first().waitFor();
    assert.equal(await message().inputValue(), 'Sum up: [Pasted text, 60 lines] ');
    await view.page.getByRole('button', { name: /^Pasted text, 60 lines,/ }).click();
    const opened = (await view.postedAtLeast('open_mention'))[0]!.mention.ref;
    assert.ok(opened.kind === 'content' && opened.block.type === 'resource' && opened.block.text === LONG);
    await message().focus();
    await press('ControlOrMeta+z');
    assert.equal(await message().inputValue(), `Sum up: ${LONG}`);
    assert.equal(await chips().count(), 0);
    await press('ControlOrMeta+z');
    assert.equal(await message().inputValue(), 'Sum up: ');
    await press('ControlOrMeta+Shift+z');
    await press('ControlOrMeta+Shift+z');
    await press('Enter');
    assert.deepEqual(
      (await sent()).map(({ type }) => type),
      ['text', 'mention'],
    );
  });

  it('show the user’s current editor as chips, and send no more than these', async () => {
    const live = (name: string) => ({ context: 'activeFile' as const, mention: mention(name) });
    await view.send({ type: 'live_context', mentions: [live('src/app.ts')] });
    await view.page.getByRole('button', { name: /^Active file: app\.ts/ }).waitFor();
    await view.send({ type: 'live_context', mentions: [live('src/other.ts')] });
    await view.page.getByRole('button', { name: /^Active file: other\.ts/ }).waitFor();
    await press('Enter');
    await view.painted();
    assert.equal((await view.posted('prompt')).length, 0, 'a chip alone is no message');
    await type('hello');
    await press('Enter');
    assert.deepEqual(
      (await sent()).map((block) => (block.type === 'mention' ? block.name : block.type)),
      ['text', 'other.ts'],
    );
    await view.page.getByRole('button', { name: 'Stop sending the active file' }).click();
    assert.deepEqual((await view.postedAtLeast('stop_context'))[0], { type: 'stop_context', context: 'activeFile' });
    await view.send({ type: 'live_context', mentions: [] });
    await chips().first().waitFor({ state: 'detached' });
    await type('again');
    await press('Enter');
    assert.deepEqual(await sent(2), [{ type: 'text', text: 'again' }]);
  });

  it('leave every key to an input method that composes', async () => {
    const client = await view.page.context().newCDPSession(view.page);
    await type('@app');
    await options().first().waitFor();
    await client.send('Input.imeSetComposition', { text: 'にほん', selectionStart: 3, selectionEnd: 3 });
    const code = (key: string) => ({ key, code: key, windowsVirtualKeyCode: 229 });
    for (const key of ['Enter', 'Tab', 'ArrowDown', 'ArrowUp', 'Escape']) {
      await client.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...code(key) });
      await client.send('Input.dispatchKeyEvent', { type: 'keyUp', ...code(key) });
    }
    await view.painted();
    assert.equal((await view.posted('prompt')).length, 0);
    assert.equal(await message().inputValue(), '@appにほん');
    assert.equal(await chips().count(), 0);
    await client.send('Input.insertText', { text: '日本' });
    assert.equal(await message().inputValue(), '@app日本');
    await message().fill('日本');
    await press('Enter');
    assert.deepEqual(await sent(), [{ type: 'text', text: '日本' }]);
  });

  it('are sent with Ctrl+Enter when that is set, and Enter breaks the line', async () => {
    await view.send({ type: 'composer', sendWith: 'ctrlEnter' });
    await type('one');
    await press('Enter');
    await type('two');
    assert.equal(await message().inputValue(), 'one\ntwo');
    assert.equal((await view.posted('prompt')).length, 0);
    await press('Control+Enter');
    assert.deepEqual(await sent(), [{ type: 'text', text: 'one\ntwo' }]);
  });

  it('explain that VS Code needs Shift while files are dragged', async () => {
    const drag = (kind: string, shiftKey: boolean) =>
      view.page.evaluate(
        ([name, isHeld]) => {
          const dataTransfer = new DataTransfer();
          dataTransfer.items.add(new File(['x'], 'x.txt'));
          document.body.dispatchEvent(new DragEvent(name as string, { bubbles: true, dataTransfer, shiftKey: isHeld as boolean }));
        },
        [kind, shiftKey] as const,
      );
    await drag('dragenter', false);
    await view.page.locator('.composer-hint').getByText('Hold Shift to drop files here').waitFor();
    await drag('dragover', true);
    await view.page.locator('.composer-hint').getByText('Drop to attach').waitFor();
    await view.page.mouse.move(10, 10);
    await view.page.mouse.move(40, 40);
    await view.page.locator('.composer-hint').getByText('Drop to attach').waitFor({ state: 'detached' });
  });

  it('leave the permission card its keys', async () => {
    await view.happen(
      permissionRequest('p', 'Do it', { options: [{ optionId: 'y', name: 'Yes please', kind: 'allow_once' }], subject: { command: 'ls' } }),
    );
    await type('@app');
    await options().first().waitFor();
    await press('Escape');
    assert.equal((await view.posted('answer_permission')).length, 0);
    assert.equal((await view.posted('cancel')).length, 0, 'Escape closes the list alone');
  });

  function mention(path: string) {
    const name = path.split('/').at(-1)!;
    return {
      type: 'mention' as const,
      token: `@${name}`,
      longToken: `@${path}`,
      name,
      about: path,
      ref: { kind: 'file' as const, uri: `file:///home/ada/sample/${path}` },
    };
  }
});
