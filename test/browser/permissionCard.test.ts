/** A permission request as a card: its text, the time when it takes an answer, and its effect on the focus. */
import assert from 'node:assert/strict';
import type { EventInput } from '../../src/core/model/event';
import { permissionRequest } from '../support/events';
import { eachInItsOwnView, type View } from './support/view';

describe('permission card', function () {
  this.timeout(30_000);
  let view: View;

  eachInItsOwnView((opened) => (view = opened));

  const message = () => view.page.getByRole('textbox', { name: 'Message' });

  it('names an answer that the agent left without a name', async () => {
    const options = [{ optionId: 'go-on', name: ' ', kind: 'allow_once' }];
    await view.happen(permissionRequest('p1', 'Go on?', { options }));
    await view.page.getByRole('button', { name: 'go-on', exact: true }).click();
    assert.deepEqual((await view.postedAtLeast('answer_permission'))[0], {
      type: 'answer_permission',
      permissionId: 'p1',
      optionId: 'go-on',
    });
  });

  const request: EventInput = permissionRequest('p1', 'Run the tests', {
    options: [
      { optionId: 'a', name: 'Sure, go on', kind: 'allow_once' },
      { optionId: 'b', name: 'Never ever', kind: 'reject_always' },
    ],
    subject: { command: 'npm test \u202Egpj.exe', cwd: '/home/ada/elsewhere' },
  });

  it('shows the operation, posts the answer, and then shows the choice', async () => {
    await view.happen(request);
    const card = view.page.getByRole('group', { name: 'Run the tests' });
    await card.getByText('Demo Agent needs your permission').waitFor();
    await card.getByText('npm test ⟨U+202E⟩gpj.exe').waitFor();
    await card.getByText('in /home/ada/elsewhere').waitFor();
    await card.getByRole('button', { name: 'Never ever', exact: true }).click();
    assert.deepEqual((await view.postedAtLeast('answer_permission'))[0], {
      type: 'answer_permission',
      permissionId: 'p1',
      optionId: 'b',
    });
    await card.getByText('Rejected', { exact: true }).waitFor();
    assert.equal(await card.getByRole('button', { name: 'Never ever' }).count(), 0);
  });

  it('warns of files that have changed since, and offers to compare them', async () => {
    const paths = ['/home/ada/sample/src/cart.js', '/home/ada/sample/a.js'];
    await view.happen(request);
    const card = view.page.getByRole('group', { name: 'Run the tests' });
    await card.getByRole('button', { name: 'Never ever', exact: true }).waitFor();
    await view.happen({ type: 'permission_outdated', permissionId: 'p1', paths });
    const warning = card.getByText('cart.js, a.js have changed since Demo Agent prepared this change.');
    await warning.waitFor();
    await card.getByRole('button', { name: 'Show Changes' }).click();
    assert.deepEqual(await view.postedAtLeast('saved_lines'), [{ type: 'saved_lines', act: 'compare', entryId: 'permission:p1' }]);
    await view.happen({ type: 'permission_outdated', permissionId: 'p1', paths: [] });
    await warning.waitFor({ state: 'detached' });
    assert.equal(await card.getByRole('button', { name: 'Never ever', exact: true }).count(), 1);
  });

  it('shows the key of each answer in the color of its button', async () => {
    await view.happen(request);
    await view.page.getByRole('button', { name: 'Never ever', exact: true }).waitFor();
    for (const theme of ['dark', 'light', 'hc', 'hc-light']) {
      await view.page.evaluate((name) => window.playground.applyTheme(name), theme);
      const colors = await view.page
        .locator('.options .key')
        .evaluateAll((keys) => keys.map((key) => [getComputedStyle(key).color, getComputedStyle(key.parentElement!).color]));
      assert.equal(colors.length, 2);
      colors.forEach(([key, button]) => assert.equal(key, button, theme));
    }
  });

  it('keeps the focus in the question when all values of variables are expanded', async () => {
    const environment = [{ name: 'PATH', value: `/a:${'x'.repeat(1000)}:/z` }];
    await view.happen({ ...request, subject: { command: 'npm test', cwd: '/home/ada/sample', environment } });
    const card = view.page.getByRole('group', { name: 'Run the tests' });
    await card.getByRole('button', { name: 'Show All Values' }).focus();
    await view.page.keyboard.press('Enter');
    await card
      .getByRole('listitem')
      .filter({ hasText: 'x'.repeat(1000) })
      .waitFor();
    assert.equal(await card.getByRole('list', { name: 'Environment variables' }).evaluate((each) => each === document.activeElement), true);
  });

  it('names no folder for a command in the session’s folder, and stays small with any number of answers', async () => {
    const options = Array.from({ length: 1000 }, (_, index) => ({
      optionId: `o${index}`,
      name: `Answer ${index} ${'x'.repeat(5000)}`,
      kind: 'allow_once',
    }));
    await view.happen({
      ...request,
      options,
      description: 'y'.repeat(100_000),
      subject: { rawInput: { command: 'rm', args: ['-rf', 'a b'] } },
    });
    const card = view.page.getByRole('group', { name: 'Run the tests' });
    await card.getByText('rm -rf "a b"').waitFor();
    assert.equal(await card.getByText(/^in \//).count(), 0);
    assert.ok((await card.innerText()).length < 10_000);
    await card.getByRole('button', { name: '980 more answers' }).click();
    // This finds the button by its text in the page: computing a thousand accessible names again and again takes too long.
    await view.page.locator('button', { hasText: 'Answer 999 ' }).evaluate((button: HTMLElement) => button.click());
    assert.deepEqual((await view.postedAtLeast('answer_permission'))[0], {
      type: 'answer_permission',
      permissionId: 'p1',
      optionId: 'o999',
    });
  });

  it('can be answered after any number of later messages, and moves with its page once answered', async () => {
    const options = [{ optionId: 'y', name: 'Yes', kind: 'allow_once' }];
    await view.happen(permissionRequest('p1', 'Go on?', { options }));
    await view.happen(
      ...Array.from(
        { length: 120 },
        (_, index): EventInput => ({
          type: 'message_chunk',
          role: 'agent',
          messageId: `m${index}`,
          content: { type: 'text', text: 'And then something more was said.' },
        }),
      ),
    );
    await view.page.getByText('And then').last().waitFor();
    const card = view.page.getByRole('group', { name: /^Go on\?/ });
    await view.painted();
    assert.equal(await view.page.locator('[data-slot="agent:m20"]').count(), 0, 'what is far away is not rendered');
    assert.equal(await card.count(), 1);
    await card.getByRole('button', { name: 'Yes' }).evaluate((button: HTMLElement) => button.click());
    assert.equal((await view.postedAtLeast('answer_permission'))[0]?.optionId, 'y');
    await view.happen({ type: 'permission_resolved', permissionId: 'p1', outcome: 'selected', optionId: 'y' });
    await card.waitFor({ state: 'detached' });
  });

  it('shows the kind of each answer, whatever its name', async () => {
    const kinds = ['allow_once', 'allow_always', 'reject_once', 'reject_always', '_custom'];
    await view.happen({ ...request, options: kinds.map((kind) => ({ optionId: kind, name: `Name of ${kind}`, kind })) });
    const buttons = view.page.getByRole('group', { name: 'Run the tests' }).locator('.options button');
    await buttons.first().waitFor();
    const told = await buttons.evaluateAll((buttons) =>
      buttons.map((button) => [button.textContent, (button as HTMLElement).title, button.querySelector('svg')?.classList[1] ?? '']),
    );
    assert.deepEqual(told, [
      ['Name of allow_once', 'Allow once', 'icon-check'],
      ['Name of allow_always', 'Always allow', 'icon-check-all'],
      ['Name of reject_once', 'Reject once', 'icon-cross'],
      ['Name of reject_always', 'Always reject', 'icon-prohibited'],
      ['Name of _custom', '', ''],
    ]);
  });

  it('shows a diff and a deletion before a command that a model wrote', async () => {
    const subject = { kind: 'delete', locations: [{ path: '/home/ada/sample/all.txt' }], rawInput: { command: 'ls' } };
    await view.happen({ ...request, subject });
    const text = await view.page.getByRole('group', { name: 'Run the tests' }).locator('.subject').innerText();
    assert.match(text, /^Delete\s[^]*all\.txt[^]*\bls\b/);
  });

  it('ignores clicks and keys in the first half second', async () => {
    const now = { ...request, subject: {} };
    // The clock is paused and advances only explicitly, however slow the machine is.
    await view.page.clock.install({ time: 0 });
    await view.page.clock.pauseAt(1000);
    await view.happen(now);
    await view.page.clock.runFor(100);
    const button = view.page.getByRole('button', { name: 'Sure, go on' });
    await button.waitFor();
    assert.equal(await button.getAttribute('aria-disabled'), 'true');
    await button.click({ force: true });
    await button.press('Enter');
    await button.press('Space');
    await view.page.clock.runFor(100);
    assert.equal((await view.posted('answer_permission')).length, 0);
    await view.page.clock.runFor(600);
    assert.equal(await button.getAttribute('aria-disabled'), null);
    await button.press('Enter');
    assert.equal((await view.postedAtLeast('answer_permission')).length, 1);
  });

  it('ignores the second click of a double click on the button that has moved to that position', async () => {
    await view.tame();
    const two = ['p1', 'p2'].map((permissionId) => ({ ...request, permissionId, title: `Question ${permissionId}` }));
    await view.happen(...two);
    const answers = view.page.getByRole('button', { name: 'Sure, go on', disabled: false });
    await answers.nth(1).waitFor();
    const box = (await answers.first().boundingBox())!;
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const rest = (await answers.nth(1).boundingBox())!.y - box.y;
    await view.page.mouse.click(x, y);
    await view.postedAtLeast('answer_permission');
    // The first card is removed, and the second appears at the same pixels.
    await view.page.evaluate((px) => {
      const [first, second] = document.querySelectorAll<HTMLElement>('[data-entry-id^="permission:"]');
      first!.style.display = 'none';
      second!.style.translate = `0 ${first!.getBoundingClientRect().top}px`;
      const moved = document.querySelectorAll('.options button')[2]!.getBoundingClientRect().top;
      second!.style.translate = `0 ${px - moved}px`;
    }, box.y);
    await view.page.mouse.click(x, y);
    await view.painted();
    assert.ok(rest > 0);
    assert.equal((await view.posted('answer_permission')).length, 1, 'the second question was answered');
    await view.page.waitForTimeout(600);
    await view.page.mouse.click(x, y);
    assert.deepEqual((await view.postedAtLeast('answer_permission', 2))[1], {
      type: 'answer_permission',
      permissionId: 'p2',
      optionId: 'a',
    });
  });

  it('never takes the focus, but accepts it as a card', async () => {
    await message().focus();
    await view.happen(request);
    await view.page.getByRole('button', { name: 'Sure, go on' }).waitFor();
    await view.page.keyboard.press('Enter');
    assert.equal((await view.posted('answer_permission')).length, 0);
    await view.send({ type: 'focus', target: 'permission' });
    await view.page.waitForFunction(() => document.activeElement?.getAttribute('role') === 'group');
    await view.page.keyboard.press('Enter');
    assert.equal((await view.posted('answer_permission')).length, 0);
  });

  it('waits until VS Code gives the focus to the page, and takes it from nothing else in the window', async () => {
    await message().focus();
    await view.happen(request);
    await view.page.getByRole('button', { name: 'Sure, go on' }).waitFor();
    await view.page.evaluate(() => {
      (document.activeElement as HTMLElement).blur();
      window.dispatchEvent(new Event('blur'));
      window.playground.stage.send({ type: 'focus', target: 'permission' });
    });
    await view.painted();
    await view.page.waitForTimeout(100);
    assert.equal(await view.page.evaluate(() => document.activeElement === document.body), true);
    await view.page.evaluate(() => void window.dispatchEvent(new Event('focus')));
    await view.page.waitForFunction(() => document.activeElement?.getAttribute('role') === 'group');
  });
});
