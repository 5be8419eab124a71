// Code blocks, formulas and diagrams in the packed extension: a worker and late files must load under the webview's real origin and content
// security policy.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../harness/lib/driver.mjs';
import { newSession } from '../harness/lib/journey.mjs';
import { scripted } from './agents.mjs';
import { opens, openWorkspace } from './stage.mjs';

const code = `// Adds.\nexport const add = (a: number, b: number) => a + b;\n`;
const script = [
  {
    tool: {
      toolCallId: 'edit',
      title: 'edit',
      kind: 'edit',
      status: 'pending',
      content: [{ type: 'diff', path: '${cwd}/src/calc.js', oldText: '  return a - b;\n', newText: '  return a + b;\n' }],
    },
  },
  {
    chunks: [
      'Like this:\n\n```ts src/',
      `add.ts\n${code}`,
      '```\n',
      '\nso that $a_1 + b$ is\n\n$$\n\\sum_{i=1}^{2} \\frac{x_i}{\\mathbb{N}}\n$$\n',
      '\n```mermaid\nflowchart LR\n  a[Augend] --> s((Sum))\n  b[Addend] --> s\n```\n',
      '\n```bash\n$ echo "it ran" > ran.txt\n```\n\nSee calc.js:3, `src/calc.js` and src/missing.js.\n',
    ],
  },
];

describe('code blocks', () => {
  let window;
  let folder;
  let conversation;

  const open = async () => {
    const agents = { Coder: scripted({ script }, 'coder') };
    ({ window, folder } = await openWorkspace({ userSettings: { 'acpHost.agents': agents, 'workbench.colorTheme': 'Monokai' } }));
    await window.openFile('src/calc.js');
    conversation = await newSession(window, 'Coder');
    await conversation.prompt('Write add');
    await conversation.says('export const add');
    await conversation.turnEnd();
  };
  opens(open);

  const block = () => conversation.frame.getByRole('group', { name: 'Code, ts' });
  const press = (name) => block().getByRole('button', { name, exact: true }).click();

  it('have the colours of the theme', async () => {
    const colourOf = (text) =>
      block()
        .locator('[class^=hl-]', { hasText: text })
        .first()
        .evaluate((element) => getComputedStyle(element).color);
    await until(
      'Monokai’s colours',
      async () => (await colourOf('// Adds.')) === 'rgb(136, 132, 111)' && (await colourOf('const')) === 'rgb(102, 217, 239)',
    );
  });

  it('coexist with formulas in fonts of their own', async () => {
    const { frame } = conversation;
    await until('two formulas', async () => (await frame.locator('.math-set .katex-html').count()) === 2);
    const found = await frame.locator('.math-block').evaluate((block) => ({
      fonts: [...document.fonts]
        .filter(({ status }) => status === 'loaded')
        .map(({ family }) => family.replaceAll('"', ''))
        .sort(),
      // In a fraction the numerator is above the line.
      line:
        block.querySelector('.frac-line').getBoundingClientRect().width > 5 &&
        block.querySelector('.katex-strut').getBoundingClientRect().height > 20,
      mathml: block.querySelector('math mfrac')?.textContent,
    }));
    assert.deepEqual(found, { fonts: ['KaTeX_AMS', 'KaTeX_Main', 'KaTeX_Math', 'KaTeX_Size2'], line: true, mathml: 'xiN' });
  });

  it('become a picture if they are a diagram, in the colours of the theme', async () => {
    const { frame } = conversation;
    const image = frame.getByRole('img', { name: 'Diagram: flowchart' });
    await image.scrollIntoViewIfNeeded();
    await until('the picture', () => image.evaluate((element) => element.complete && element.naturalWidth > 100));
    const lightest = await image.evaluate((element) => {
      const canvas = new OffscreenCanvas(element.naturalWidth, element.naturalHeight).getContext('2d');
      canvas.drawImage(element, 0, 0);
      const { data } = canvas.getImageData(0, 0, element.naturalWidth, element.naturalHeight);
      // The lightest pixel belongs to a word: Monokai's own foreground.
      let found = [0, 0, 0];
      for (let at = 0; at < data.length; at += 4) if (data[at + 3] === 255 && data[at] > found[0]) found = [...data.slice(at, at + 3)];
      return found;
    });
    assert.ok(lightest[0] > 200, `${lightest}`);
  });

  it('are inserted at the cursor of the active editor', async () => {
    await press('Insert at Cursor');
    await until('the code in the editor', async () => (await window.editorText()).includes('export const add'));
    assert.equal(await window.isDirty('calc.js'), true);
    await window.command('Undo');
    await until('the code to be gone', async () => !(await window.editorText()).includes('export const add'));
  });

  it('become a file once the diff was accepted', async () => {
    await press('Preview and Apply…');
    const accept = window.page.getByRole('button', { name: /^Apply Code to File/ });
    await accept.waitFor();
    await accept.click();
    await until('the file', () => readFileSync(join(folder, 'src/add.ts'), 'utf8') === code);
    await window.tab('add.ts').waitFor();
  });

  it('run in a terminal of the window, in the session’s folder, if they are for a shell', async () => {
    const bash = conversation.frame.getByRole('group', { name: 'Code, bash' });
    await bash.getByRole('button', { name: 'Run in Terminal' }).click();
    const ran = join(folder, 'ran.txt');
    await until('the command to have run', () => existsSync(ran) && readFileSync(ran, 'utf8') === 'it ran\n');
    assert.equal(await block().getByRole('button', { name: 'Run in Terminal' }).count(), 0);
  });

  it('coexist with links to existing files', async () => {
    const { frame } = conversation;
    const link = (name) => frame.getByRole('link', { name, exact: true });
    await link('calc.js:3').waitFor();
    await link('src/calc.js').waitFor();
    assert.equal(await link('src/missing.js').count(), 0);
    await link('calc.js:3').click();
    await until('the line', async () => (await window.page.getByRole('button', { name: /^Ln 3,/ }).count()) === 1);
  });

  it('coexist with a change that has its file’s line numbers and opens to the side without taking the focus', async () => {
    const card = conversation.toolCall('edit src/calc.js');
    await until('the number', async () => (await card.locator('.diff-number').first().innerText()) === '3');
    const tabs = window.page.getByRole('tab', { name: /^calc\.js \(/ });
    for (let times = 0; times < 2; times++) {
      await card.getByRole('button', { name: 'Open Diff' }).click();
      await tabs.first().waitFor();
      await until('all of the file in the difference', async () =>
        /Math\.round/.test(await window.page.locator('.diff-editor, .monaco-diff-editor').first().innerText()),
      );
      assert.equal(await tabs.count(), 1);
      assert.equal(await conversation.composer.isVisible(), true);
      assert.equal(await conversation.composer.evaluate(() => document.hasFocus()), true);
    }
  });
});
