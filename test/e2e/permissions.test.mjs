// A keystroke never approves anything by accident. Every request gets the answer that the user meant, from either place, and none is lost.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { appears, until } from '../harness/lib/driver.mjs';
import { newSession } from '../harness/lib/journey.mjs';
import { wait } from '../harness/lib/proc.mjs';
import { tempDir } from '../harness/lib/temp.mjs';
import { script, scripted } from './agents.mjs';
import { openWorkspace, opens, startCommand } from './stage.mjs';

const ask = (toolCallId, title, more = {}) => ({
  permission: { toolCall: { toolCallId, title, kind: 'execute', rawInput: { command: `make ${toolCallId}` } }, ...more },
});

/** A request that bypasses the SDK, so that it can be withdrawn. The first session of an agent is `session-1`. */
const withdrawn = [
  {
    raw: {
      jsonrpc: '2.0',
      id: 'mine',
      method: 'session/request_permission',
      params: {
        sessionId: 'session-1',
        toolCall: { toolCallId: 'w', title: 'Take it back' },
        options: [{ optionId: 'y', name: 'Allow', kind: 'allow_once' }],
      },
    },
  },
  { sleep: 3500 },
  { raw: { jsonrpc: '2.0', method: '$/cancel_request', params: { requestId: 'mine' } } },
  { waitCancel: true },
];

const agents = { Asker: scripted(), Fickle: scripted({ script: withdrawn }, 'fickle') };

describe('a permission request', () => {
  let window;
  let conversation;
  let dir;
  /** The agent asks once this file exists. */
  const file = (name) => join(dir, name);

  const start = async () => {
    dir = tempDir('permissions');
    ({ window } = await openWorkspace({ userSettings: { 'acpHost.agents': agents, 'acpHost.permissions.present': 'both' } }));
    await window.openFile('src/calc.js');
    conversation = await newSession(window, 'Asker');
  };
  opens(start);
  // Work that one test left running must not fail the next.
  beforeEach(async () => {
    if (await conversation.stopButton.isVisible()) await conversation.stopButton.click();
    await conversation.turnEnd();
  });

  const widget = () => window.page.locator('.quick-input-widget:visible');
  const title = () => widget().locator('.quick-input-title');
  const placeholder = () => widget().locator('.quick-input-box input').getAttribute('placeholder');
  const open = (text) => conversation.permission(text).getByRole('button', { name: /^(Allow|Reject|Sure)/ });

  /** Waits for the quick pick of the request with this title, and until it accepts answers. */
  async function pick(text) {
    await until(`the quick pick of “${text}”`, async () => (await title().isVisible()) && (await title().innerText()).includes(text));
    await wait(700);
  }

  /** Opens the quick pick, again if a panel that receives the focus late has closed it. */
  async function askedFor(text) {
    await until(`the quick pick of “${text}”`, async () => {
      await startCommand('acpHost.answerPermission');
      return appears(title().filter({ hasText: text }), 3000);
    });
  }

  /**
   * Presses keys until the card of the request has existed for two seconds; the agent may ask from the twelfth key on. Returns the longest
   * pause between two keys in ms.
   */
  async function pressUntilAsked(text, go, press) {
    let pressed = 0;
    let longest = 0;
    let last = Date.now();
    let asked;
    for (const deadline = Date.now() + 30_000; Date.now() < (asked ?? deadline) + 2000; await wait(40)) {
      await press();
      if (++pressed === 12) writeFileSync(go, '');
      longest = Math.max(longest, Date.now() - last);
      last = Date.now();
      assert.ok(longest > 900 || !(await window.quickInputOpen()), 'a quick pick came under the keys');
      asked ??= (await open(text).first().isVisible()) ? Date.now() : undefined;
    }
    assert.ok(asked, 'it was never asked');
    return longest;
  }

  const focusEditor = async () => {
    await window.editor().locator('.view-line').first().click();
    await window.page.keyboard.press('Control+End');
  };

  it('is not answered by keys while the user types, and can be postponed and found again', async () => {
    await conversation.prompt(script({ waitFile: file('type') }, ask('type', 'While typing'), { chunks: ['done ', 'typing'] }));
    await focusEditor();
    const keys = ['y', 'e', 's', 'Enter', ' '];
    let typed = 0;
    await pressUntilAsked('While typing', file('type'), () => window.page.keyboard.press(keys[typed++ % keys.length]));
    assert.equal(await open('While typing').count(), 2, 'it was answered by the typing');
    const expected = Array.from({ length: typed }, (_, index) => keys[index % keys.length].replace('Enter', '\n')).join('');
    const words = (text) =>
      text
        .split('\n')
        .map((line) => line.trim())
        .filter(Boolean);
    const last = words(expected).slice(-8);
    assert.deepEqual(words(await window.editorText()).slice(-last.length), last, 'keys are missing in the editor');

    await pick('While typing');
    assert.match(await title().innerText(), /Asker/);
    assert.match(await placeholder(), /make type/);
    for (let times = 0; times < 3; times++) await window.page.keyboard.press('Enter');
    await wait(300);
    assert.ok(await window.quickInputOpen(), 'Enter alone answered');
    assert.equal(await open('While typing').count(), 2);

    await window.page.keyboard.press('F1');
    await until('the palette', async () => (await title().count()) === 0 || !(await title().isVisible()));
    await wait(2000);
    assert.match(await widget().locator('.quick-input-box input').inputValue(), /^>/, 'the pick took the palette away');
    await window.page.keyboard.press('Escape');
    assert.equal(await open('While typing').count(), 2, 'hiding answered');
    await askedFor('While typing');
    await pick('While typing');
    await window.screenshot('failures/permission-pick');
    await window.pickRow('Reject');
    await conversation.says('permission: selected reject');
    await conversation.turnEnd();
    assert.equal(await open('While typing').count(), 0);
  });

  it('is not answered by an Enter held down in an editor', async () => {
    await conversation.prompt(script({ waitFile: file('hold') }, ask('hold', 'Held in the editor')));
    await focusEditor();
    await pressUntilAsked('Held in the editor', file('hold'), () => window.page.keyboard.down('Enter'));
    await window.page.keyboard.up('Enter');
    assert.equal(await open('Held in the editor').count(), 2, 'it was answered by the key');
    await conversation.answer('Held in the editor', 'Allow');
    await conversation.turnEnd();
    await conversation.says('permission: selected allow');
  });

  it('is not answered by an Enter held down in the composer', async () => {
    await conversation.prompt(script({ waitFile: file('composer') }, ask('composer', 'Held in the composer')));
    await conversation.composer.focus();
    await pressUntilAsked('Held in the composer', file('composer'), () => window.page.keyboard.down('Enter'));
    assert.equal(await open('Held in the composer').count(), 2, 'it was answered by the key');
    await window.page.keyboard.up('Enter');
    await pick('Held in the composer');
    await window.pickRow('Allow');
    await conversation.turnEnd();
    assert.equal((await conversation.log.innerText()).match(/permission: selected allow/g)?.length, 2);
  });

  it('gets the intended answer when it is one of ten, from either place', async () => {
    const numbers = Array.from({ length: 10 }, (_, index) => index + 1);
    const options = (n) => [
      { optionId: `yes-${n}`, name: `Allow ${n}`, kind: 'allow_once' },
      { optionId: `no-${n}`, name: `Reject ${n}`, kind: 'reject_once' },
    ];
    const word = (n) => (n % 3 === 0 ? `Reject ${n}` : `Allow ${n}`);
    await conversation.prompt(script({ together: numbers.map((n) => ask(`ten${n}`, `Number ${n}.`, { options: options(n) })) }));
    for (const n of [1, 2]) {
      await pick(`Number ${n}.`);
      await window.pickRow(word(n));
      await until(`the answer to ${n}`, async () => (await open(`Number ${n}.`).count()) === 0);
    }
    for (const n of [10, 3, 7, 4, 5, 6]) {
      await conversation.answer(`Number ${n}.`, word(n));
      await until(`the answer to ${n}`, async () => (await open(`Number ${n}.`).count()) === 0);
    }
    await askedFor('Number 8.');
    for (const n of [8, 9]) {
      await pick(`Number ${n}.`);
      await window.pickRow(word(n));
    }
    await conversation.turnEnd();
    const said = [...(await conversation.log.innerText()).matchAll(/permission: selected (yes|no)-(\d+)/g)].map(
      ([, answer, n]) => `${n} ${answer}`,
    );
    assert.deepEqual(said.sort(), numbers.map((n) => `${n} ${n % 3 === 0 ? 'no' : 'yes'}`).sort());
  });

  it('shows the counts and the diff of an edit, and keeps the pick open for the answer', async () => {
    const content = [{ type: 'diff', path: join(dir, 'edit.txt'), oldText: 'one\ntwo\n', newText: 'one\n2\nthree\n' }];
    await conversation.prompt(script({ permission: { toolCall: { toolCallId: 'edit', title: 'Edit the file', kind: 'edit', content } } }));
    await askedFor('Edit the file');
    await pick('Edit the file');
    const text = `${await title().innerText()} ${await placeholder()}`;
    assert.match(text, /edit\.txt/);
    assert.ok(text.includes('(+2 −1)'), text);
    await widget().getByRole('button', { name: 'Open Diff' }).click();
    const tab = window.page.locator('.part.editor .tabs-container').getByRole('tab', { name: /edit\.txt \(proposed changes\)/ });
    await tab.waitFor();
    await window.screenshot('permissions/edit-diff');
    assert.ok(await window.quickInputOpen(), 'the diff closed the pick');
    assert.equal(await open('Edit the file').count(), 2, 'the button answered');
    await window.pickRow('Allow');
    await conversation.turnEnd();
    await conversation.says('permission: selected allow');
  });

  it('shows the agent’s text as plain text, and ends with the turn', async () => {
    const options = [{ optionId: 'sure', name: '$(check) Sure', kind: 'allow_once' }];
    await conversation.prompt(script(ask('inert', '$(trash) Delete \u202egnp.exe', { options })));
    await pick('Delete');
    const place = await conversation
      .permission('$(trash)')
      .first()
      .evaluate((card) => ({ bottom: card.getBoundingClientRect().bottom, end: innerHeight }));
    assert.ok(place.bottom < place.end, 'what came after the user’s own message is not on the screen');
    const text = await title().innerText();
    assert.ok(/\$.?\(trash\)/u.test(text) && !text.includes('\u202e'), text);
    assert.equal(await widget().locator('.codicon-trash, .codicon-check').count(), 0, 'the agent drew an icon');
    assert.match((await window.quickPickRows())[0], /\$.?\(check\) Sure/u);
    await window.screenshot('failures/permission-inert');
    await conversation.stopButton.click();
    await conversation.turnEnd();
    await conversation.says('permission: cancelled');
    const card = conversation.toolCall('$(trash)');
    await card.getByText('Canceled').first().waitFor();
    await card.getByRole('button', { expanded: false }).click();
    await conversation.says('the turn was stopped');
    assert.equal(await window.quickInputOpen(), false, 'the pick stayed');
  });

  it('closes when its agent withdraws it', async () => {
    conversation = await newSession(window, 'Fickle');
    await conversation.prompt('Go');
    await pick('Take it back');
    await widget().waitFor({ state: 'hidden' });
    const card = conversation.toolCall('Take it back');
    await card.getByText('Canceled').first().waitFor();
    await card.getByRole('button', { expanded: false }).click();
    await conversation.says('Withdrawn by the agent');
    assert.equal(await appears(open('Take it back'), 200), false);
    await conversation.stopButton.click();
    await conversation.turnEnd();
  });
});
