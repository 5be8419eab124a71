import assert from 'node:assert/strict';
import type { EventInput } from '../../src/core/model/event';
import type { Failure } from '../../src/core/model/failure';
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

  it('shows a picture and plays a sound inside a resource', async () => {
    const data = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    const resource = (uri: string, mimeType: string, blob = data): EventInput => ({
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
    it('renders Markdown while it streams and keeps closed blocks in place', async () => {
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

    it('keeps the text nodes of a paragraph that can no longer change', async () => {
      await view.happen({ type: 'turn_started', turnId: 't' }, agentText('Plain, **strong**, and a few more words'));
      await view.page.locator('.md p', { hasText: 'and a few more words' }).waitFor();
      await view.page.evaluate(() => {
        const { childNodes } = document.querySelector('.md p')!;
        (window as unknown as { words: Node[] }).words = [...childNodes];
      });
      await view.happen(agentText('.\n\nNext one.\n\nThe last'));
      await view.page.locator('.md p', { hasText: 'The last' }).waitFor();
      const kept = await view.page.evaluate(() => (window as unknown as { words: Node[] }).words.map((node) => node.isConnected));
      assert.deepEqual(kept, [true, true, true]);
    });

    it('does not rerender other entries', async () => {
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

    it('announces events and finished sentences, not tokens', async () => {
      const spoken = view.page.getByRole('status');
      // Events that come with the session are replayed, and not announced.
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

    it('shows how long a thought took, and collapses it', async () => {
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
    it('shows the command, from three seconds on, and can be cancelled', async () => {
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

    it('shows calmly that the user canceled the start', async () => {
      await view.happen({ type: 'session_failed', failure: { code: 'agent.start_cancelled' } });
      const banner = view.page.getByRole('group', { name: 'Start canceled.' });
      await banner.waitFor();
      assert.deepEqual(await banner.getByRole('button').allInnerTexts(), ['Retry']);
      assert.equal(await banner.locator('.icon-warning, .failure').count(), 0);
    });

    it('offers to undo the newest restore', async () => {
      const restored = (noticeId: string, code: 'session.restored' | 'session.undone') =>
        ({ type: 'notice', noticeId, severity: 'info', title: '', failure: { code } }) as const;
      await view.happen(restored('a', 'session.restored'), restored('b', 'session.restored'));
      const button = view.page.getByRole('button', { name: 'Undo Restore' });
      await button.click();
      assert.equal((await view.postedAtLeast('undo_restore')).length, 1);
      await view.happen(restored('c', 'session.undone'));
      await view.page.getByText('Restore undone.').waitFor();
      assert.equal(await button.count(), 0);
    });

    it('offers to review servers in the newest notice alone, and not after the decision', async () => {
      const notice = (noticeId: string, failure: Failure) => ({ type: 'notice', noticeId, severity: 'info', title: '', failure }) as const;
      const asks = (servers: string): Failure => ({ code: 'mcp.not_agreed', params: { agent: 'Demo Agent', servers } });
      await view.happen(notice('a', asks('one')), notice('b', asks('one, two')), notice('c', { code: 'mcp.changed' }));
      const review = view.page.getByRole('button', { name: 'Review…' });
      const restart = view.page.getByRole('button', { name: 'Restart with These Servers' });
      await restart.waitFor();
      assert.equal(await review.count(), 1);
      await review.click();
      await view.happen(
        notice('b', { code: 'mcp.decided', params: { allowed: 'one', denied: 'two', servers: 'one, two' } }),
        notice('a', { code: 'mcp.decided', params: { servers: 'one' } }),
        notice('c', { code: 'mcp.current' }),
      );
      await view.page.getByText("MCP servers that you allowed: one. MCP servers that you didn't allow: two").waitFor();
      await view.page.getByText('MCP servers that are no longer configured: one').waitFor();
      await view.page.getByText('The agent has the changed MCP servers.').waitFor();
      assert.deepEqual([await review.count(), await restart.count()], [0, 0]);
    });

    it('offers to restart an agent that has lost the tools of VS Code, until it has them again', async () => {
      const notice = (failure: Failure) => ({ type: 'notice', noticeId: 'a', severity: 'info', title: '', failure }) as const;
      const params = { agent: 'Demo Agent', servers: 'vscode' };
      await view.happen(notice({ code: 'mcp.not_continued', params }));
      await view.page.getByText("Demo Agent can't reach VS Code's own tools since the window was reloaded.").waitFor();
      const restart = view.page.getByRole('button', { name: 'Restart Agent' });
      await restart.click();
      assert.equal((await view.postedAtLeast('servers_restart')).length, 1);
      await view.happen(notice({ code: 'mcp.settled', params: { servers: 'vscode' } }));
      await view.page.getByText('MCP server vscode needs nothing more from you.').waitFor();
      assert.equal(await restart.count(), 0);
    });

    it('offers to put overwritten lines back once, and to compare them', async () => {
      const params = { agent: 'Demo Agent', path: 'src/cart.js' };
      const notice = (noticeId: string, code: 'changes.overwritten' | 'changes.maybe_overwritten') =>
        ({ type: 'notice', noticeId, severity: 'warning', title: '', failure: { code, params } }) as const;
      await view.happen(notice('a', 'changes.overwritten'), notice('b', 'changes.maybe_overwritten'));
      await view.page.getByText('Demo Agent overwrote lines of src/cart.js that were saved while it was working.').waitFor();
      const putBack = view.page.getByRole('button', { name: 'Put Lines Back' });
      await putBack.click();
      assert.equal(await putBack.count(), 0);
      await view.page.getByRole('button', { name: 'Compare' }).last().click();
      assert.deepEqual(await view.postedAtLeast('saved_lines', 2), [
        { type: 'saved_lines', act: 'put_back', entryId: 'notice:a' },
        { type: 'saved_lines', act: 'compare', entryId: 'notice:b' },
      ]);
    });

    it('shows the error, the quoted output, and the possible actions', async () => {
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
