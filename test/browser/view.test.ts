import assert from 'node:assert/strict';
import type { UnstampedEvent } from '../../src/core/model/event';
import { TONE } from '../../webview/playground/galleryOddities';
import { eachInItsOwnView, type View } from './support/view';
import { chunk, permissionRequest } from '../support/events';

describe('view', function () {
  this.timeout(30_000);
  let view: View;

  eachInItsOwnView((opened) => (view = opened));

  const agentText = (words: string, messageId = 'a1') => chunk(words, messageId);
  const message = () => view.page.getByRole('textbox', { name: 'Message' });
  const conversation = () => view.page.getByRole('log', { name: 'Conversation' });

  describe('roles and names', () => {
    it('offers the conversation, the message, Send, and Stop during a turn', async () => {
      await conversation().waitFor();
      await message().fill('hello');
      await view.page.getByRole('button', { name: 'Send', exact: true }).waitFor();
      await view.happen({ type: 'turn_started', turnId: 't' });
      await view.page.getByRole('button', { name: 'Stop', exact: true }).click();
      assert.equal((await view.postedAtLeast('cancel')).length, 1);
    });

    it('names a tool call by its title and status', async () => {
      await view.happen({
        type: 'tool_call_update',
        toolCallId: 'r',
        patch: { title: 'Read a.ts', kind: 'read', status: 'completed', locations: [{ path: '/home/ada/sample/a.ts', line: 7 }] },
      });
      const card = view.page.getByRole('article', { name: /^Read a\.ts/ });
      await card.getByRole('button', { name: /Read a\.ts/ }).click();
      await card.getByRole('button', { name: 'a.ts:7' }).click();
      assert.deepEqual((await view.postedAtLeast('open_location'))[0], { type: 'open_location', path: '/home/ada/sample/a.ts', line: 7 });
    });

    it('shows why a tool call failed before anything else', async () => {
      await view.happen({
        type: 'tool_call_update',
        toolCallId: 'f',
        patch: { title: 'Fetch', status: 'failed', rawOutput: { error: 'no such host' } },
      });
      await view.page.getByRole('article', { name: 'Fetch, Failed' }).getByText('no such host', { exact: true }).waitFor();
    });
  });

  it('shows the folder beside a title of any length', async () => {
    await view.happen({ type: 'session_info', title: 'long '.repeat(100) });
    const folder = view.page.locator('.header-facts span').last();
    await view.page.getByRole('heading', { name: /^long long/ }).waitFor();
    assert.ok(
      await folder.evaluate((element) => element.textContent !== '' && element.scrollWidth <= element.clientWidth),
      'the folder is cut off',
    );
  });

  it('shows a picture and plays a sound that come inside a resource', async () => {
    const data = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    const resource = (uri: string, mimeType: string, blob = data): UnstampedEvent => ({
      type: 'message_chunk',
      role: 'agent',
      messageId: 'a1',
      content: { type: 'resource', uri, mimeType, blob },
    });
    await view.happen(
      resource('mem://chart.png', 'image/png'),
      resource('mem://beep.wav', 'audio/wav', TONE),
      resource('mem://page.html', 'text/html'),
    );
    await conversation().getByRole('img', { name: 'chart.png' }).waitFor();
    await conversation().locator('audio[aria-label="Audio"]').waitFor();
    await conversation().getByText('page.html (text/html, 72B)', { exact: true }).waitFor();
    assert.equal(await conversation().locator('img, audio').count(), 2);
  });

  describe('streaming', () => {
    it('renders markdown as it comes and keeps closed blocks in place', async () => {
      await view.happen({ type: 'turn_started', turnId: 't' }, agentText('First paragraph.\n\nSecond paragraph.\n\n'));
      const first = view.page.locator('.md p').first();
      await first.evaluate((element) => element.setAttribute('data-mark', 'kept'));
      for (const piece of [
        'Third **bo',
        'ld** and `co',
        'de`.\n\n```ts\nlet a',
        ' = 1;\n',
        '```\n\n| a | b |\n|--',
        '-|---|\n| 1 | 2 |\n',
      ]) {
        await view.happen(agentText(piece));
      }
      await view.page.locator('.md strong', { hasText: 'bold' }).waitFor();
      await view.page.locator('.md td', { hasText: '2' }).waitFor();
      assert.equal(await view.page.locator('.code-text').innerText(), 'let a = 1;');
      assert.equal(await first.getAttribute('data-mark'), 'kept');
    });

    it('does not render other entries again', async () => {
      await view.happen(
        agentText('Before.'),
        { type: 'tool_call_update', toolCallId: 'x', patch: { title: 'Look', status: 'completed' } },
        { type: 'turn_started', turnId: 't' },
        agentText('More', 'a2'),
      );
      await view.page.getByText('More').waitFor();
      await view.page.evaluate(() => {
        const changed: string[] = [];
        new MutationObserver((records) =>
          changed.push(
            ...records.map((record) => (record.target.parentElement?.closest('.entry') ?? (record.target as Element)).className),
          ),
        ).observe(document.querySelector('.log')!, { subtree: true, childList: true, characterData: true, attributes: true });
        (window as unknown as { changed: string[] }).changed = changed;
      });
      await view.happen(agentText(' and more', 'a2'));
      await view.page.getByText('More and more').waitFor();
      const changed = await view.page.evaluate(() => (window as unknown as { changed: string[] }).changed);
      assert.ok(changed.length > 0 && changed.every((name) => name.includes('agent')), changed.join());
    });

    it('speaks finished sentences, not tokens, and what happens', async () => {
      const spoken = view.page.getByRole('status');
      // What comes together with the session is told again, and not said.
      await view.page.waitForFunction(() => document.querySelector('[role=status]')!.textContent!.includes('is ready'));
      await view.happen({ type: 'turn_started', turnId: 't' });
      for (const piece of ['One sent', 'ence. ', 'Another that is not']) {
        await view.happen(agentText(piece));
      }
      await view.page.waitForFunction(() => document.querySelector('[role=status]')!.textContent!.includes('One sentence.'));
      assert.ok(!(await spoken.innerText()).includes('Another'));
      await view.happen(
        permissionRequest('p', 'Run ls', { options: [{ optionId: 'y', name: 'Yes', kind: 'allow_once' }] }),
        { type: 'permission_resolved', permissionId: 'p', outcome: 'selected', optionId: 'y' },
        { type: 'turn_ended', turnId: 't', stopReason: 'end_turn' },
      );
      await view.page.waitForFunction(() => document.querySelector('[role=status]')!.textContent!.includes('Another that is not'));
      assert.equal(await conversation().getAttribute('aria-live'), 'off');
    });

    it('says how long a thought took, and folds it', async () => {
      const at = Date.now() - 60_000;
      await view.page.evaluate((start) => {
        const chunk = { type: 'message_chunk', role: 'thought', messageId: 'th' } as const;
        window.playground.stage.events([
          { ...chunk, content: { type: 'text', text: 'Hm, ' }, at: start },
          { ...chunk, content: { type: 'text', text: 'yes.' }, at: start + 4000 },
        ]);
      }, at);
      const thought = view.page.getByRole('button', { name: 'Thought for 4 s' });
      assert.equal(await thought.getAttribute('aria-expanded'), 'false');
      await thought.click();
      await view.page.getByText('Hm, yes.').waitFor();
    });
  });

  describe('permission', () => {
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

    const request: UnstampedEvent = permissionRequest('p1', 'Run the tests', {
      options: [
        { optionId: 'a', name: 'Sure, go on', kind: 'allow_once' },
        { optionId: 'b', name: 'Never ever', kind: 'reject_always' },
      ],
      subject: { command: 'npm test \u202Egpj.exe', cwd: '/home/ada/sample' },
    });

    it('says what would be done, posts the answer, then says what was chosen', async () => {
      await view.happen(request);
      const card = view.page.getByRole('group', { name: 'Run the tests' });
      await card.getByText('Demo Agent needs your permission').waitFor();
      await card.getByText('npm test ⟨U+202E⟩gpj.exe').waitFor();
      await card.getByText('/home/ada/sample').waitFor();
      await card.getByRole('button', { name: 'Never ever', exact: true }).click();
      assert.deepEqual((await view.postedAtLeast('answer_permission'))[0], {
        type: 'answer_permission',
        permissionId: 'p1',
        optionId: 'b',
      });
      await card.getByText('Rejected', { exact: true }).waitFor();
      assert.equal(await card.getByRole('button', { name: 'Never ever' }).count(), 0);
    });

    it('names the session’s folder for a command that names none, and stays small whatever is offered', async () => {
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
      await card.getByText(/^in \//).waitFor();
      assert.ok((await card.innerText()).length < 10_000);
      await card.getByRole('button', { name: '980 more answers' }).click();
      // By its text, in the page: the names of a thousand would be worked out, again and again.
      await view.page.locator('button', { hasText: 'Answer 999 ' }).evaluate((button: HTMLElement) => button.click());
      assert.deepEqual((await view.postedAtLeast('answer_permission'))[0], {
        type: 'answer_permission',
        permissionId: 'p1',
        optionId: 'o999',
      });
    });

    it('can be answered however much has been said since, and goes with its page once it was', async () => {
      const options = [{ optionId: 'y', name: 'Yes', kind: 'allow_once' }];
      await view.happen(permissionRequest('p1', 'Go on?', { options }));
      await view.happen(
        ...Array.from(
          { length: 120 },
          (_, index): UnstampedEvent => ({
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

    it('says of each answer what kind it is, whatever its name', async () => {
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

    it('tells a diff and what is deleted before a command that a model wrote', async () => {
      const subject = { kind: 'delete', locations: [{ path: '/home/ada/sample/all.txt' }], rawInput: { command: 'ls' } };
      await view.happen({ ...request, subject });
      const text = await view.page.getByRole('group', { name: 'Run the tests' }).locator('.subject').innerText();
      assert.match(text, /^Delete\s[^]*all\.txt[^]*\bls\b/);
    });

    it('takes no click and no key in the first half second', async () => {
      const now = { ...request, subject: {} };
      // The clock stands still but for what is run of it, however slow the machine is.
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

    it('takes no second click of a double click, on the button that has come to its place', async () => {
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
      // The first card goes, and leaves the second where it was, pixel for pixel.
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

    it('never takes the focus by itself, and is given it as a card', async () => {
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

    it('waits for the focus until VS Code gives it to the page, and takes it from nothing else in the window', async () => {
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

  describe('following', () => {
    const paragraphs = (count: number, from = 0) =>
      Array.from({ length: count }, (_, index) => agentText(`Paragraph ${from + index}.\n\n`.repeat(3), `m${from + index}`));
    const distance = () => conversation().evaluate((log) => log.scrollHeight - log.scrollTop - log.clientHeight);

    it('stays at the end, stays put while reading, and jumps back', async () => {
      await view.happen(...paragraphs(30));
      await view.page.getByText('Paragraph 29.').first().waitFor();
      await view.painted();
      assert.ok((await distance()) < 2);
      await conversation().evaluate((log) => (log.scrollTop -= 900));
      await view.painted();
      const reading = await view.page.evaluate(() => {
        const element = document.elementFromPoint(450, 300)!;
        element.setAttribute('data-reading', '');
        return element.getBoundingClientRect().top;
      });
      await view.happen(...paragraphs(10, 30));
      await view.painted();
      assert.ok(
        Math.abs((await view.page.evaluate(() => document.querySelector('[data-reading]')!.getBoundingClientRect().top)) - reading) < 2,
      );
      await view.page.getByRole('button', { name: 'Jump to latest' }).click();
      await view.painted();
      assert.ok((await distance()) < 2);
      await view.happen(...paragraphs(3, 40));
      await view.painted();
      assert.ok((await distance()) < 2);
      assert.equal(await view.page.getByRole('button', { name: 'Jump to latest' }).count(), 0);
    });
  });

  describe('windows', () => {
    it('asks for absent bodies only as they come near', async () => {
      await view.page.evaluate(() => {
        const { stage } = window.playground;
        // An idle page asks for what comes before, and a slow test leaves it time for all of it.
        window.requestIdleCallback = () => 0;
        stage.lose = 1;
        stage.happen(
          ...Array.from(
            { length: 600 },
            (_, index) =>
              ({
                type: 'message_chunk',
                role: 'agent',
                messageId: `m${index}`,
                content: { type: 'text', text: `Message ${index}.` },
              }) as const,
          ),
        );
        stage.snapshot([]);
      });
      await conversation().getByText('Message 599.').waitFor();
      await view.painted();
      const before = (await view.posted('bodies')).flatMap((asked) => asked.entryIds);
      assert.ok(!before.includes('agent:m0'));
      assert.ok((await view.page.locator('.entry').count()) < 150);
      await conversation().evaluate((log) => (log.scrollTop = 0));
      await conversation().getByText('Message 0.', { exact: true }).waitFor();
      const asked = (await view.posted('bodies')).flatMap((each) => each.entryIds);
      assert.ok(asked.includes('agent:m0'));
      assert.ok(!asked.includes('agent:m300'));
      assert.equal(new Set(asked).size, asked.length, 'asked twice');
    });

    it('asks again, with what is on screen, when an envelope is missing', async () => {
      await view.happen(agentText('One.', 'm1'));
      await conversation().getByText('One.').waitFor();
      await view.page.evaluate(() => (window.playground.stage.lose = 1));
      await view.happen(agentText('Two.', 'm2'));
      await view.happen(agentText('Three.', 'm3'));
      await conversation().getByText('Two.').waitFor();
      await conversation().getByText('Three.').waitFor();
      const [resync] = await view.postedAtLeast('resync');
      assert.deepEqual(resync?.want, ['agent:m1']);
    });
  });

  describe('terminal', () => {
    it('offers Stop while it runs, keeps colours, drops other sequences', async () => {
      await view.happen(
        { type: 'terminal_update', terminalId: 't1', ours: true, command: 'make' },
        {
          type: 'tool_call_update',
          toolCallId: 'x',
          patch: { title: 'make', kind: 'execute', status: 'in_progress', content: [{ type: 'terminal', terminalId: 't1' }] },
        },
        {
          type: 'terminal_output',
          terminalId: 't1',
          text: '\u001b]0;title\u0007\u001b[31mred\u001b[0m \u001b[38;2;1;2;3mtrue\u001b[0m 10%\r20%\r\n',
        },
      );
      await view.page.locator('.terminal').getByRole('button', { name: 'Stop Command' }).click();
      assert.deepEqual((await view.postedAtLeast('stop_terminal'))[0], { type: 'stop_terminal', terminalId: 't1' });
      await view.page.getByText('Terminated by SIGTERM').waitFor();
      await view.happen({ type: 'terminal_output', terminalId: 't1', text: '\u001b[31mred\u001b[0m \u001b[38;2;1;2;3mtrue\u001b[0m\r\n' });
      const output = view.page.locator('.terminal-output');
      await output.locator('.sgr-fg-1', { hasText: 'red' }).waitFor();
      assert.equal((await output.innerText()).trim(), '20% true 10%\nred true');
    });
  });

  describe('start and failure', () => {
    it('says what runs, from three seconds on, and takes Cancel', async () => {
      const at = Date.now() - 10_000;
      await view.page.evaluate((then) => {
        window.playground.stage.restart();
        window.playground.stage.events([
          { type: 'session_opened', agentName: 'Slow', cwd: '/x', at: then },
          { type: 'start_progress', command: 'npx -y slow@1', at: then },
          { type: 'start_progress', command: 'npx -y slow@1', line: 'added 12 packages', at: Date.now() },
        ]);
      }, at);
      await view.page.getByText('npx -y slow@1').waitFor();
      await view.page.getByText('added 12 packages').waitFor();
      await view.page.getByRole('button', { name: 'Cancel' }).click();
      assert.equal((await view.postedAtLeast('action'))[0]?.action, 'cancel_start');
    });

    it('says what went wrong, word for word what others said, and what can be done', async () => {
      await view.happen({
        type: 'disconnected',
        failure: { code: 'agent.exited', params: { exitCode: 3 }, detail: 'panic: <b>out</b> of cheese' },
      });
      await view.page.getByText('panic: <b>out</b> of cheese').waitFor();
      await view.page.getByText('Exit code: 3').first().waitFor();
      await view.page.getByRole('button', { name: 'Restart' }).click();
      assert.equal((await view.postedAtLeast('action'))[0]?.action, 'restart');
    });
  });
});
