/** The permission mode beside the message box, its warning in the header, and many questions as one list. */
import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { EventInput } from '../../src/core/model/event';
import { permissionRequest } from '../support/events';
import { brokenIn } from './support/axe';
import { eachInItsOwnView, keepPicture, root, type View } from './support/view';

const pictures = path.join(root, 'test-results', 'permissionModes');
const AGENT_MODE = {
  type: 'config_options',
  options: [
    {
      type: 'select',
      configId: 'mode',
      name: 'Mode',
      category: 'mode',
      currentValue: 'default',
      groups: [{ choices: ['Default', 'Accept Edits', 'Plan', 'Bypass'].map((name) => ({ value: name.toLowerCase(), name })) }],
    },
    {
      type: 'select',
      configId: 'model',
      name: 'Model',
      category: 'model',
      currentValue: 'opus',
      groups: [{ choices: [{ value: 'opus', name: 'Opus 5' }] }],
    },
  ],
} as EventInput;
const setTo = (mode: string) => ({ type: 'permission_mode', mode }) as EventInput;

describe('the permission mode', function () {
  this.timeout(60_000);
  let view: View;
  eachInItsOwnView((opened) => (view = opened));
  beforeEach(async () => {
    await view.tame();
    await view.happen(AGENT_MODE);
    await control().waitFor();
  });

  const control = () => view.page.getByRole('combobox', { name: 'Permission mode' });
  const press = (key: string) => view.page.keyboard.press(key);
  const chosen = async () => (await view.posted('set_permission_mode')).map(({ mode }) => mode);
  const picture = async (name: string) => {
    await mkdir(pictures, { recursive: true });
    await keepPicture(view.page, path.join(pictures, `${name}.png`));
  };

  it('is Ask at first, and named apart from the agent’s own mode', async () => {
    assert.equal((await control().innerText()).trim(), 'Ask');
    await view.page.getByRole('combobox', { name: 'Mode', exact: true }).waitFor();
    await picture('ask');
  });

  it('is marked when the agent has acted in Plan only without a request', async () => {
    const failure = { code: 'mode.not_held', params: { agent: 'pi', path: 'list.txt' } } as const;
    await view.happen(
      setTo('planOnly'),
      { type: 'unasked', kinds: ['edit', 'command'], inPlanOnly: true },
      { type: 'notice', noticeId: 'n', severity: 'warning', title: '', failure },
    );
    await view.page.getByText("pi changed list.txt without asking. Plan only can't refuse that, but a sandbox can.").waitFor();
    assert.equal((await control().innerText()).trim(), 'Plan only (not held)');
    await control().click();
    await view.page.getByText(/^Only requests are refused\. .* may act without asking\.$/).waitFor();
  });

  it('is chosen by keys, and the host decides', async () => {
    await control().focus();
    await press('Enter');
    await view.page.getByRole('listbox', { name: 'Permission mode' }).waitFor();
    await press('ArrowDown');
    await press('Enter');
    assert.deepEqual(await chosen(), ['acceptEdits']);
    assert.equal((await control().innerText()).trim(), 'Ask', 'until the host has set it');
    await view.happen(setTo('acceptEdits'));
    await view.page.waitForFunction(() => document.querySelector('.permission-mode')?.textContent.trim() === 'Accept edits');
    assert.equal(await control().evaluate((element) => element === document.activeElement), true);
  });

  it('says what each mode does, and what cannot be held back', async () => {
    await view.happen(
      { type: 'session_opened', agentName: 'OpenCode', cwd: '/home/ada/sample' },
      { type: 'session_ready', sessionId: 's1' },
    );
    await control().click();
    const list = view.page.getByRole('listbox', { name: 'Permission mode' });
    assert.deepEqual(
      (await list.locator('.option-label').allInnerTexts()).map((each) => each.trim()),
      ['Ask', 'Accept edits', 'Plan only', 'Allow everything'],
    );
    const about = await view.page.locator('.option-about').innerText();
    assert.match(about, /^OpenCode edits files and runs commands itself, without asking unless its own settings say so\./);
    assert.match(about, /sandbox/i);
    await picture('list');
    for (const width of [300, 900]) {
      await view.page.setViewportSize({ width, height: 640 });
      await view.painted();
      assert.deepEqual(await brokenIn('dark', view), [], `${width} px`);
    }
    await view.page.setViewportSize({ width: 300, height: 640 });
    await picture('list-300');
  });

  it('warns in the header while everything is allowed, at any width', async () => {
    const warning = view.page.locator('.header-mode');
    assert.equal(await warning.count(), 0);
    await view.happen(setTo('allowEverything'));
    await warning.waitFor();
    for (const width of [300, 900]) {
      await view.page.setViewportSize({ width, height: 640 });
      await view.painted();
      const { left, right } = await warning.evaluate((element) => element.getBoundingClientRect().toJSON() as DOMRect);
      assert.ok(left >= 0 && right <= width, `${width} px: ${left} to ${right}`);
      const overflow = await view.page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      assert.equal(overflow, 0);
      assert.deepEqual(await brokenIn('dark', view), [], `${width} px`);
      await picture(`everything-${width}`);
    }
    await warning.click();
    assert.deepEqual(await chosen(), ['ask']);
    await view.happen({ type: 'session_ended' });
    await warning.waitFor({ state: 'detached' });
  });
});

describe('ten questions in a minute', function () {
  this.timeout(60_000);
  let view: View;
  eachInItsOwnView((opened) => (view = opened));
  const options = [
    { optionId: 'y', name: 'Yes', kind: 'allow_once' },
    { optionId: 'n', name: 'No', kind: 'reject_once' },
  ];
  const ask = (id: string, more: object = {}) =>
    ({ ...permissionRequest(id, `Edit ${id}.ts`, { options, subject: { kind: 'edit' } }), ...more }) as EventInput;
  const list = (count: number) => view.page.getByRole('group', { name: `${count} questions wait` });
  const button = (name: string) => view.page.locator('.flood').getByRole('button', { name });
  const flood = async (count: number, ...last: EventInput[]) => {
    await view.tame();
    await view.happen({ type: 'turn_started', turnId: 't' }, ...Array.from({ length: count }, (_, index) => ask(`q${index}`)), ...last);
    await list(count + last.length).waitFor();
    await view.page.waitForFunction(() => !document.querySelector('.flood [aria-disabled]'));
  };

  it('become one list, which answers all alike', async () => {
    await flood(10);
    assert.equal(await view.page.locator('.flood-item').count(), 10);
    await button('Allow 10 Once').click();
    const [answer] = await view.posted('answer_alike');
    assert.deepEqual(answer, {
      type: 'answer_alike',
      permissionIds: Array.from({ length: 10 }, (_, index) => `q${index}`),
      kind: 'allow_once',
    });
  });

  it('leave those that need a look of their own', async () => {
    const reason = { type: 'protected_path', access: 'write', rule: '.env', path: '.env' } as const;
    await flood(8, ask('p', { subject: { kind: 'edit', reason } }), ask('d', { defaultToNo: true }));
    await button('Allow 8 Once').waitFor();
    await button('Reject 10').waitFor();
    await view.page.getByText('2 wait for an answer of their own').waitFor();
    for (const width of [300, 900]) {
      await view.page.setViewportSize({ width, height: 640 });
      await view.painted();
      assert.deepEqual(await brokenIn('dark', view), [], `${width} px`);
      await mkdir(pictures, { recursive: true });
      await keepPicture(view.page, path.join(pictures, `flood-${width}.png`));
    }
  });

  it('can be answered one by one, by the keyboard', async () => {
    await flood(10);
    await button('One by One').focus();
    await view.page.keyboard.press('Enter');
    await list(10).waitFor({ state: 'detached' });
    await view.page.waitForFunction(() => document.activeElement?.getAttribute('data-entry-id') === 'permission:q0');
  });

  it('stay single cards when they are fewer', async () => {
    await view.happen({ type: 'turn_started', turnId: 't' }, ...Array.from({ length: 9 }, (_, index) => ask(`q${index}`)));
    await view.page.getByRole('button', { name: 'Yes' }).first().waitFor();
    await view.painted();
    assert.equal(await view.page.locator('.flood').count(), 0);
  });
});
