/** Conversations in version 2: turns, tools, questions, terminals, plans, echoes, histories and errors. The texts are in test/golden/scenarios/version2/. */
import assert from 'node:assert/strict';
import type { Setup } from '../scripted/agent';
import type { SetupV2 } from '../scripted/agentV2';
import type { Step } from '../scripted/steps';
import { scenarios } from './suite';

const launch = { protocol: 2 } as const;
const setup = (v2: SetupV2 = {}, more: Setup = {}): Setup => ({ ...more, v2 });
const state = (name: string, more: object = {}): Step => ({ update: { sessionUpdate: 'state_update', state: name, ...more } });
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const user = (messageId: string, text: string): Step => ({
  update: { sessionUpdate: 'user_message', messageId, content: [{ type: 'text', text }] },
});
const HISTORY: Step[] = [
  user('u1', 'What is in a.ts?'),
  { update: { sessionUpdate: 'agent_message', messageId: 'm1', content: [] } },
  { update: { sessionUpdate: 'agent_message_chunk', messageId: 'm1', content: { type: 'text', text: 'A function.' } } },
  { toolUpdate: { toolCallId: 't', title: 'Read a.ts', kind: 'read', status: 'completed', content: null, _meta: null } },
];

scenarios(
  'version2',
  (scenario) => {
    scenario('turn', { setup: setup(), launch }, async (stage) => {
      await stage.turn(
        { think: 'Hm.' },
        { chunks: ['Hel', 'lo.'] },
        { usage: { used: 10, size: 100, cost: { amount: 1, currency: 'USD' } } },
      );
      await stage.turn({ say: 'Again.' }, { usage: { used: 20, size: 100, cost: null } }, { stopReason: 'max_tokens' });
    });

    scenario('echo-in-chunks-before-the-answer', { setup: setup({ order: 'codex' }), launch }, async (stage) => {
      await stage.turn({ say: 'Hello.' });
    });

    scenario('echo-after-the-answer', { setup: setup({ order: 'late' }), launch }, async (stage) => {
      await stage.turn({ say: 'Hello.' });
    });

    scenario('answer-without-an-id', { setup: setup({ order: 'none' }), launch }, async (stage) => {
      await stage.turn({ say: 'Hello.' });
    });

    scenario('tools', { setup: setup(), launch }, async (stage) => {
      await stage.turn(
        { tool: { toolCallId: 't', title: 'Edit a.ts', kind: 'edit', status: 'pending' } },
        { toolUpdate: { toolCallId: 't', status: 'paused', locations: [{ path: '${cwd}/a.ts', line: 3 }] } },
        {
          toolUpdate: {
            toolCallId: 't',
            status: 'completed',
            content: [{ type: 'diff', path: '${cwd}/a.ts', oldText: 'a\n', newText: 'b\n' }],
          },
        },
        {
          update: {
            sessionUpdate: 'tool_call_content_chunk',
            toolCallId: 'u',
            content: { type: 'content', content: { type: 'text', text: 'one' } },
          },
        },
        { toolUpdate: { toolCallId: 'u', title: 'Search', kind: null, status: 'failed', rawInput: { q: 1 }, rawOutput: null } },
        { toolUpdate: { toolCallId: 'v', title: 'Later', status: 'in_progress' } },
      );
    });

    scenario('patches', { setup: setup(), launch }, async (stage) => {
      const patched = (toolCallId: string, changes: readonly object[], ...lines: string[]): Step => ({
        tool: {
          ...{ toolCallId, title: toolCallId, kind: 'edit', status: 'completed' },
          content: [{ type: 'diff', changes, patch: { format: 'git_patch', text: `${lines.join('\n')}\n` } }],
        },
      });
      const a = '${cwd}/a.ts';
      const b = '${cwd}/b.ts';
      const moved = [`diff --git ${a} ${b}`, 'similarity index 90%', `rename from ${a}`, `rename to ${b}`];
      await stage.turn(
        patched(
          'move',
          [{ operation: 'move', path: b, oldPath: a, fileType: 'text' }],
          ...[...moved, `--- ${a}`, `+++ ${b}`, '@@ -1,2 +1,2 @@', ' a', '-b', '\\ No newline at end of file', '+c'],
          ...['@@ -9 +9,0 @@', '-z'],
        ),
        patched('move alone', [{ operation: 'move', path: b, oldPath: a }], ...moved),
        patched('copy', [{ operation: 'copy', path: b, oldPath: a }], `diff --git ${a} ${b}`, `copy from ${a}`, `copy to ${b}`),
        patched('mode', [{ operation: 'modify', path: a }], `diff --git ${a} ${a}`, 'old mode 100644', 'new mode 100755'),
        patched(
          'binary',
          [{ operation: 'modify', path: a, fileType: 'binary' }],
          `diff --git ${a} ${a}`,
          `Binary files ${a} and ${a} differ`,
        ),
        patched('delete', [{ operation: 'delete', path: a }], `diff --git ${a} ${a}`, `--- ${a}`, '+++ /dev/null', '@@ -1 +0,0 @@', '-a'),
        patched('broken', [{ operation: 'modify', path: a }], `--- ${a}`, `+++ ${a}`, '@@ -1,5 +1 @@', '-a', '+b'),
      );
    });

    scenario('background-of-a-subagent', { setup: setup(), launch }, async (stage) => {
      const child: Step = { update: { sessionUpdate: 'subagent_update', sessionId: 'x', title: 'Watcher', state: { state: 'running' } } };
      await stage.turn(
        child,
        { of: { session: 'x', steps: [state('running', { background: [{ type: 'tool_call', toolCallId: 't' }] })] } },
        state('running', { background: [{ type: 'subagent', sessionId: 'x' }] }),
        { of: { session: 'x', steps: [state('idle', { stopReason: 'end_turn', background: [] })] } },
        state('running', { background: [] }),
      );
    });

    scenario('permission', { setup: setup(), launch, answer: (title) => (title === 'rm' ? 'reject' : 'allow') }, async (stage) => {
      const ask = (params: object): Step => ({
        request: {
          method: 'session/request_permission',
          params: { sessionId: 'session-1', options: [{ optionId: 'allow', name: 'Allow', kind: 'allow_once' }], ...params },
        },
      });
      await stage.turn(
        { permission: { toolCall: { toolCallId: 't', title: 'Write a.ts', kind: 'edit' } } },
        { permission: { toolCall: { toolCallId: 'r', title: 'rm' } } },
        ask({ title: 'Run?', description: 'To test', subject: { type: 'command', command: 'npm test', cwd: '${cwd}' } }),
        ask({
          title: 'What?',
          subject: { type: '_new', x: 1 },
          options: [
            { optionId: 'maybe', name: 'Maybe', kind: '_maybe' },
            { optionId: 'allow', name: 'Yes', kind: 'allow_once' },
          ],
        }),
      );
    });

    scenario(
      'terminal',
      {
        setup: setup({
          cancel: {
            watch: [
              { update: { sessionUpdate: 'terminal_update', terminalId: 'watch', exitStatus: { signal: 'SIGTERM' }, capabilities: null } },
            ],
          },
        }),
        launch,
      },
      async (stage) => {
        await stage.turn(
          {
            tool: {
              toolCallId: 't',
              title: 'npm test',
              kind: 'execute',
              status: 'in_progress',
              content: [{ type: 'terminal', terminalId: 'run' }],
            },
          },
          {
            update: {
              sessionUpdate: 'terminal_update',
              terminalId: 'run',
              command: 'npm test',
              cwd: '${cwd}',
              size: { cols: 80, rows: 24 },
            },
          },
          { update: { sessionUpdate: 'terminal_output_chunk', terminalId: 'run', data: '4oI=' } },
          { update: { sessionUpdate: 'terminal_output_chunk', terminalId: 'run', data: 'rAo=' } },
          { update: { sessionUpdate: 'terminal_update', terminalId: 'run', exitStatus: { exitCode: 0, signal: null } } },
          { toolUpdate: { toolCallId: 't', status: 'completed' } },
          {
            update: {
              sessionUpdate: 'terminal_update',
              terminalId: 'watch',
              command: 'npm run watch',
              output: { data: base64('ready\n') },
              capabilities: { cancel: {} },
            },
          },
          state('running', { background: [{ type: 'terminal', terminalId: 'watch' }] }),
        );
        stage.session.stopTerminal('watch');
        await stage.seen('terminal_update', ({ exitStatus }) => exitStatus?.signal === 'SIGTERM');
      },
    );

    scenario('plan', { setup: setup(), launch }, async (stage) => {
      const planned = (plan: object): Step => ({ update: { sessionUpdate: 'plan_update', plan } });
      await stage.turn(
        { plan: [{ content: 'Look', status: 'in_progress', priority: 'high' }] },
        planned({ type: 'markdown', planId: 'p', content: '# Plan' }),
        planned({ type: 'items', planId: 'p', entries: [{ content: 'Stop', status: 'cancelled', priority: 'low' }] }),
        planned({ type: '_board', planId: 'q', x: 1 }),
        { update: { sessionUpdate: 'plan_removed', planId: 'q' } },
      );
    });

    scenario('turn-of-the-agent', { setup: setup(), launch }, async (stage) => {
      await stage.turn(
        { say: 'Started.' },
        {
          afterResponse: [
            state('running'),
            { say: 'The build is done.' },
            state('requires_action'),
            state('running'),
            state('idle', { stopReason: 'end_turn' }),
          ],
        },
      );
      await stage.when(
        'the turn of the agent to end',
        () => [...stage.session.store.state.entries].filter(({ kind }) => kind === 'turn').length === 2,
      );
    });

    scenario(
      'stop-one-call',
      { setup: setup({ cancel: { t: [{ toolUpdate: { toolCallId: 't', status: 'cancelled', capabilities: null } }] } }), launch },
      async (stage) => {
        await stage.ready();
        stage.script(
          { tool: { toolCallId: 't', title: 'Search', status: 'in_progress', capabilities: { cancel: {} } } },
          { waitCancelOf: 'tool call t' },
          { say: 'Stopped the search.' },
        );
        await stage.seen('tool_call_update');
        stage.session.stopToolCall('t');
        await stage.turnEnd();
      },
    );

    scenario('stop', { setup: setup(), launch }, async (stage) => {
      await stage.ready();
      stage.script(
        { tool: { toolCallId: 't', title: 'Search', status: 'in_progress' } },
        { tool: { toolCallId: 'b', title: 'Watch', status: 'in_progress' } },
        state('running', { background: [{ type: 'tool_call', toolCallId: 'b' }] }),
        { waitCancel: true },
        { onCancel: [] },
      );
      await stage.seen('background_work');
      stage.session.cancel();
      await stage.turnEnd();
      assert.equal(stage.session.store.state.turn, undefined);
    });

    scenario('errors', { setup: setup(), launch }, async (stage) => {
      await stage.turn({ say: 'So far.' }, { error: { code: -32603, message: 'The model is gone' } });
      await stage.turn(state('idle', { stopReason: '_tired' }));
    });

    scenario('refused-prompt', { setup: setup({ refuse: { code: -32603, message: 'Not now' } }), launch }, async (stage) => {
      await stage.turn({ say: 'Never.' });
    });

    scenario('subagents', { setup: setup(), launch }, async (stage) => {
      const child = (sessionId: string, more: object): Step => ({ update: { sessionUpdate: 'subagent_update', sessionId, ...more } });
      const of = (session: string, ...steps: Step[]): Step => ({ of: { session, steps } });
      await stage.turn(
        child('x', { title: 'Explore', capabilities: { cancel: {} }, state: { state: 'running' } }),
        of('x', state('running'), { say: 'Looking.' }, child('y', { title: 'Reader' }), {
          tool: { toolCallId: 't', title: 'Search', status: 'in_progress' },
        }),
        of('y', state('running'), { say: 'Reading.' }, { permission: { toolCall: { toolCallId: 't', title: 'Read a.ts' } } }),
        of('y', state('idle', { stopReason: 'error', error: { code: -32603, message: 'No grammar' } })),
        of(
          'x',
          { toolUpdate: { toolCallId: 't', status: 'completed' } },
          state('idle', { stopReason: 'end_turn', usage: { totalTokens: 12 } }),
        ),
        child('x', { capabilities: null }),
        { say: 'Found.' },
      );
    });

    scenario('unknown-kinds', { setup: setup(), launch }, async (stage) => {
      await stage.turn(
        { update: { sessionUpdate: '_vendor', x: 1 } },
        {
          update: {
            sessionUpdate: 'agent_message',
            messageId: 'm',
            content: [
              { type: '_chart', points: [1, 2] },
              { type: 'text', text: 'A chart.' },
            ],
          },
        },
        {
          toolUpdate: {
            toolCallId: 't',
            title: 'New',
            kind: '_teleport',
            status: '_beaming',
            content: [
              { type: '_map', x: 1 },
              { type: 'diff', changes: [{ operation: '_x', path: '${cwd}/a' }] },
            ],
          },
        },
        state('_dreaming'),
        { commands: [{ name: 'c', description: 'd', input: { hint: 'h' } }] },
      );
    });

    scenario(
      'history',
      {
        setup: setup({ resume: [...HISTORY, { update: { sessionUpdate: 'replay_complete' } }, state('idle')] }),
        launch,
        from: { sessionId: 'old' },
        defaults: null,
      },
      async (stage) => {
        await stage.ready();
      },
    );

    scenario(
      'history-without-a-marker',
      {
        setup: setup({ resume: [...HISTORY, state('idle', { stopReason: 'end_turn' })] }),
        launch,
        from: { sessionId: 'old' },
        defaults: null,
      },
      async (stage) => {
        await stage.ready();
      },
    );

    scenario(
      'history-of-a-running-turn',
      { setup: setup({ resume: [...HISTORY, state('running')] }), launch, from: { sessionId: 'old' }, defaults: null },
      async (stage) => {
        await stage.ready();
        await stage.when('the turn to run', () => stage.session.store.state.turn !== undefined);
      },
    );

    scenario('agent-of-version-1', { launch }, async (stage) => {
      await stage.turn({ say: 'Version 1.' });
      assert.equal(stage.session.store.state.protocolVersion, 1);
    });
  },
  'version2',
);
