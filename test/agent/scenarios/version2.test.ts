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

    scenario('misleading-texts', { setup: setup(), launch, answer: (title) => title }, async (stage) => {
      const said = '\u001b[31mred\u0007 \u202egnp.exe\u2066\u200b $(trash) [run](command:x) <img src=x onerror=alert(1)>\r\nnext';
      const child = { sessionUpdate: 'subagent_update', sessionId: said, title: said, description: said, state: { state: said } };
      await stage.turn(
        { update: { sessionUpdate: 'agent_message', messageId: said, content: [{ type: 'text', text: said }, { type: said }] } },
        { update: { sessionUpdate: 'agent_thought', messageId: said, content: [{ type: 'text', text: said }] } },
        { update: { sessionUpdate: 'user_message', messageId: said, content: [{ type: 'text', text: said }] } },
        {
          toolUpdate: {
            toolCallId: said,
            title: said,
            name: said,
            kind: said,
            status: said,
            content: [{ type: 'terminal', terminalId: said }],
          },
        },
        { update: { sessionUpdate: 'terminal_update', terminalId: said, command: said, cwd: said, output: { data: base64(said) } } },
        { update: { sessionUpdate: 'terminal_update', terminalId: said, exitStatus: { signal: said } } },
        {
          update: {
            sessionUpdate: 'plan_update',
            plan: { type: 'items', planId: said, entries: [{ content: said, status: said, priority: said }] },
          },
        },
        { update: { sessionUpdate: 'plan_update', plan: { type: 'markdown', planId: `${said}2`, content: said, path: said } } },
        { update: child },
        state(said, { background: [{ type: said, terminalId: said, title: said }] }),
        {
          request: {
            method: 'session/request_permission',
            params: {
              sessionId: 'session-1',
              title: said,
              description: said,
              subject: { type: 'command', command: said, cwd: said },
              options: [{ optionId: said, name: said, kind: said }],
            },
          },
        },
        state('idle', { stopReason: said }),
      );
    });

    scenario('ids-used-twice', { setup: setup(), launch }, async (stage) => {
      const words = (role: string, value: string): Step => ({
        update: { sessionUpdate: `${role}_chunk`, messageId: 'x', content: { type: 'text', text: value } },
      });
      await stage.turn(
        words('agent_message', 'One'),
        words('agent_thought', 'two'),
        words('user_message', 'three'),
        words('agent_message', ' and one.'),
        { tool: { toolCallId: 'x', title: 'Four', status: 'completed' } },
        { update: { sessionUpdate: 'plan_update', plan: { type: 'markdown', planId: 'x', content: 'Five' } } },
        { update: { sessionUpdate: 'terminal_update', terminalId: 'x', command: 'six', exitStatus: {} } },
        { update: { sessionUpdate: 'compaction_update', compactionId: 'x', status: 'completed' } },
        { update: { sessionUpdate: 'subagent_update', sessionId: 'x', title: 'Seven', state: { state: 'running' } } },
        { update: { sessionUpdate: 'subagent_update', sessionId: 'session-1', title: 'Itself' } },
        {
          of: { session: 'x', steps: [words('agent_message', 'eight'), { tool: { toolCallId: 'x', title: 'Nine', status: 'completed' } }] },
        },
        { of: { session: 'x', steps: [state('idle', { stopReason: 'end_turn' }), state('idle', { stopReason: 'end_turn' })] } },
        { update: { sessionUpdate: 'agent_message', messageId: 'x', content: null } },
        { toolUpdate: { toolCallId: 'x', title: null, kind: null, status: null, content: null, locations: null, rawInput: null } },
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
