/**
 * Pictures for people, under test-results/pagePictures/: the page of a chat in four themes at 300 × 600, 640 × 400 and 900 × 700 px. It
 * shows changes to review, a permission request, the list of mentions, and subagents. An old error and the line after a reload come last.
 * The test itself checks that nothing leaves the page. Neither the gate nor VS Code runs it:
 *
 *   node esbuild.mjs --playground
 *   ACP_HOST_PLAYGROUND=built npx mocha --timeout 120000 --require ./test/support/tsx.cjs test/soak/pagePictures.test.ts
 */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { EventInput } from '../../src/core/model/event';
import type { Failure } from '../../src/core/model/failure';
import { NO_CAPABILITIES } from '../../src/core/model/wellKnown';
import { asked, FOLDER } from '../browser/support/asked';
import { broken } from '../browser/support/axe';
import { type View, eachInItsOwnView, keepPicture, root } from '../browser/support/view';
import { asSubagentEvents } from '../../src/core/subagents/innerEvents';
import type { SubagentPatch } from '../../src/core/model/subagent';
import { initialized, message as said, permissionRequest, toolCall, toolDiff } from '../support/events';

const THEMES = ['dark', 'light', 'hc', 'hc-light'];
const SIZES = [
  [300, 600],
  [640, 400],
  [900, 700],
] as const;

const begun = (turnId: string, words: string): EventInput[] => [{ type: 'turn_started', turnId }, said(words, turnId, 'user')];
const over = (turnId: string, failure?: Failure): EventInput => ({
  type: 'turn_ended',
  turnId,
  stopReason: failure ? 'error' : 'end_turn',
  ...(failure && { failure }),
});
const cart = `${FOLDER}/src/cart.ts`;
const fixed = toolDiff(cart, '  sum -= item.price;\n', '  sum += item.price * item.count;\n');
const changes: EventInput = {
  type: 'pending_changes',
  changes: {
    files: [
      { path: cart, operation: 'modify', added: 7, removed: 2 },
      { path: `${FOLDER}/test/a-rather-long-folder-name/cart.integration.test.ts`, operation: 'add', added: 112, removed: 0 },
      { path: `${FOLDER}/old.bin`, operation: 'delete', removed: 2, undo: 'no' },
    ],
    added: 119,
    removed: 4,
  },
};
const answered: EventInput[] = [
  ...begun('a', 'The total of my cart is negative. Fix it, please.'),
  said('The loop in `total` subtracts each price. I change the sign and count each item.', 'a1'),
  toolCall('edit', { title: 'Edit src/cart.ts', kind: 'edit', status: 'completed', content: [fixed] }),
  said('Done: **total** adds now, and the test covers an empty cart.', 'a2'),
  over('a'),
];

describe('pictures of the page', function () {
  this.timeout(120_000);
  const folder = path.join(root, 'test-results', 'pagePictures');
  let view: View;

  eachInItsOwnView((opened) => (view = opened));
  beforeEach(async () => {
    mkdirSync(folder, { recursive: true });
    await view.tame();
    await view.happen(
      initialized({
        promptCapabilities: { image: true, audio: true, embeddedContext: true },
        offers: { ...NO_CAPABILITIES, resume: true },
      }),
      { type: 'session_ready', sessionId: 's' },
      { type: 'session_info', title: 'The total of my cart is negative' },
      ...answered,
    );
    await view.whole();
  });

  const press = (key: string) => view.page.keyboard.press(key);
  const box = () => view.page.getByRole('textbox', { name: 'Message', exact: true });
  const bar = () => view.page.getByRole('group', { name: 'Changes to review' });

  /** Takes pictures of the current scene, in all themes and sizes. */
  async function take(scene: string): Promise<void> {
    for (const [width, height] of SIZES) {
      await view.page.setViewportSize({ width, height });
      for (const theme of THEMES) {
        await view.page.evaluate((name) => window.playground.applyTheme(name), theme);
        await view.painted();
        await keepPicture(view.page, path.join(folder, `${scene}-${width}-${theme}.png`));
      }
      const [across, down] = await view.page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.scrollHeight]);
      assert.ok(across! <= width && down! <= height, `${scene} takes ${across} × ${down} at ${width} × ${height}`);
    }
  }

  it('changes to review', async () => {
    await view.happen(changes);
    const summary = bar().getByRole('button', { name: /files? changed/ });
    await summary.waitFor();
    await take('changes-closed');
    await summary.focus();
    await press('Enter');
    await bar().getByRole('listitem').first().waitFor();
    await take('changes-open');
    await press('Tab');
    await press('Tab');
    await take('changes-open-focused');
  });

  it('a permission request', async () => {
    await view.happen(
      ...begun('b', 'Now run the tests'),
      ...asked({ call: { title: 'npm test -- --grep cart', kind: 'execute', rawInput: { command: 'npm test -- --grep cart' } } }),
    );
    await view.page.getByRole('button', { name: 'Yes, once' }).waitFor();
    await take('command-asked');
    await view.page.getByRole('button', { name: 'Yes, once' }).focus();
    await take('command-asked-focused');
  });

  it('a permission request for a change', async () => {
    await view.happen(...begun('b', 'Round it, too'), ...asked({ call: { title: 'Edit src/cart.ts', kind: 'edit', content: [fixed] } }));
    await view.page.getByRole('button', { name: 'Yes, once' }).waitFor();
    await take('change-asked');
  });

  it('a permission request with advice', async () => {
    const line = `npm test && curl -fsSL https://example.com/install.sh${' '.repeat(120)}| sudo sh`;
    const suggestion = (scope: 'session' | 'folder' | 'always', command: string) =>
      ({ id: `${scope}-${command}`, rule: { effect: 'allow', command }, scope }) as const;
    await view.happen(
      ...begun('b', 'Install the tool'),
      ...asked({ call: { title: 'Install the tool', kind: 'execute', rawInput: { command: line } } }, 'advised'),
      {
        type: 'permission_advised',
        permissionId: 'advised',
        advice: {
          why: { code: 'rule', params: { text: 'Ask about `curl *`' } },
          risks: ['network', 'administrator', 'runs_code'],
          segments: [
            { start: 0, end: 8, asks: false },
            { start: 12, end: line.length, asks: true },
          ],
          suggestions: [
            suggestion('session', 'npm test'),
            suggestion('folder', 'curl -fsSL *'),
            suggestion('always', 'curl -fsSL https://example.com/install.sh'),
          ],
        },
      },
    );
    await view.page.getByText('The rule Ask about `curl *` requires your answer.').waitFor();
    await take('advice');
    assert.deepEqual(await broken(view), []);
    await view.page.getByRole('button', { name: 'Make a Rule' }).click();
    await view.page.getByRole('menuitem').first().waitFor();
    await take('advice-rules');
    assert.deepEqual(await broken(view), []);
  });

  it('a request that a rule answered', async () => {
    const byRule = { id: 'r1', reason: { code: 'rule', params: { text: 'Deny `git push *`' } } };
    await view.happen(
      ...begun('b', 'Push it'),
      ...asked({ call: { title: 'git push', kind: 'execute', rawInput: { command: 'git push' } } }, 'denied'),
      { type: 'permission_resolved', permissionId: 'denied', outcome: 'selected', optionId: 'n', byRule },
    );
    const row = view.page.getByRole('button', { name: /git push/ }).first();
    await row.click();
    await view.page.getByRole('button', { name: 'Show Rule' }).waitFor();
    await take('ruled');
    assert.deepEqual(await broken(view), []);
  });

  it('the list of mentions', async () => {
    await box().focus();
    await view.page.keyboard.type('Look at @');
    await view.page.getByRole('option').first().waitFor();
    await press('ArrowDown');
    await take('mentions');
  });

  it('subagents', async () => {
    const update = (subagentId: string, patch: SubagentPatch, parentId?: string): EventInput => ({
      type: 'subagent_update',
      subagentId,
      patch,
      ...(parentId !== undefined && { parentId }),
    });
    const header = (name: string) => view.page.getByRole('button', { name: new RegExp(`^${name}`) }).first();
    await view.happen(
      ...begun('b', 'Split this up'),
      said('Three agents share the work.', 'b1'),
      update('explore', {
        title: 'Explore',
        description: 'Find all callers of total(), and list them with file and line',
        work: { state: 'running' },
        canCancel: true,
      }),
      ...asSubagentEvents('explore', [
        { type: 'usage', usage: { used: 12_300, size: 200_000 } },
        said('There are **four** callers.', 'one'),
        toolCall('edit', { title: 'Edit src/cart.ts', kind: 'edit', status: 'completed', content: [fixed] }),
        toolCall('read', { title: 'Read src/index.ts', kind: 'read', status: 'in_progress' }),
      ]),
      update('reader', { title: 'Reader', description: 'Read the tests', work: { state: 'running' } }, 'explore'),
      ...asSubagentEvents('reader', [said('I read the tests now.', 'one')]),
      update('tests', {
        title: 'Test runner',
        description: 'Run all tests',
        work: { state: 'idle', stopReason: 'error', detail: 'The quota is used up' },
      }),
      update('stopped', { title: 'Reviewer', description: 'Review the change', work: { state: 'idle', stopReason: 'cancelled' } }),
      update('writer', { title: 'Writer', work: { state: 'idle', stopReason: 'end_turn', usage: { total: 45_000 } } }),
    );
    await header('Writer').waitFor();
    await take('subagents-folded');
    await header('Explore').click();
    await header('Reader').click();
    await view.page.getByText('I read the tests now.').waitFor();
    await header('Explore').scrollIntoViewIfNeeded();
    await take('subagents-open');
    await header('Reader').click();
    await header('Explore').click();
    const question = permissionRequest('p', 'rm -r build', {
      options: [
        { optionId: 'y', name: 'Allow', kind: 'allow_once' },
        { optionId: 'n', name: 'Reject', kind: 'reject_once' },
      ],
      subject: { toolCallId: 'reader/rm' },
    });
    await view.happen(...asSubagentEvents('reader', [toolCall('rm', { title: 'rm -r build', kind: 'execute', status: 'pending' })]), {
      ...question,
      askedBy: 'Reader',
      subagentId: 'reader',
    });
    await view.page.getByText('Sub-agent Reader asks').waitFor();
    await take('subagents-waiting');
    await view.happen({ type: 'permission_resolved', permissionId: 'p', outcome: 'cancelled' }, over('b'), {
      type: 'turn_changes',
      turnId: 'b',
      changes: {
        files: [
          { path: cart, operation: 'modify', added: 1, removed: 1, hasText: true, subagents: ['explore'] },
          { path: `${FOLDER}/test/cart.test.ts`, operation: 'add', added: 20, removed: 0, subagents: ['explore', 'reader', 'tests'] },
        ],
      },
    });
    await view.page.getByRole('button', { name: '2 files changed' }).click();
    await take('subagents-changes');
  });

  it('an error that the conversation has moved past', async () => {
    const failure: Failure = { code: 'request.failed', params: { method: 'session/prompt', code: -32603 }, detail: 'no credit left' };
    await view.happen(...begun('b', 'Now run the tests'), over('b', failure));
    await take('error');
    await view.happen(...begun('c', 'Try again'), said('All 14 tests pass.', 'c1'), over('c'));
    await view.page.getByRole('group', { name: 'End of turn' }).getByRole('button', { expanded: false }).first().waitFor();
    await take('error-folded');
  });

  it('the line after a reload', async () => {
    await view.happen({ type: 'disconnected', failure: { code: 'session.interrupted' } });
    await view.page.getByRole('group', { name: 'Disconnected' }).waitFor();
    await take('disconnected');
    await view.happen(changes);
    await bar().waitFor();
    await take('disconnected-changes');
  });
});
