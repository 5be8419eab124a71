import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { EventInput } from '../../src/core/model/event';
import { View } from './support/view';
import { output as printed, toolCall } from '../support/events';

const ESC = '\u001b';

describe('a live terminal in the view', () => {
  let view: View;
  const live = () => view.page.locator('.terminal-live');
  const text = () => view.page.locator('.terminal-output');
  const output = (words: string, terminalId = 't1', skipped = 0) => printed(words, terminalId, skipped);
  const command = (terminalId = 't1', more: object = {}): EventInput[] => [
    { type: 'terminal_update', terminalId, ours: true, command: `make ${terminalId}`, ...more },
    toolCall(`call-${terminalId}`, {
      title: `Make ${terminalId}`,
      kind: 'execute',
      status: 'in_progress',
      content: [{ type: 'terminal', terminalId }],
    }),
  ];
  const end = (terminalId = 't1'): EventInput => ({ type: 'terminal_update', terminalId, exitStatus: { exitCode: 0 } });
  /** The rows of the real terminal, without trailing spaces. */
  const rows = async () =>
    (await live().locator('.xterm-rows > div').allInnerTexts())
      .map((row) => row.replaceAll('\u00a0', ' ').trimEnd())
      .join('\n')
      .trimEnd();
  const rowsAre = (expected: string) =>
    view.page.waitForFunction(
      (wanted) =>
        [...document.querySelectorAll('.terminal-live .xterm-rows > div')]
          .map((row) => (row as HTMLElement).innerText.replaceAll('\u00a0', ' ').trimEnd())
          .join('\n')
          .trimEnd() === wanted,
      expected,
    );

  beforeEach(async () => {
    view = await View.open();
    await view.ready();
    await view.tame();
  });
  afterEach(async () => {
    assert.deepEqual(view.offences, []);
    await view.close();
  });

  it('is a real terminal while the command runs, and the same content as text afterwards', async () => {
    // This red is readable already: for others, the live terminal and the text adjust the contrast in two ways.
    await view.page.evaluate(() => document.documentElement.style.setProperty('--vscode-terminal-ansiRed', '#ff8080'));
    await view.happen(...command(), output(`${ESC}[31mred${ESC}[0m ${ESC}[38;2;210;220;230mtrue${ESC}[0m\r\n10%\r20%\r\n`));
    await rowsAre('red true\n20%');
    const colourOf = (where: string) =>
      view.page
        .locator(where)
        .getByText('red', { exact: true })
        .first()
        .evaluate((element) => {
          const pen = document.createElement('canvas').getContext('2d')!;
          pen.fillStyle = getComputedStyle(element).color;
          pen.fillRect(0, 0, 1, 1);
          return [...pen.getImageData(0, 0, 1, 1).data].join();
        });
    const colour = await colourOf('.terminal-live .xterm-rows');
    assert.equal(
      await live()
        .locator('.xterm-rows')
        .getByText('true')
        .evaluate((element) => getComputedStyle(element).color),
      'rgb(210, 220, 230)',
    );
    // Lines above are rewritten, as a list of downloads does.
    const drawn = `one\r\ntwo\r\n${ESC}[2A${ESC}[Kdone\r\n${ESC}[Kdone too\r\n漢字 ok👍x\r\n`;
    await view.happen(output(drawn));
    await rowsAre('red true\n20%\ndone\ndone too\n漢字 ok👍x');
    await view.happen(end());
    await text().waitFor();
    assert.equal(await live().count(), 0);
    assert.equal(await text().innerText(), 'red true\n20%\ndone\ndone too\n漢字 ok👍x');
    assert.equal(await colourOf('.terminal-output'), colour);
  });

  it('shows the alternate screen of full-screen programs, and removes it', async () => {
    await view.happen(...command(), output(`before\r\n${ESC}[?1049h${ESC}[2J${ESC}[3;5Hdrawn`));
    await rowsAre('\n\n    drawn');
    await view.happen(output(`${ESC}[?1049lafter\r\n`));
    await rowsAre('before\nafter');
    await view.happen(end());
    await text().waitFor();
    assert.equal(await text().innerText(), 'before\nafter');
  });

  it('opens the shown web addresses, while it runs and afterwards', async () => {
    const long = `https://a.example/${'x'.repeat(150)}/end`;
    await view.happen(...command(), output(`漢字 http://localhost:${ESC}[1m5173${ESC}[22m/ ready\r\n${long} ok\r\n`));
    // The text itself takes no pointer events.
    const clickOn = async (words: string): Promise<void> => {
      // The terminal draws its rows again while it starts, so that an element may be gone between two calls.
      let box: Awaited<ReturnType<Locator['boundingBox']>> = null;
      while (!box) {
        box = await live().locator('.xterm-rows').getByText(words).last().boundingBox();
      }
      await view.page.mouse.move(box.x + 10, box.y + 5);
      await view.page.mouse.move(box.x + 12, box.y + 5);
      await live().locator('.xterm-cursor-pointer').waitFor();
      await view.page.mouse.click(box.x + 12, box.y + 5);
    };
    await clickOn('5173');
    await clickOn('/end ok');
    const wanted = ['http://localhost:5173/', long];
    assert.deepEqual(
      (await view.postedAtLeast('open_link', 2)).map(({ href }) => href),
      wanted,
    );
    await view.happen({ type: 'terminal_update', terminalId: 't1', exitStatus: { exitCode: 0 } });
    await text().waitFor();
    assert.deepEqual(await text().getByRole('link').allInnerTexts(), wanted);
    await text().getByRole('link').first().click();
    assert.equal((await view.postedAtLeast('open_link', 3))[2]!.href, wanted[0]);
  });

  it('ignores sequences that query, set the title, link or copy', async () => {
    await view.happen(
      ...command(),
      output(
        `${ESC}]0;evil${'\u0007'}${ESC}]52;c;ZXZpbA==${'\u0007'}${ESC}]8;;https://evil.example${'\u0007'}link${ESC}]8;;${'\u0007'} ${ESC}[6n${ESC}[c${ESC}[?1003h${ESC}[24;120H${ESC}[1J\u202eabc<b>x</b>\r\n`,
      ),
    );
    await live().locator('.xterm-rows').getByText('⟨U+202E⟩abc<b>x</b>').waitFor();
    assert.equal(await live().locator('a, b, .xterm-underline-5').count(), 0);
    assert.notEqual(await view.page.title(), 'evil');
    assert.deepEqual(await view.posted('copy'), []);
    await live().locator('.xterm-rows').click({ force: true });
    await view.page.keyboard.type('typed');
    await view.happen(output('goes on\r\n'));
    await live().locator('.xterm-rows').getByText('goes on').waitFor();
    assert.ok(!(await rows()).includes('typed'));
  });

  it('reports on its card and beside Stop that the command waits for input, and leads to the terminal', async () => {
    await view.happen({ type: 'turn_started', turnId: 't' }, ...command(), output('Ok to proceed? (y) '));
    const activity = view.page.locator('.activity');
    await activity.getByText('Working…').waitFor();
    await view.happen({ type: 'terminal_update', terminalId: 't1', waiting: true });
    await activity.getByText('Waiting for input in the terminal').waitFor();
    const note = view.page.getByRole('status').filter({ hasText: 'The command is waiting for input.' });
    const button = note.getByRole('button', { name: 'Show Terminal', exact: true });
    await button.focus();
    await view.page.keyboard.press('Enter');
    assert.deepEqual(
      (await view.postedAtLeast('show_terminal', 1)).map(({ terminalId }) => terminalId),
      ['t1'],
    );
    await view.happen({ type: 'terminal_update', terminalId: 't1', waiting: false });
    await activity.getByText('Working…').waitFor();
    assert.equal(await note.count(), 0);
  });

  it('has a name and its text for screen readers, and does not trap the focus', async () => {
    await view.happen(...command(), output('words\r\n'));
    const region = view.page.getByRole('group', { name: 'Terminal' }).getByRole('group', { name: 'Output' });
    await region.locator('.xterm-rows').waitFor();
    await region.locator('.sr-only', { hasText: 'words' }).waitFor({ state: 'attached' });
    assert.equal(await region.locator('.xterm').getAttribute('aria-hidden'), 'true');
    await region.focus();
    await view.page.keyboard.press('Tab');
    assert.equal(await region.evaluate((element) => element.contains(document.activeElement)), false);
    await region.locator('.xterm-rows').click({ force: true });
    await view.page.keyboard.press('Tab');
    assert.equal(await region.evaluate((element) => element.contains(document.activeElement)), false);
    // The focus stays in the terminal when it becomes text.
    await region.focus();
    await view.happen(end());
    await text().waitFor();
    assert.equal(await text().evaluate((element) => element === document.activeElement), true);
  });

  it('is text for screen readers, and during a search', async () => {
    await view.happen(...command(), output('words\r\n'));
    await live().locator('.xterm-rows').waitFor();
    await view.send({ type: 'open_find' });
    await text().getByText('words').waitFor();
    await view.page.keyboard.press('Escape');
    await live().locator('.xterm-rows').waitFor();
    await view.page.evaluate(() => document.body.classList.add('vscode-using-screen-reader'));
    await view.happen(output('more\r\n'));
    await text().getByText('more').waitFor();
    assert.equal(await live().count(), 0);
  });

  it('follows the theme', async () => {
    await view.happen(...command(), output(`${ESC}[31mred\r\n`));
    await live().locator('.xterm-rows').getByText('red').waitFor();
    const colour = () =>
      live()
        .locator('.xterm-rows')
        .getByText('red')
        .first()
        .evaluate((element) => getComputedStyle(element).color);
    const before = await colour();
    await view.page.evaluate(() => document.documentElement.style.setProperty('--vscode-terminal-ansiRed', '#ffc0c0'));
    await view.page.waitForFunction(() =>
      [...document.querySelectorAll('.terminal-live .xterm-rows span')].some(
        (span) => getComputedStyle(span).color === 'rgb(255, 192, 192)',
      ),
    );
    assert.notEqual(before, await colour());
  });

  it('grows with its output to the rows of its terminal, at the width that the program uses', async () => {
    await view.happen(...command(), output('1\r\n2\r\n'));
    await live().locator('.xterm-rows').waitFor();
    const row = await live()
      .locator('.xterm-rows > div')
      .first()
      .evaluate((element) => element.getBoundingClientRect().height);
    const height = () => live().evaluate((element) => element.clientHeight);
    await view.page.waitForFunction((wanted) => document.querySelector('.terminal-live')!.clientHeight === wanted, 3 * row + 12);
    await view.happen(output(Array.from({ length: 100 }, (_, index) => `line ${index}\r\n`).join('') + `${'w'.repeat(120)}|`));
    await live().locator('.xterm-rows').getByText('line 99').waitFor();
    // The rows and the padding only.
    assert.equal(await height(), 24 * row + 12);
    assert.equal((await rows()).split('\n').at(-1), '|', 'the 121st character is on the next row');
    await live().focus();
    await view.page.keyboard.press('Home');
    await live().locator('.xterm-rows').getByText('line 0', { exact: true }).waitFor();
    await view.page.keyboard.press('End');
    await live().locator('.xterm-rows').getByText('line 99').waitFor();
    // The window in which the terminal is also shown is narrower.
    await view.happen({ type: 'terminal_update', terminalId: 't1', size: { columns: 30, rows: 10 } }, output(`\r\n${'n'.repeat(30)}!`));
    await view.page.waitForFunction(() => document.querySelectorAll('.terminal-live .xterm-rows > div').length === 10);
    await rowsEnd('!');
  });

  it('costs no more than its chunks in a flood, and shows only the output after a gap', async () => {
    await view.happen(...command(), output('first\r\n'));
    await live().locator('.xterm-rows').waitFor();
    const line = `${'y'.repeat(70)}\r\n`;
    for (let piece = 0; piece < 30; piece++) {
      await view.happen(output(line.repeat(450), 't1', 1_000_000));
    }
    await view.happen(output('last\r\n'));
    await live().locator('.xterm-rows').getByText('last').waitFor();
    assert.ok((await live().locator('.xterm-rows > div').count()) <= 25);
    await view.happen(end());
    await text().getByText('last').waitFor();
    assert.ok(!(await text().innerText()).includes('first'));
  });

  it('is live in a few cards at a time, and only on the screen', async () => {
    const ids = Array.from({ length: 10 }, (_, index) => `t${index}`);
    await view.page.setViewportSize({ width: 900, height: 2400 });
    await view.happen(...ids.flatMap((terminalId) => [...command(terminalId), output(`out ${terminalId}\r\n`, terminalId)]));
    await view.page.waitForFunction(() => document.querySelectorAll('.terminal-live .xterm-rows').length === 4);
    assert.equal(await text().count(), 6);
    await view.happen(...ids.slice(0, 2).map((terminalId) => end(terminalId)), output('more\r\n', 't9'));
    await view.page.waitForFunction(
      () =>
        document.querySelectorAll('.terminal-live .xterm-rows').length === 4 && document.querySelectorAll('.terminal-output').length === 6,
    );
    // Terminals that are scrolled away are disposed.
    await view.page.setViewportSize({ width: 900, height: 600 });
    await view.happen(
      ...Array.from(
        { length: 80 },
        (_, index): EventInput => ({
          type: 'message_chunk',
          role: 'agent',
          messageId: `m${index}`,
          content: { type: 'text', text: `Words ${index}.\n\nMore.` },
        }),
      ),
    );
    await view.page.locator('.scroller').evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await view.page.waitForFunction(() => document.querySelectorAll('.xterm').length === 0);
  });

  it('can be shown among the window’s terminals when it is ours', async () => {
    await view.happen(...command('t1'), ...command('t2', { ours: false }), output('x\r\n', 't2'), end('t1'));
    await view.page.getByRole('button', { name: 'Show in Terminal', exact: true }).click();
    assert.deepEqual(await view.postedAtLeast('show_terminal'), [{ type: 'show_terminal', terminalId: 't1' }]);
  });

  async function rowsEnd(last: string): Promise<void> {
    await view.page.waitForFunction(
      (wanted) =>
        [...document.querySelectorAll('.terminal-live .xterm-rows > div')]
          .map((row) => (row as HTMLElement).innerText.trim())
          .filter((row) => row !== '')
          .at(-1) === wanted,
      last,
    );
  }
});
