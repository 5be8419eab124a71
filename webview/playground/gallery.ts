/** A session that shows every kind of entry in every state that a user may see. */
import type { SessionEvent, EventInput } from '../../src/core/model/event';
import { diagrams } from './galleryDiagrams';
import { elicitations } from './galleryForms';
import { answeredRequests, waitingRequests } from './galleryPermissions';
import { formulas } from './galleryMath';
import { oddities } from './galleryOddities';
import { turns } from './galleryTurns';
import { ANSWER, LOG, NEW_CODE, OLD_CODE, TAGS } from './galleryTexts';
import { subagentCards } from './gallerySubagents';
import { toolCards } from './galleryTools';

/** ms between the events */
const STEP = 400;

/** The events of the gallery, which end at about `now` (ms since the epoch). The last turn still runs and waits for an answer. */
export function galleryEvents(now: number): SessionEvent[] {
  const events = [
    ...opening(),
    ...toolCards(),
    ...subagentCards(),
    ...firstTurn(),
    ...secondTurn(),
    ...diagrams(),
    ...formulas(),
    ...oddities(),
    ...turns(),
    ...elicitations(),
    ...answeredRequests(),
    ...lastTurn(),
    ...queued(),
    ...waitingRequests(),
  ];
  return events.map((event, index) => ({ ...event, at: now - (events.length - index) * STEP }) as SessionEvent);
}

function opening(): EventInput[] {
  return [
    { type: 'session_opened', agentName: 'Demo Agent', cwd: '/home/ada/sample' },
    {
      type: 'agent_initialized',
      protocolVersion: 1,
      agent: { name: 'demo', title: 'Demo Agent', version: '1.0.0' },
      promptCapabilities: { image: true, audio: false, embeddedContext: true },
      authMethods: [],
    },
    {
      type: 'config_options',
      options: [
        {
          type: 'select',
          configId: '$mode',
          name: 'Mode',
          currentValue: 'ask',
          groups: [
            {
              choices: [
                { value: 'ask', name: 'Ask first', description: 'Asks before it writes a file or runs a command' },
                { value: 'code', name: 'Code', description: 'Writes and runs without asking' },
              ],
            },
          ],
        },
        {
          type: 'select',
          configId: 'model',
          name: 'Model',
          currentValue: 'large',
          groups: [
            { name: 'Fast', choices: [{ value: 'small', name: 'Small 2' }] },
            {
              name: 'Thorough',
              choices: [
                { value: 'large', name: 'Large 4' },
                { value: 'huge', name: 'Huge 1' },
              ],
            },
          ],
        },
        {
          type: 'select',
          configId: 'thinking',
          name: 'Thinking',
          category: 'thought_level',
          currentValue: 'off',
          groups: [{ choices: ['off', 'low', 'high'].map((value) => ({ value, name: `Thinking: ${value}` })) }],
        },
        { type: 'boolean', configId: 'web', name: 'Web search', currentValue: true },
      ],
    },
    {
      type: 'available_commands',
      commands: [
        { name: 'plan', description: 'Plans without changing anything' },
        { name: 'review', description: 'Reviews the changes', inputHint: 'what to look at' },
        { name: 'test', description: 'Runs the tests' },
      ],
    },
    { type: 'session_ready', sessionId: 's1' },
    { type: 'session_info', title: 'Greet by name' },
  ];
}

function firstTurn(): EventInput[] {
  return [
    { type: 'turn_started', turnId: 't1' },
    {
      type: 'message',
      role: 'user',
      messageId: 'u1',
      content: [
        { type: 'text', text: 'Make greet() polite: it should take a name, and fall back to “world”. Then run the tests.' },
        { type: 'resource_link', uri: 'file:///home/ada/sample/src/greet.ts', name: 'greet.ts' },
      ],
    },
    { type: 'message_chunk', role: 'thought', messageId: 'th1', content: { type: 'text', text: 'The function has **one** caller. ' } },
    { type: 'message_chunk', role: 'thought', messageId: 'th1', content: { type: 'text', text: 'I should look at the tests first.' } },
    { type: 'message_chunk', role: 'thought', messageId: 'th1', content: { type: 'text', text: '\n\nThen change the default.' } },
    { type: 'message_chunk', role: 'thought', messageId: 'th1', content: { type: 'text', text: ' Done thinking.' } },
    { type: 'message_chunk', role: 'agent', messageId: 'a1', content: { type: 'text', text: ANSWER } },
    { type: 'message_chunk', role: 'agent', messageId: 'tags', content: { type: 'text', text: TAGS } },
    {
      type: 'tool_call_update',
      toolCallId: 'read',
      patch: {
        title: 'Read src/greet.ts',
        kind: 'read',
        status: 'in_progress',
        locations: [{ path: '/home/ada/sample/src/greet.ts', line: 3 }],
        rawInput: { path: 'src/greet.ts' },
      },
    },
    {
      type: 'tool_call_update',
      toolCallId: 'read',
      patch: { status: 'completed', content: [{ type: 'content', content: { type: 'text', text: '```ts\n' + OLD_CODE + '```' } }] },
    },
    {
      type: 'tool_call_update',
      toolCallId: 'search',
      patch: { title: 'Search for “greet(”', kind: 'search', status: 'completed', rawOutput: { matches: 4 } },
    },
    {
      type: 'tool_call_update',
      toolCallId: 'edit',
      patch: {
        title: 'Edit src/greet.ts',
        kind: 'edit',
        status: 'completed',
        locations: [{ path: '/home/ada/sample/src/greet.ts', line: 2 }],
        content: [
          { type: 'diff', changes: [{ operation: 'modify', path: '/home/ada/sample/src/greet.ts', oldText: OLD_CODE, newText: NEW_CODE }] },
        ],
      },
    },
    {
      type: 'permission_requested',
      permissionId: 'p1',
      title: 'Run npm test',
      options: [
        { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
        { optionId: 'no', name: 'Reject', kind: 'reject_once' },
      ],
      subject: { command: 'npm test', cwd: '/home/ada/sample' },
    },
    { type: 'permission_resolved', permissionId: 'p1', outcome: 'selected', optionId: 'yes' },
    { type: 'terminal_update', terminalId: 'term1', ours: true, command: 'npm test', cwd: '/home/ada/sample', output: LOG },
    {
      type: 'tool_call_update',
      toolCallId: 'run',
      patch: { title: 'npm test', kind: 'execute', status: 'in_progress', content: [{ type: 'terminal', terminalId: 'term1' }] },
    },
    { type: 'terminal_update', terminalId: 'term1', exitStatus: { exitCode: 0 }, released: true },
    { type: 'tool_call_update', toolCallId: 'run', patch: { status: 'completed' } },
    { type: 'message_chunk', role: 'agent', messageId: 'a2', content: { type: 'text', text: 'All 12 tests pass.' } },
    { type: 'turn_ended', turnId: 't1', stopReason: 'end_turn' },
  ];
}

function secondTurn(): EventInput[] {
  return [
    { type: 'turn_started', turnId: 't2' },
    { type: 'message', role: 'user', messageId: 'u2', content: [{ type: 'text', text: 'And now publish it.' }] },
    {
      type: 'tool_call_update',
      toolCallId: 'fetch',
      patch: {
        title: 'Fetch https://registry.example/greet',
        kind: 'fetch',
        status: 'failed',
        rawOutput: { error: 'getaddrinfo ENOTFOUND registry.example' },
      },
    },
    { type: 'tool_call_update', toolCallId: 'move', patch: { title: 'Move a file', kind: 'move', status: 'pending' } },
    { type: 'tool_call_update', toolCallId: 'think', patch: { title: 'Think about it', kind: 'think', status: 'in_progress' } },
    { type: 'tool_call_update', toolCallId: 'weird', patch: { title: 'A tool of a new kind', kind: 'teleport', status: 'quantum' } },
    { type: 'tool_call_update', toolCallId: 'delete', patch: { title: 'Delete dist', kind: 'delete', status: 'in_progress' } },
    { type: 'turn_cancelling' },
    { type: 'turn_ended', turnId: 't2', stopReason: 'cancelled' },
    { type: 'turn_started', turnId: 't3' },
    {
      type: 'turn_ended',
      turnId: 't3',
      stopReason: 'error',
      failure: {
        code: 'request.failed',
        params: { method: 'session/prompt', cause: 'rate_limit' },
        detail: '429 Too Many Requests\n{"error":{"message":"Rate limit reached for Large 4"}}',
      },
    },
  ];
}

function queued(): EventInput[] {
  return [
    { type: 'message_queued', queueId: 'q1', content: [{ type: 'text', text: 'Then run the tests again.' }], size: 25 },
    {
      type: 'message_queued',
      queueId: 'q2',
      content: [
        { type: 'text', text: 'And write down in the change log what was removed, and why:\none line for each folder, the oldest first.' },
        { type: 'resource_link', uri: 'file:///home/ada/sample/CHANGELOG.md', name: 'CHANGELOG.md' },
      ],
      size: 160,
    },
  ];
}

function lastTurn(): EventInput[] {
  return [
    { type: 'turn_started', turnId: 't4' },
    { type: 'message', role: 'user', messageId: 'u4', content: [{ type: 'text', text: 'Clean up.' }] },
    {
      type: 'plan_update',
      planId: 'plan',
      plan: {
        type: 'items',
        entries: [
          { content: 'Look at what is left', priority: 'medium', status: 'completed' },
          { content: 'Remove the old build', priority: 'high', status: 'in_progress' },
          { content: 'Run the linter', priority: 'low', status: 'pending' },
        ],
      },
    },
    { type: 'usage', usage: { used: 43_120, size: 200_000, cost: { amount: 0.42, currency: 'USD' } } },
    {
      type: 'terminal_update',
      terminalId: 'term2',
      ours: true,
      shell: true,
      command: 'npm run lint -- --fix && echo done',
      cwd: '/home/ada/sample',
      output: '> eslint .\r\n\r\n\u001b[33mwarning\u001b[0m  unused variable\r\n',
    },
    {
      type: 'tool_call_update',
      toolCallId: 'lint',
      patch: { title: 'npm run lint', kind: 'execute', status: 'in_progress', content: [{ type: 'terminal', terminalId: 'term2' }] },
    },
    {
      type: 'permission_requested',
      permissionId: 'p2',
      title: 'Delete the folder dist and rewrite .gitignore',
      description: 'Nothing in it is under version control.',
      options: [
        { optionId: 'once', name: 'Allow once', kind: 'allow_once' },
        { optionId: 'always', name: 'Always allow', kind: 'allow_always' },
        { optionId: 'no', name: 'Reject', kind: 'reject_once' },
        { optionId: 'other', name: 'Ask me something else', kind: 'ponder' },
      ],
      subject: {
        command: 'rm -rf dist',
        cwd: '/home/ada/sample',
        content: [
          {
            type: 'diff',
            changes: [{ operation: 'add', path: '/home/ada/sample/.gitignore', oldText: null, newText: 'dist/\nnode_modules/\n' }],
          },
        ],
      },
    },
    {
      type: 'permission_requested',
      permissionId: 'p3',
      title: 'Write a protected file (.vscode)',
      options: [
        { optionId: 'allow', name: 'Allow Once', kind: 'allow_once' },
        { optionId: 'allow_session', name: 'Allow This File in This Session', kind: 'allow_always' },
        { optionId: 'reject', name: 'Reject', kind: 'reject_once' },
      ],
      subject: {
        reason: {
          type: 'protected_path',
          access: 'write',
          rule: '.vscode',
          path: '/home/ada/sample/config/editor.json',
          target: '/home/ada/sample/.vscode/settings.json',
        },
        kind: 'edit',
        content: [
          {
            type: 'diff',
            changes: [
              {
                operation: 'modify',
                path: '/home/ada/sample/.vscode/settings.json',
                oldText: '{\n  "editor.tabSize": 4\n}\n',
                newText: '{\n  "editor.tabSize": 2\n}\n',
              },
            ],
          },
        ],
      },
    },
  ];
}
