/** Malicious and meaningless values: stored, shown as plain text, never obeyed. The texts are in test/golden/scenarios/hostile/. */
import { symlink } from 'node:fs/promises';
import path from 'node:path';
import type { InitializeResponse } from '@agentclientprotocol/sdk';
import type { Step } from '../scripted/steps';
import { scenarios } from './suite';

const SESSION = 'session-1';

const all = (...updates: Record<string, unknown>[]): Step[] => updates.map((update) => ({ update }));

const ask = (params: object): Step => ({ request: { method: 'session/request_permission', params: { sessionId: SESSION, ...params } } });
const option = (optionId: unknown, name: unknown = `Do ${String(optionId)}`, kind: unknown = 'allow_once'): object => ({
  optionId,
  name,
  kind,
});

/** The same text in every part that a person reads. */
function everywhere(said: string): Step[] {
  return [
    { say: said },
    { think: said },
    {
      tool: {
        toolCallId: said,
        title: said,
        name: said,
        kind: said,
        status: said,
        locations: [{ path: said }],
        rawInput: { command: said },
        rawOutput: said,
      },
    },
    {
      tool: {
        toolCallId: 'content',
        title: 'Content',
        content: [
          { type: 'content', content: { type: 'text', text: said } },
          { type: 'diff', path: said, oldText: said, newText: '' },
          { type: said },
        ],
      },
    },
    { plan: [{ content: said, status: said, priority: said }] },
    { commands: [{ name: said, description: said, input: { hint: said } }] },
    {
      config: [
        {
          type: 'select',
          id: said,
          name: said,
          description: said,
          category: said,
          currentValue: said,
          options: [{ group: said, name: said, options: [{ value: said, name: said, description: said }] }],
        },
      ],
    },
    { info: { title: said, updatedAt: said } },
    { usage: { used: 1, size: 2, cost: { amount: 1, currency: said } } },
    { notice: { severity: said, title: said, description: said } },
    ...all(
      { sessionUpdate: said || 'empty', [said]: said },
      { sessionUpdate: 'compaction_update', compactionId: said, status: said, error: said, summary: [{ type: 'text', text: said }] },
      { sessionUpdate: 'agent_message_chunk', content: { type: 'resource_link', uri: said, name: said, title: said } },
    ),
    ask({ title: said, toolCall: { toolCallId: said, title: said }, options: [option(said, said, said)] }),
  ];
}

scenarios('hostile', (scenario) => {
  scenario('strings-of-a-megabyte', {}, async (stage) => {
    const long = 'x'.repeat(2 ** 20);
    await stage.turn(
      { tool: { toolCallId: 'long', title: long, name: long } },
      { notice: { severity: 'info', title: long, description: long } },
      { info: { title: long } },
      { commands: [{ name: long, description: long }] },
      { update: { sessionUpdate: long } },
      ask({ toolCall: { toolCallId: long, title: long }, options: [option('allow', long), option(long, long, long)] }),
      { say: 'and on' },
    );
  });

  scenario('control-characters', { answer: (title) => title }, async (stage) => {
    await stage.turn(...everywhere('\u001b[31mred\u001b[0m\u0007 \u202egnp.exe\u2066\u200b\u0000 \u009b2J\r\nnext\ud800'));
  });

  scenario('markup', { answer: (title) => title }, async (stage) => {
    await stage.turn(
      ...everywhere(
        '$(trash) [run](command:workbench.action.quit) ![img](file:///etc/passwd) <img src=x onerror=alert(1)><script>alert(2)</script> javascript:alert(3)',
      ),
    );
  });

  scenario('names-of-all-objects', { answer: (title) => title }, async (stage) => {
    const terminal = (terminal_id: string): object => ({
      terminal_info: { terminal_id, cwd: '/' },
      terminal_output: { terminal_id, data: 'out' },
      terminal_exit: { terminal_id, exit_code: 0 },
    });
    await stage.turn(
      ...everywhere('constructor'),
      {
        raw: `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"${SESSION}","update":{"sessionUpdate":"tool_call","toolCallId":"__proto__","title":"P","__proto__":{"polluted":1},"rawInput":{"__proto__":{"polluted":2}},"_meta":{"__proto__":{"polluted":3}}}}}`,
      },
      ...['constructor', '__proto__', 'toString'].map((id): Step => ({ toolUpdate: { toolCallId: 'own', _meta: terminal(id) } })),
      ...all(
        { sessionUpdate: 'plan_update', plan: { type: 'items', planId: '__proto__', entries: [] } },
        { sessionUpdate: 'plan_removed', planId: 'constructor' },
        { sessionUpdate: 'agent_message_chunk', messageId: '__proto__', content: { type: 'text', text: 'kept' } },
        { sessionUpdate: '__proto__' },
      ),
    );
  });

  scenario('permission-without-options', {}, async (stage) => {
    await stage.turn(
      ask({ toolCall: { toolCallId: 't', title: 'None' }, options: [] }),
      ask({ toolCall: { toolCallId: 't', title: 'Missing' } }),
      ask({ toolCall: { toolCallId: 't', title: 'No ids' }, options: [{ name: 'Yes', kind: 'allow_once' }, null, 'allow'] }),
      ask({ toolCall: { toolCallId: 't', title: 'One of three' }, options: [{ name: 'Yes' }, option('allow', null, null), option(4)] }),
      ask({ options: [option('allow')] }),
      ask({ toolCall: 'delete everything', options: [option('allow')] }),
      ask({ toolCall: { title: 'No id' }, options: [option('allow')] }),
      ask({
        title: 'A title of its own',
        description: 'And words',
        toolCall: { toolCallId: 't' },
        options: [option('allow')],
        _meta: { why: 1 },
        deadline: 5,
      }),
    );
  });

  scenario('permission-options-doubled', { answer: () => 'go' }, async (stage) => {
    await stage.turn(
      ask({ toolCall: { toolCallId: 't', title: 'Twice' }, options: [option('go', 'Reject', 'reject_once'), option('go', 'Allow')] }),
    );
  });

  scenario('permission-thousand-options', { answer: () => 'option 1000' }, async (stage) => {
    await stage.turn(
      ask({
        toolCall: { toolCallId: 't', title: 'Many' },
        options: Array.from({ length: 1000 }, (_, index) => option(`option ${index + 1}`)),
      }),
    );
  });

  scenario('permission-of-odd-tool-calls', {}, async (stage) => {
    const options = [option('allow')];
    await stage.turn(
      ask({ toolCall: { toolCallId: 'new', title: 'Never announced', kind: 'edit', rawInput: { path: 'a' } }, options }),
      { tool: { toolCallId: 'done', title: 'Done', status: 'completed' } },
      ask({ toolCall: { toolCallId: 'done', title: 'Asked when done', status: 'pending' }, options }),
      { toolUpdate: { toolCallId: 'new', status: 'completed' } },
      ask({ toolCall: { toolCallId: 'new' }, options }),
      ask({ toolCall: { toolCallId: 'untitled' }, options }),
      { request: { method: 'session/request_permission', params: { sessionId: 'another', toolCall: { toolCallId: 'new' }, options } } },
      { request: { method: 'session/request_permission', params: { sessionId: 7, toolCall: { toolCallId: 'new' }, options } } },
    );
  });

  scenario('paths', {}, async (stage) => {
    await stage.file('a.txt', 'inside\n');
    await symlink('/etc', path.join(stage.cwd, 'link'));
    const paths = [
      'a.txt',
      '',
      '.',
      '${cwd}/../a.txt',
      '${cwd}/../../etc/hostname',
      '/etc/hostname',
      '${cwd}/link/hostname',
      '${cwd}/a.txt\u0000.png',
      '${cwd}//a.txt',
      '${cwd}/./a.txt',
      'file://${cwd}/a.txt',
      '~/a.txt',
      '//server/share/a.txt',
      'C:\\a.txt',
    ];
    await stage.turn(
      ...paths.flatMap((each): Step[] => [
        { read: each },
        ...(/^\$\{cwd\}\/(\.?\/)?a\.txt$/.test(each) ? [] : [{ write: { path: each, content: 'harm' } } as Step]),
      ]),
    );
  });

  scenario('lines', {}, async (stage) => {
    await stage.file('a.txt', 'one\r\ntwo\nthree');
    const read = (params: object): Step => ({
      request: { method: 'fs/read_text_file', params: { sessionId: SESSION, path: '${cwd}/a.txt', ...params } },
    });
    const odd = [null, 0, 1, 3, 4, 1e9, 2 ** 53, -1, 1.5, '2', [], true];
    await stage.turn(
      ...odd.map((line) => read({ line })),
      ...odd.map((limit) => read({ limit })),
      read({ line: 2, limit: 1 }),
      read({ line: 99, limit: 0 }),
    );
  });

  scenario('writes', {}, async (stage) => {
    const write = (params: object): Step => ({
      request: { method: 'fs/write_text_file', params: { sessionId: SESSION, path: '${cwd}/b.txt', ...params } },
    });
    await stage.turn(
      write({}),
      write({ content: null }),
      write({ content: 7 }),
      write({ content: ['a'] }),
      write({ content: '' }),
      write({ content: '\ud800 \u0000 \ufeff', _meta: { bom: true }, encoding: 'utf-16' }),
    );
  });

  scenario('commands', {}, async (stage) => {
    const run = (params: object): Step => ({ request: { method: 'terminal/create', params: { sessionId: SESSION, ...params } } });
    await stage.turn(
      run({}),
      run({ command: '' }),
      run({ command: '   ' }),
      run({ command: 'ec\u0000ho' }),
      run({ command: ['echo'] }),
      run({ command: 'true', args: 'one' }),
      run({ command: 'true', args: [1] }),
      run({ command: 'true', cwd: '/etc' }),
      run({ command: 'true', cwd: 'relative' }),
      run({ command: 'true', cwd: '${cwd}/missing' }),
      run({ command: 'true', env: [{ name: 'A=B', value: '1' }] }),
      run({ command: 'true', env: [{ name: '', value: '1' }] }),
      run({ command: 'true', env: [{ name: 'A' }] }),
      run({ command: 'true', env: 'A=1' }),
      run({ command: 'true', outputByteLimit: -1 }),
      run({ command: 'true', outputByteLimit: '1' }),
      { terminal: { command: 'printf', args: ['0123456789'], outputByteLimit: 0 } },
      { terminal: { command: 'printf', args: ['12345\u00e9'], outputByteLimit: 3 } },
      { terminal: { command: 'printf', args: ['$(id) `id` ; $HOME'], outputByteLimit: 2 ** 53 } },
    );
  });

  scenario('terminals-of-nobody', {}, async (stage) => {
    const to = (method: string, terminalId: unknown): Step => ({
      request: { method: `terminal/${method}`, params: { sessionId: SESSION, terminalId } },
    });
    await stage.turn(
      { tool: { toolCallId: 't', title: 'Shows one that never was', content: [{ type: 'terminal', terminalId: 'never' }] } },
      ...['output', 'wait_for_exit', 'kill', 'release'].map((method) => to(method, 'never')),
      to('output', 7),
      to('output', undefined),
      { terminal: { command: 'true' } },
      ...['output', 'wait_for_exit', 'kill', 'release'].map((method) => to(method, 'terminal-1')),
    );
  });

  scenario('chunks-in-a-flood', {}, async (stage) => {
    await stage.turn({ repeat: { times: 20_000, steps: [{ say: '${n} ' }] } });
  });

  scenario('tool-calls-in-a-flood', {}, async (stage) => {
    await stage.turn({
      repeat: {
        times: 5_000,
        steps: [
          { tool: { toolCallId: 'call ${n}', title: 'Call ${n}' } },
          { toolUpdate: { toolCallId: 'call ${n}', status: 'completed' } },
        ],
      },
    });
    await stage.turn({ toolUpdate: { toolCallId: 'call 1', title: 'The first again' } });
  });

  const odd = (fields: object): { setup: { initialize: Partial<InitializeResponse> } } => ({ setup: { initialize: fields } });

  scenario(
    'capabilities-of-wrong-types',
    odd({
      agentCapabilities: {
        loadSession: 'yes',
        promptCapabilities: ['image'],
        sessionCapabilities: { close: true, list: 'yes', resume: null },
        auth: 5,
        mcpCapabilities: null,
      },
    }),
    async (stage) => {
      await stage.turn({ say: 'hello' });
    },
  );

  scenario('no-capabilities', odd({ agentCapabilities: null, agentInfo: null, authMethods: null, protocolVersion: '1' }), async (stage) => {
    await stage.turn({ say: 'hello' });
  });

  scenario(
    'agent-of-a-strange-name',
    odd({ agentInfo: { name: '\u202e$(x)\u0000', title: ['Not', 'text'], version: 3 } }),
    async (stage) => {
      await stage.turn({ say: 'hello' });
    },
  );

  const methods = [
    { id: 'plain', name: '$(x) \u202e<b>', description: 7 },
    { name: 'No id' },
    null,
    'oauth',
    { id: 'plain', name: 'Twice' },
    { id: 'term', name: 'Term', type: 'terminal', args: ['--login', 7], env: { A: '1', B: 2 } },
    {
      id: 'vars',
      name: 'Vars',
      type: 'env_var',
      vars: [{ name: 'KEY' }, { name: 'A=B' }, { name: 'LD_PRELOAD', secret: 'no' }, 5],
      link: 'javascript:alert(1)',
    },
    { id: 'future', type: 'retina_scan' },
  ];

  scenario('sign-ins-of-wrong-types', odd({ authMethods: methods }), async (stage) => {
    await stage.turn({ say: 'hello' });
  });
});
