import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { EventInput } from '../../src/core/model/event';
import { subagentCards } from '../../webview/playground/gallerySubagents';
import { permissionRequest } from '../support/events';
import { broken, brokenIn } from './support/axe';
import { themesOf } from './support/themesOf';
import { View, keepPicture, root } from './support/view';

const THEMES = themesOf(['dark', 'light', 'hc', 'hc-light'], ['dark', 'hc-light']);

describe('axe', function () {
  this.timeout(120_000);
  const folder = path.join(root, 'test-results', 'axe');
  before(() => mkdir(folder, { recursive: true }));

  it('detects violations', async () => {
    const view = await View.open();
    try {
      await view.page.evaluate(() => {
        const pale = Object.assign(document.createElement('p'), { textContent: 'pale' });
        Object.assign(pale.style, { color: '#888', backgroundColor: '#999', position: 'fixed', inset: '0', zIndex: '99' });
        document.querySelector('.log')!.append(document.createElement('button'));
        document.body.append(pale);
      });
      const found = (await broken(view)).join('\n');
      assert.match(found, /^button-name \(critical\)/m);
      // Axe checks the contrast only while the page is visible.
      assert.match(found, /^color-contrast \(serious\)/m);
    } finally {
      await view.close();
    }
  });

  for (const theme of THEMES) {
    it(`finds nothing in what opens and closes in ${theme}`, async () => {
      const view = await View.open(`theme=${theme}`, {
        viewport: { width: 700, height: 900 },
        deviceScaleFactor: 1,
      });
      try {
        for (const [name, show] of Object.entries(SCENES)) {
          await view.page.evaluate(() => window.playground.stage.restart());
          await show(view);
          await view.painted();
          await keepPicture(view.page, path.join(folder, `${name}-${theme}.png`));
          assert.deepEqual(await brokenIn(theme, view), [], name);
        }
        assert.deepEqual(view.offences, []);
      } finally {
        await view.close();
      }
    });
  }
});

const opened: EventInput = { type: 'session_opened', agentName: 'Demo Agent', cwd: '/home/ada/sample' };
const initialized: EventInput = {
  type: 'agent_initialized',
  protocolVersion: 1,
  agent: { name: 'demo', title: 'Demo Agent', version: '1.0.0' },
  promptCapabilities: { image: true, audio: true, embeddedContext: true },
  authMethods: [
    { methodId: 'browser', name: 'Browser', type: 'agent', description: 'Opens the sign-in page' },
    { methodId: 'login', name: 'Log in', type: 'terminal', args: ['login'] },
    {
      methodId: 'key',
      name: 'API key',
      type: 'env_var',
      link: 'https://example.com/keys',
      vars: [{ name: 'A_KEY', secret: true, optional: false }],
    },
  ],
  offers: { load: true, resume: true, list: true, close: true, delete: true, additionalDirectories: true, logout: true },
};
const ready: EventInput = { type: 'session_ready', sessionId: 's1' };
const options: EventInput[] = [
  {
    type: 'config_options',
    options: [
      {
        type: 'select',
        configId: 'model',
        name: 'Model',
        category: 'model',
        currentValue: 'a',
        groups: [
          {
            name: 'Fast',
            choices: [
              { value: 'a', name: 'Small' },
              { value: 'b', name: 'Large' },
            ],
          },
        ],
      },
      { type: 'boolean', configId: 'web', name: 'Web search', currentValue: true },
      { type: 'boolean', configId: 'deep', name: 'Deep', currentValue: false },
    ],
  },
  {
    type: 'available_commands',
    commands: [
      { name: 'plan', description: 'Plans' },
      { name: 'review', description: 'Reviews the changes', inputHint: 'what to look at' },
    ],
  },
];
const failed = (code: 'agent.exited' | 'agent.not_found'): EventInput => ({
  type: 'disconnected',
  failure: { code, params: { exitCode: 1, command: 'demo-agent' }, detail: 'Error: out of luck\n    at demo.js:1' },
});

/** Page states that are not part of the log. */
const SCENES: Readonly<Record<string, (view: View) => Promise<void>>> = {
  starting: (view) => view.happen(opened, { type: 'start_progress', command: 'npx demo-agent', line: 'added 12 packages' }),
  'start page': async (view) => {
    await view.happen(opened, initialized, ready, ...options, { type: 'sign_in', status: 'signed_in' });
    await view.send({
      type: 'start_page',
      demo: false,
      folder: 'project',
      git: true,
      file: { name: 'calc.js', uri: 'file:///home/ada/sample/src/calc.js' },
      recent: [{ sessionKey: 'k', title: 'Fix the calculator', about: 'Codex CLI, yesterday' }],
      location: 'editor',
    });
    await view.page.getByRole('button', { name: 'Find a bug in calc.js' }).waitFor();
  },
  'more actions': async (view) => {
    await view.happen(opened, initialized, ready, ...options);
    await view.page.getByRole('button', { name: 'More Actions…' }).click();
    await view.page.getByRole('menu').waitFor();
  },
  'sub-agents': async (view) => {
    await view.happen(opened, initialized, ready, ...subagentCards());
    for (const name of ['Explore', 'Reader']) {
      await view.page.getByRole('button', { name: new RegExp(`^${name}`) }).click();
    }
    await view.page.getByText('Reading.').waitFor();
    await view.page.getByRole('button', { name: '1 file changed' }).click();
    await view.page.getByText('by Explore').waitFor();
  },
  'sub-agent that waits': async (view) => {
    await view.happen(opened, initialized, ready, { type: 'turn_started', turnId: 't' });
    await view.happen(
      { type: 'subagent_update', subagentId: 'x', patch: { title: 'Explore', work: { state: 'running' }, canCancel: true } },
      {
        ...permissionRequest('p', 'rm -r build', { options: [{ optionId: 'y', name: 'Allow', kind: 'allow_once' }] }),
        askedBy: 'Explore',
        subagentId: 'x',
      },
    );
    await view.page.getByRole('button', { name: 'Show Question' }).waitFor();
  },
  'background tasks and suggestions': async (view) => {
    await view.happen(
      opened,
      initialized,
      ready,
      { type: 'terminal_update', terminalId: 'dev', command: 'npm run dev' },
      { type: 'terminal_output', terminalId: 'dev', text: 'Listening on 3000\r\n' },
      {
        type: 'background_task',
        taskId: 'dev',
        patch: { name: 'Dev server', toolCallId: 'dev', canStop: true, outputPath: '/tmp/dev.output' },
      },
      { type: 'background_task', taskId: 'watch', patch: { name: 'Watch the logs', status: 'paused' } },
      { type: 'background_task', taskId: 'build', patch: { name: 'Build', status: 'failed', summary: 'Exit code 2' } },
      { type: 'background_task', taskId: 'test', patch: { name: 'Test', status: 'stopped' } },
      { type: 'prompt_suggestions', suggestions: ['Run the tests again', 'Commit it'] },
    );
    await view.page.getByRole('button', { name: '2 tasks in the background' }).click();
    await view.page.getByRole('button', { name: /^Dev server/ }).click();
    await view.page.getByText('Listening on 3000').waitFor();
    await view.page.getByRole('group', { name: 'Suggested messages' }).waitFor();
  },
  commands: async (view) => {
    await view.happen(opened, initialized, ready, ...options);
    await view.page.getByRole('textbox', { name: 'Message' }).fill('/');
    await view.page.getByRole('listbox', { name: 'Commands' }).waitFor();
  },
  'with attachments and usage': async (view) => {
    await view.happen(opened, initialized, ready, ...options, {
      type: 'usage',
      usage: { used: 190_000, size: 200_000, cost: { amount: 0.42, currency: 'USD' } },
    });
    await view.page.getByRole('textbox', { name: 'Message' }).fill('Look at this');
    await view.send({ type: 'attach', blocks: [{ type: 'resource_link', uri: 'file:///a/b.ts', name: 'b.ts' }] });
    await view.page.getByRole('button', { name: 'Remove b.ts' }).waitFor();
  },
  // An edit, every kind of chip, the mention list, the queue and the usage meter together.
  'the message box': async (view) => {
    await view.happen(
      opened,
      initialized,
      ready,
      ...options,
      { type: 'usage', usage: { used: 120_000, size: 200_000, cost: { amount: 0.42, currency: 'USD' } } },
      { type: 'message', role: 'user', messageId: 'u', content: [{ type: 'text', text: 'Go' }] },
      { type: 'turn_started', turnId: 't' },
      { type: 'message_queued', queueId: 'q', content: [{ type: 'text', text: 'Then run the tests' }], size: 20 },
      { type: 'message_queued', queueId: 'r', content: [{ type: 'text', text: 'And this' }], size: 20 },
      { type: 'queued_message_editing', queueId: 'r', editing: true },
    );
    await view.page.getByRole('button', { name: 'Message Actions…' }).click();
    await view.page.keyboard.press('Enter');
    await view.page.getByRole('group', { name: 'Editing an earlier message' }).waitFor();
    const file = { kind: 'file', uri: 'file:///home/ada/sample/src/app.ts' } as const;
    const mention = { type: 'mention', token: '@app.ts', name: 'app.ts', about: 'src/app.ts', ref: file } as const;
    const pasted = {
      kind: 'content',
      block: { type: 'resource', uri: 'attachment:/pasted-text.txt', text: 'a\nb' },
    } as const;
    await view.send({ type: 'live_context', mentions: [{ context: 'activeFile', mention }] });
    const blocks = [mention, { ...mention, token: '[Pasted text, 60 lines]', name: 'Pasted text, 60 lines', ref: pasted }];
    await view.send({ type: 'attach', blocks: [...blocks, { type: 'resource_link', uri: 'file:///a/b.ts', name: 'b.ts' }] });
    await view.page.getByRole('button', { name: 'Remove Pasted text, 60 lines' }).waitFor();
    await view.page.getByRole('textbox', { name: 'Message', exact: true }).press('ControlOrMeta+End');
    await view.page.keyboard.type('@');
    await view.page.getByRole('listbox', { name: 'Add to the message' }).waitFor();
    await view.page.getByRole('button', { name: /^Context: / }).click();
    await view.page.getByRole('group', { name: 'Usage' }).waitFor();
  },
  'find bar': async (view) => {
    await view.page.getByRole('textbox', { name: 'Message' }).fill('');
    await view.happen(opened, initialized, ready, {
      type: 'message_chunk',
      role: 'agent',
      messageId: 'a',
      content: { type: 'text', text: 'A needle and another needle.' },
    });
    await view.page.keyboard.press('Control+f');
    await view.page.getByRole('searchbox').fill('needle');
    await view.page.locator('.find-count', { hasText: '1 of 2' }).waitFor();
  },
  'agent menu': async (view) => {
    await view.page.getByRole('searchbox').press('Escape');
    await view.happen(opened, initialized, ready, ...options);
    await view.page.getByRole('button', { name: 'Demo Agent', exact: true }).click();
    await view.page.getByRole('menu').waitFor();
  },
  'sign-in': async (view) => {
    await view.page.keyboard.press('Escape');
    await view.happen(opened, initialized, {
      type: 'sign_in',
      status: 'required',
      failure: { code: 'auth.required', detail: 'Your token has expired' },
    });
    await view.page.getByRole('button', { name: 'Log in' }).waitFor();
  },
  'signing in': (view) =>
    view.happen(
      opened,
      initialized,
      { type: 'sign_in', status: 'required', failure: { code: 'auth.required' } },
      { type: 'sign_in', status: 'running', methodId: 'login' },
    ),
  'failed to start': (view) => view.happen(opened, failed('agent.not_found')),
  crashed: (view) =>
    view.happen(
      opened,
      initialized,
      ready,
      { type: 'turn_started', turnId: 't' },
      { type: 'message', role: 'user', messageId: 'u', content: [{ type: 'text', text: 'Go' }] },
      failed('agent.exited'),
    ),
  'an earlier session': (view) =>
    view.happen(
      opened,
      initialized,
      { type: 'message', role: 'user', messageId: 'u', content: [{ type: 'text', text: 'Go' }] },
      { type: 'disconnected', failure: { code: 'session.interrupted' } },
    ),
};
