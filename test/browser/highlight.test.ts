import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { CodeTheme } from '../../src/core/model/theme';
import { TIMEOUT_MS } from '../../webview/markdown/code/highlight/highlight';
import { allInOneView, View, keepPicture, root } from './support/view';

const TS = `import { a } from './b'; // why
/** Doc. */
export class Cat<T> extends Animal {
  private lives = 9;
  async run(path: string): Promise<void> {
    return this.go(\`x \${path} y\`);
  }
}
`;

const THEME: CodeTheme = {
  rules: [
    { scope: ['comment'], foreground: '#101010', fontStyle: 'italic' },
    { scope: ['string'], foreground: '#20202080' },
    { scope: ['keyword.control'], foreground: '#303030', fontStyle: 'bold underline strikethrough' },
    { scope: ['entity.name.type.class'], foreground: '#404040' },
  ],
};

const fenced = (info: string, code: string) => `\`\`\`${info}\n${code}\n\`\`\`\n`;

describe('highlighting', function () {
  this.timeout(60_000);

  let view: View;
  const say = (text: string, messageId = 'm1') =>
    view.happen({ type: 'message', role: 'agent', messageId, content: [{ type: 'text', text }] });
  const theme = (colours?: CodeTheme) => view.send({ type: 'code_theme', ...(colours && { theme: colours }) });
  /** The token with exactly this text, once it has a colour. */
  const token = (text: string) =>
    view.page
      .locator('.code-text [class^=hl-]')
      .filter({ hasText: new RegExp(`^\\s*${text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}\\s*$`) })
      .first();
  const style = (text: string, property: string) =>
    token(text).evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property);
  const codeText = () => view.page.locator('.code-text').first().innerText();
  const coloured = () => view.page.locator('.code-text [class^=hl-]').count();

  describe('in any session', () => {
    allInOneView((opened) => (view = opened));

    it('has the theme’s colours and font styles, and does not change the text', async () => {
      await theme(THEME);
      await say(fenced('ts', TS));
      assert.equal(await style('// why', 'color'), 'rgb(16, 16, 16)');
      assert.equal(await style('// why', 'font-style'), 'italic');
      assert.equal(await style("'./b'", 'color'), 'rgba(32, 32, 32, 0.5)');
      assert.equal(await style('import', 'color'), 'rgb(48, 48, 48)');
      assert.equal(await style('import', 'font-weight'), '700');
      assert.equal(await style('import', 'text-decoration-line'), 'underline line-through');
      assert.equal(await style('Cat', 'color'), 'rgb(64, 64, 64)');
      assert.equal((await codeText()).trimEnd(), TS.trimEnd());
    });

    it('follows a change of the theme', async () => {
      await theme(THEME);
      await say(fenced('ts', TS));
      await token('import').waitFor();
      await theme({ rules: [{ scope: ['comment'], foreground: '#abcdef' }] });
      await view.page.waitForFunction(() =>
        [...document.querySelectorAll('.code-text [class^=hl-]')].some(
          (element) => getComputedStyle(element).color === 'rgb(171, 205, 239)',
        ),
      );
      assert.equal(await coloured(), 2, 'the two comments');
    });

    it('leaves code plain that has no language, or an unknown one', async () => {
      await theme(THEME);
      await say(fenced('', TS) + '\n' + fenced('klingon', TS) + '\n' + fenced('ts', 'import "x";'));
      await view.page.locator('.code-text').nth(2).locator('[class^=hl-]').first().waitFor();
      assert.deepEqual(
        await view.page
          .locator('.code-text')
          .evaluateAll((blocks) => blocks.map((block) => block.querySelectorAll('[class^=hl-]').length > 0)),
        [false, false, true],
      );
    });

    it('renders only the end of a streamed block again, and ends with the same result as the whole block', async () => {
      await theme(THEME);
      const source = TS.repeat(40);
      const text = fenced('ts', source);
      await view.happen({ type: 'message_chunk', role: 'agent', messageId: 'm1', content: { type: 'text', text: text.slice(0, 4000) } });
      await token('import').waitFor();
      // Scrolls to the end of the block, as a user who reads along does.
      const toEnd = () => view.page.locator('.code-text').evaluate((block) => block.scrollTo(0, block.scrollHeight));
      await toEnd();
      await view.page.waitForFunction(() => document.querySelectorAll('.code-text code > span:first-child [class^=hl-]').length > 100);
      await view.page.evaluate(() => {
        const touched: string[] = [];
        Object.assign(window, { touched });
        new MutationObserver((records) => touched.push(...records.map(({ type }) => type))).observe(
          document.querySelector('.code-text code > span:first-child')!,
          { subtree: true, childList: true, characterData: true, attributes: true },
        );
      });
      for (let at = 4000; at < text.length; at += 400) {
        await view.happen({
          type: 'message_chunk',
          role: 'agent',
          messageId: 'm1',
          content: { type: 'text', text: text.slice(at, at + 400) },
        });
        await toEnd();
        await view.painted();
      }
      assert.deepEqual(await view.page.evaluate(() => (window as unknown as { touched: string[] }).touched), []);
      // The second block moves the first one away from the viewport, where code is not coloured.
      await view.page.locator('.code-text').first().locator('code > span').last().locator('[class^=hl-]').first().waitFor();
      await say(fenced('ts', source), 'm2');
      await view.page.locator('.code-text').nth(1).waitFor();
      await view.page.locator('.code-text').evaluateAll((blocks) => blocks.forEach((block) => block.scrollTo(0, block.scrollHeight)));
      await view.page.waitForFunction(() => {
        const [one, two] = [...document.querySelectorAll('.code-text')].map(
          (block) => [...block.querySelectorAll('code > span')].at(-1)!.innerHTML,
        );
        return one === two && one!.includes('class="hl-');
      });
      assert.equal((await codeText()).trimEnd(), source.trimEnd());
    });

    it('colours code near the viewport, not code far below', async () => {
      await theme(THEME);
      await say(fenced('ts', TS.repeat(500)));
      await token('import').waitFor();
      const runs = () =>
        view.page
          .locator('.code-text code > span')
          .evaluateAll((all) => all.flatMap((run, index) => (run.querySelector('[class^=hl-]') ? [index] : [])));
      assert.deepEqual(await runs(), [0]);
      await view.page.locator('.code-text').evaluate((block) => block.scrollTo(0, block.scrollHeight / 2));
      await view.page.waitForFunction(() =>
        [...document.querySelectorAll('.code-text code > span')].slice(19, 22).some((run) => run.querySelector('[class^=hl-]')),
      );
      assert.ok((await runs()).length <= 4, String(await runs()));
    });

    it('colours the lines of a diff as in their own text, changed words included', async () => {
      await theme(THEME);
      const oldText = '/*\n * one\n */\nconst a = 1;\nimport "x";\n// end\n';
      const newText = oldText.replace('one', 'one more').replace('import "x"', 'import "xyz"');
      await view.happen({
        type: 'tool_call_update',
        toolCallId: 't1',
        patch: {
          title: 'Edit',
          kind: 'edit',
          status: 'completed',
          content: [{ type: 'diff', changes: [{ operation: 'modify', path: '/home/ada/sample/a.ts', oldText, newText }] }],
        },
      });
      const line = (sign: string, text: string) => view.page.locator(`.diff-line.${sign}`).filter({ hasText: text });
      await line('add', 'one more').locator('[class^=hl-]').first().waitFor();
      const colours = (sign: string, text: string) =>
        line(sign, text)
          .locator('.diff-code [class^=hl-]')
          .evaluateAll((all) => all.map((each) => [each.textContent, getComputedStyle(each).getPropertyValue('--hl')]));
      assert.deepEqual(await colours('del', '* one'), [[' * one', 'rgb(16, 16, 16)']]);
      assert.deepEqual(
        (await colours('add', 'one more')).map(([, colour]) => colour),
        Array((await colours('add', 'one more')).length).fill('rgb(16, 16, 16)'),
        'inside a comment that began in an unchanged line',
      );
      assert.equal((await colours('add', 'import')).map(([text]) => text).join(''), 'import"xyz"');
      assert.equal((await colours('del', 'import')).map(([text]) => text).join(''), 'import"x"');
      assert.equal(await line('add', 'import').locator('.diff-code').innerText(), 'import "xyz";');
      assert.ok((await line('add', 'one more').locator('mark').count()) > 0);
    });

    it('wraps the lines of a shell block, also where spaces would push text beyond the edge', async () => {
      await say(fenced('sh', `npm test${' '.repeat(500)}; echo end\n${'long '.repeat(200)}`));
      const block = view.page.locator('.code-text').first();
      await block.waitFor();
      assert.equal(await block.evaluate((element) => element.scrollWidth > element.clientWidth), false);
      assert.equal(await view.page.getByRole('button', { name: 'Wrap lines' }).first().getAttribute('aria-pressed'), 'true');
    });

    it('leaves an endless line plain', async () => {
      await theme(THEME);
      await say(fenced('ts', `import '${'x'.repeat(6000)}';\nimport 'y';`));
      await token("'y'").waitFor();
      assert.equal(await view.page.locator('.code-text').first().locator('[class^=hl-]').count(), 2);
    });

    it('leaves the end of a huge block plain', async () => {
      await theme(THEME);
      await say(fenced('js', 'x = 1;\n'.repeat(60_000) + '// end'));
      const huge = view.page.locator('.code-text').first();
      await huge.evaluate((block) => block.scrollTo(0, block.scrollHeight));
      await huge.getByText('// end').waitFor();
      assert.equal(await huge.locator('[class^=hl-]', { hasText: '// end' }).count(), 0);
    });
  });

  describe('in a document', () => {
    afterEach(async () => {
      const { offences } = view;
      await view.close();
      assert.deepEqual(offences, []);
    });

    it('uses the page’s colours when the theme could not be read', async () => {
      view = await View.open();
      await view.ready();
      await view.page.evaluate(() => window.playground.applyTheme('light'));
      await theme();
      await say(fenced('ts', TS));
      assert.equal(await style('import', 'color'), 'rgb(155, 70, 176)');
      assert.equal(await style("'./b'", 'color'), 'rgb(163, 21, 21)');
      await view.page.evaluate(() => document.documentElement.style.setProperty('--vscode-debugTokenExpression-string', '#00ff00'));
      assert.equal(await style("'./b'", 'color'), 'rgb(0, 255, 0)', 'the page’s colours are followed by themselves');
    });

    it('ends a worker that hangs, and colours the code that follows', async () => {
      view = await View.open();
      await view.page.clock.install();
      // A worker that hangs in an endless regular expression: it takes the text and never answers.
      await view.page.evaluate(() => {
        const post = Worker.prototype.postMessage;
        Worker.prototype.postMessage = function (this: Worker, message: { text?: string }) {
          if (message.text?.includes('endless')) {
            Object.assign(window, { hangs: true });
          } else {
            post.call(this, message);
          }
        };
      });
      await view.ready();
      await theme(THEME);
      await say(fenced('ts', '// endless') + fenced('ts', '// fine'));
      await view.page.waitForFunction(() => 'hangs' in window);
      // Half of the timeout has passed.
      await view.page.clock.fastForward(TIMEOUT_MS / 2);
      assert.equal(await coloured(), 0);
      await view.page.clock.fastForward(TIMEOUT_MS / 2);
      await token('// fine').waitFor();
      assert.equal(await view.page.locator('.code-text').first().locator('[class^=hl-]').count(), 0);
    });

    it('leaves the colours to a system that forces its own', async () => {
      view = await View.open();
      await view.ready();
      await view.page.emulateMedia({ forcedColors: 'active' });
      await theme(THEME);
      await say(fenced('ts', TS));
      assert.equal(
        await style('// why', 'color'),
        await view.page
          .locator('.code-text')
          .first()
          .evaluate((element) => getComputedStyle(element).color),
      );
    });

    it('looks right in every kind of theme', async () => {
      view = await View.open('gallery&theme=dark', { viewport: { width: 900, height: 4500 } });
      const block = view.page.getByRole('group', { name: 'Code, python' });
      // The list scrolls to its end once more when everything is rendered.
      const isShown = async (): Promise<boolean> => {
        await view.page.getByRole('log').evaluate((log) => log.scrollTo(0, 0));
        return (await block.locator('[class^=hl-]').count()) > 0;
      };
      while (!(await isShown())) {
        await view.page.waitForTimeout(100);
      }
      await mkdir(path.join(root, 'test-results'), { recursive: true });
      const shoot = async (suffix: string) => {
        for (const name of ['dark', 'light', 'hc', 'hc-light']) {
          await view.page.evaluate((name) => window.playground.applyTheme(name), name);
          await view.painted();
          const answer = view.page.locator('.entry.agent').first();
          await keepPicture(answer, path.join(root, 'test-results', `highlight-${name}${suffix}.png`));
        }
      };
      await shoot('');
      await view.send({ type: 'code_theme' });
      await view.page.waitForFunction(() => document.querySelectorAll('.code-text [class^=hl-]').length > 40);
      await shoot('-palette');
    });
  });
});

describe('actions of a block of code', function () {
  this.timeout(60_000);

  let view: View;
  allInOneView((opened) => (view = opened));
  beforeEach(() =>
    view.happen({
      type: 'message',
      role: 'agent',
      messageId: 'm1',
      content: [{ type: 'text', text: fenced('ts src/cat.ts', TS + `// ${'long '.repeat(200)}`) }],
    }),
  );

  const button = (name: string) => view.page.getByRole('group', { name: 'Code, ts' }).getByRole('button', { name, exact: true });
  const text = TS + `// ${'long '.repeat(200)}`;

  it('can all be reached by keyboard, in visual order', async () => {
    await button('Wrap lines').focus();
    const names: (string | null)[] = [];
    for (let count = 0; count < 5; count++) {
      names.push(await view.page.evaluate(() => document.activeElement!.getAttribute('aria-label') ?? document.activeElement!.className));
      await view.page.keyboard.press('Tab');
    }
    assert.deepEqual(names, ['Wrap lines', 'Insert at Cursor', 'Preview and Apply…', 'Copy', 'code-text']);
  });

  it('insert the code at the cursor of the active editor', async () => {
    await view.send({ type: 'editor', fileName: 'cat.ts' });
    await view.painted();
    await button('Insert at Cursor').press('Enter');
    assert.deepEqual(await view.postedAtLeast('insert_code'), [{ type: 'insert_code', text }]);
    assert.equal(await button('Insert at Cursor').getAttribute('title'), 'Insert at the cursor in cat.ts');
  });

  it('give the reason when there is no editor to insert into', async () => {
    await view.send({ type: 'editor' });
    await view.painted();
    const insert = button('Insert at Cursor');
    assert.deepEqual([await insert.getAttribute('aria-disabled'), await insert.getAttribute('title')], ['true', 'No text editor is open.']);
    await insert.press('Enter');
    await view.page.getByRole('status').getByText('No text editor is open.').waitFor({ state: 'attached' });
    assert.deepEqual(await view.posted('insert_code'), []);
  });

  it('request the code as a file, with the info string of the fence', async () => {
    await button('Preview and Apply…').press('Enter');
    assert.deepEqual(await view.postedAtLeast('apply_code'), [{ type: 'apply_code', text, info: 'ts src/cat.ts' }]);
  });

  it('wrap its lines and unwrap them', async () => {
    const overflows = () => view.page.locator('.code-text').evaluate((block) => block.scrollWidth > block.clientWidth);
    assert.equal(await overflows(), true);
    await button('Wrap lines').press('Enter');
    assert.deepEqual([await overflows(), await button('Wrap lines').getAttribute('aria-pressed')], [false, 'true']);
    await button('Wrap lines').press('Enter');
    assert.deepEqual([await overflows(), await button('Wrap lines').getAttribute('aria-pressed')], [true, 'false']);
  });
});
