// Pictures for people, under test-results/themes/: the whole window in four themes. It shows changes to review, a diff, a permission request
// on its card and in the quick pick, and the list of mentions. A reloaded chat and thirty sessions come last.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../harness/lib/driver.mjs';
import { newSession } from '../harness/lib/journey.mjs';
import { scripted } from '../e2e/agents.mjs';
import { changeSettings, closeAll, openWorkspace, runCommands, theStage } from '../e2e/stage.mjs';
import { journals, storeOf } from './recorded.mjs';
import { inFourThemes } from './fourThemes.mjs';

const resumes = { initialize: { agentCapabilities: { sessionCapabilities: { resume: {}, close: {} } } }, keeps: true };
const files = {
  'src/cart.js': `export function total(items) {\n  let sum = 0;\n  for (const item of items) {\n    sum -= item.price;\n  }\n  return sum;\n}\n\nexport function add(items, item) {\n  items.push(item);\n}\n`,
  'src/format.js': `export const euros = (cents) => cents / 100 + ' EUR';\n`,
};
const change =
  `sed -i 's/sum -= item.price/sum += item.price * item.count/; s/items.push(item);/return [...items, item];/' src/cart.js && ` +
  `printf "import { total } from '../src/cart.js';\\n\\nassert.equal(total([]), 0);\\n" > src/cart.test.js && rm src/format.js`;
const fixes = [
  { say: 'The total subtracts each price. I change the sign, count each item, and add a test.' },
  { sleep: 2500 },
  { shell: `cd '\${cwd}' && ${change}` },
  { say: '\n\nDone: `total` adds now, and `add` returns a new list.' },
];
const toolCall = { toolCallId: 'test', title: 'Run the tests', kind: 'execute', rawInput: { command: 'npm test -- --grep cart' } };
const options = [
  { optionId: 'once', name: 'Allow', kind: 'allow_once' },
  { optionId: 'always', name: 'Always Allow', kind: 'allow_always' },
  { optionId: 'no', name: 'Reject', kind: 'reject_once' },
];
const asks = [{ say: 'I run the tests of the cart.' }, { sleep: 1500 }, { permission: { toolCall, options } }];
const agents = {
  Heron: scripted({ ...resumes, script: fixes }, 'themes-heron'),
  Otter: scripted({ ...resumes, script: asks }, 'themes-otter'),
};
const settings = { 'acpHost.agents': agents };

describe('pictures of the window in four themes', function () {
  this.timeout(600_000);
  this.retries(0);
  let window;
  let conversation;

  const pictures = (name) => inFourThemes(window, settings, `themes/${name}`);

  before(async () => {
    ({ window } = await openWorkspace({ userSettings: settings, files }));
    await window.page.setViewportSize({ width: 1280, height: 800 });
  });
  after(async () => {
    await changeSettings({});
    await window.page.setViewportSize({ width: 1400, height: 900 });
  });

  it('changes to review, above the message box', async () => {
    conversation = await newSession(window, 'Heron');
    await conversation.prompt('The total of my cart is negative. Fix it, please.');
    await conversation.says('Done:');
    await conversation.turnEnd();
    const bar = conversation.frame.getByRole('group', { name: 'Changes to review' });
    const summary = bar.getByRole('button', { name: /files changed/ });
    await summary.waitFor();
    await pictures('changes-closed');
    await summary.click();
    await conversation.frame.getByRole('list', { name: 'Changed files' }).waitFor();
    await pictures('changes-open');
  });

  it('the diff of a file, with Keep and Undo', async () => {
    await conversation.frame.getByRole('button', { name: /^Open Diff: .*cart\.js/ }).click();
    await window.page.locator('.part.editor .monaco-diff-editor:visible .line-insert').first().waitFor();
    await pictures('diff');
    await runCommands('workbench.action.closeActiveEditor');
    await window.openFile('src/cart.js');
    await window.page.locator('.part.editor .codelens-decoration').filter({ hasText: 'Keep' }).first().waitFor();
    await pictures('lenses');
    await runCommands('acpHost.reviewAllChanges');
    await window.page.locator('.part.editor .multiDiffEditor .view-line').first().waitFor();
    await pictures('review');
    await runCommands('workbench.action.closeActiveEditor');
  });

  it('a permission request, on its card and in the quick pick', async () => {
    conversation = await newSession(window, 'Otter');
    await conversation.prompt('Run the tests');
    await conversation.permission('Run the tests').first().waitFor();
    await pictures('card');
    await window.page.keyboard.press('Escape');
    await window.page.waitForTimeout(800);
    await pictures('card-focused');
    await conversation.answer('Run the tests', 'Reject');
    await conversation.turnEnd();
    conversation = await newSession(window, 'Otter');
    await conversation.prompt('Run them once more');
    await window.showTab('cart.js');
    await window.editor().locator('.view-line').first().click();
    // A row under the pointer would look chosen.
    await window.page.mouse.move(600, 600);
    await window.page.locator('.quick-input-widget:visible .quick-input-title', { hasText: 'Run the tests' }).waitFor({ timeout: 60_000 });
    await pictures('quick-pick');
    await window.dismiss();
    await window.page.waitForTimeout(500);
    await pictures('quick-pick-dismissed');
  });

  it('the list of mentions', async () => {
    conversation = await newSession(window, 'Heron');
    await conversation.composer.click();
    await window.page.keyboard.type('Look at @');
    await conversation.frame.getByRole('option').nth(2).waitFor();
    await pictures('mentions');
    await window.page.keyboard.type('ca');
    await conversation.frame.getByRole('option', { name: /cart/ }).first().waitFor();
    await pictures('mentions-filtered');
    await window.page.keyboard.press('Escape');
    await conversation.composer.fill('');
    await runCommands('workbench.action.closeActiveEditor');
  });

  it('a chat after a reload', async () => {
    await window.page
      .getByRole('tab', { name: /^The total of my cart/ })
      .first()
      .click();
    await runCommands('workbench.action.closeEditorsInOtherGroups', 'workbench.action.closeOtherEditors');
    // VS Code saves the layout when it is idle.
    await window.page.waitForTimeout(10_000);
    await window.reload();
    await window.panel();
    await window.page.waitForTimeout(3000);
    await pictures('reloaded');
  });

  it('thirty sessions', async () => {
    const { dir, neighbour } = await theStage();
    await closeAll();
    await neighbour.commands('workbench.action.closeAllEditors');
    copySessions(storeOf(dir), 30);
    await window.reload();
    await runCommands('acpHost.sessions.focus');
    await until('the rows', async () => (await window.page.locator('.sidebar .monaco-list-row').count()) > 15, { timeoutMs: 60_000 });
    await window.page.waitForTimeout(1500);
    await pictures('sessions');
    await window.page.locator('.sidebar .monaco-list-row').nth(3).hover();
    await window.page.keyboard.press('ArrowDown');
    await window.page.keyboard.press('ArrowDown');
    await pictures('sessions-hover');
  });

  /** Copies a stored session until there are `count`, with a title and a time each. */
  function copySessions(store, count) {
    const [file] = [...journals(store).keys()].filter((each) => readFileSync(each, 'utf8').includes('negative'));
    const key = file.split('/').at(-1).replace('.jsonl', '');
    const index = readdirSync(store, { recursive: true }).find((name) => name.endsWith(`.${key}`) && !name.endsWith('.jsonl'));
    if (!existsSync(join(store, index))) throw new Error('no index entry');
    const titles = [
      'Explain the tax rules',
      'Add a test for empty carts',
      'Why is the build slow on Windows, and what can we do about it?',
    ];
    titles.push('Rename add to append', 'Draft the changelog', 'Review the last commit', 'Find the unused exports', 'Update the README');
    for (let nth = 1; nth < count; nth++) {
      const id = `copy-${String(nth).padStart(3, '0')}`;
      const at = Date.now() - nth ** 2 * 20 * 60_000;
      const title = `${titles[nth % titles.length]}${nth > 8 ? ` (${nth})` : ''}`;
      const text = readFileSync(file, 'utf8')
        .replaceAll(key, id)
        .replaceAll('The total of my cart is negative. Fix it, please.', title)
        .replaceAll(/"at":\d+/g, `"at":${at}`)
        .replaceAll(/"createdAt":\d+/g, `"createdAt":${at}`);
      writeFileSync(file.replace(key, id), text);
      const [, ...rest] = index.split('/').at(-1).split('.');
      writeFileSync(join(store, index, '..', [at.toString(36).padStart(9, '0'), ...rest].join('.').replace(key, id)), '');
    }
  }
});
