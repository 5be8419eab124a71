/** Tool calls: runs of reads and searches, and cards with every kind of argument, output, change and title. */
import type { ToolContent } from '../../src/core/model/content';
import type { EventInput, ToolCallPatch } from '../../src/core/model/event';

const FOLDER = '/home/ada/sample';

export function toolCards(): EventInput[] {
  return [
    { type: 'turn_started', turnId: 'tools' },
    said('user', 'Find out how greetings are made, and tidy up.'),
    ...runs(),
    ...outputs(),
    ...changes(),
    ...titles(),
    { type: 'turn_ended', turnId: 'tools', stopReason: 'end_turn' },
  ];
}

/** Consecutive reads and searches. A failed one has its own line. */
export function runs(): EventInput[] {
  return [
    ...['greet.ts', 'index.ts', 'words/english.ts', 'words/german.ts'].map((file) => read(file)),
    call('find', { title: 'Find `**/*.test.ts`', kind: 'search', status: 'completed' }),
    thought('The tests are all in one folder.'),
    call('grep', { title: 'grep "greet("', kind: 'search', status: 'completed', rawOutput: { matches: 4 } }),
    read('missing.ts', { status: 'failed', content: [text('ENOENT: no such file or directory')] }),
    read('package.json'),
    read('tsconfig.json'),
    said('agent', 'There is one greeting, and four who use it.'),
    read('a.ts'),
    read('b.ts'),
    read('words/a-rather-long-name-for-a-file-of-words-that-nobody-reads.ts', { status: 'in_progress' }),
  ];
}

function outputs(): EventInput[] {
  return [
    said('agent', 'Now the rest.'),
    call('arguments', {
      title: 'Call the issue tracker',
      name: 'mcp__tracker__create',
      kind: 'other',
      status: 'completed',
      rawInput: {
        title: 'Greeting is not polite',
        labels: ['bug', 'words'],
        priority: 2,
        urgent: false,
        assignee: null,
        body: 'It says\n\n    Hello, world\n\neven to Ada.',
        fields: { component: { name: 'greet', owner: { team: 'words' } } },
      },
      rawOutput: { id: 4711, url: 'https://tracker.example/4711' },
      content: [text('{"id":4711,"url":"https://tracker.example/4711","labels":["bug","words"]}')],
    }),
    call('markdown', {
      title: 'Ask the documentation',
      kind: 'fetch',
      status: 'completed',
      content: [
        text('## Greetings\n\n- **Hello** is for friends.\n- *Good day* is for others.\n\n| word | polite |\n|---|---|\n| Hi | no |'),
      ],
    }),
    call('failed', {
      title: 'Edit src/index.ts',
      kind: 'edit',
      status: 'failed',
      locations: [{ path: `${FOLDER}/src/index.ts`, line: 12 }],
      content: [
        modify('src/index.ts', 'export * from "./greet";\n', 'export * from "./greeting";\n'),
        text('String to replace not found in file: export * from "./greets"'),
      ],
      rawInput: { file_path: `${FOLDER}/src/index.ts`, old_string: 'export * from "./greets"', new_string: 'export * from "./greeting"' },
    }),
    call('plainly', { title: 'Search the web', kind: 'search', status: 'failed' }),
    call('served', { title: 'npm run dev', kind: 'execute', status: 'background' }),
    call('broken off', { title: 'npm run build', kind: 'execute', status: 'unfinished' }),
    call('cut', {
      title: 'Delete the old words',
      kind: 'delete',
      status: 'cancelled',
      locations: [{ path: `${FOLDER}/src/words/old.ts` }],
    }),
  ];
}

function changes(): EventInput[] {
  const before = ['function greet(name: string) {', "  const words = 'Hello, ' + name;", '  return words;', '}', ''].join('\n');
  const after = [
    'function greet(person: string) {',
    '  // Polite to everybody.',
    "  const words = 'Good day, ' + person;",
    '  return words;',
    '}',
    '',
  ].join('\n');
  return [
    call('several', {
      title: 'Rename name to person',
      kind: 'edit',
      status: 'completed',
      content: [
        modify('src/greet.ts', before, after),
        {
          type: 'diff',
          changes: [
            { operation: 'add', path: `${FOLDER}/src/words/french.ts`, oldText: null, newText: "export const hello = 'Bonjour';\n" },
          ],
        },
        {
          type: 'diff',
          changes: [{ operation: 'delete', path: `${FOLDER}/src/words/old.ts`, oldText: "export const hello = 'Hail';\n", newText: '' }],
        },
        {
          type: 'diff',
          changes: [
            {
              operation: 'move',
              path: `${FOLDER}/src/words/en.ts`,
              oldPath: `${FOLDER}/src/words/english.ts`,
              oldText: "export const hello = 'Hello';\n",
              newText: "export const hello = 'Hello';\n",
            },
          ],
        },
      ],
    }),
    call('passage', {
      title: 'Edit src/long.ts',
      kind: 'edit',
      status: 'completed',
      locations: [{ path: `${FOLDER}/src/long.ts`, line: 217 }],
      content: [modify('src/long.ts', "  return 'früher';", "  return 'später';")],
    }),
    call('nowhere', {
      title: 'Edit src/other.ts',
      kind: 'edit',
      status: 'completed',
      content: [modify('src/other.ts', 'return a - b;', 'return a + b;')],
    }),
  ];
}

function titles(): EventInput[] {
  return [
    call('bare', {
      title: 'edit',
      kind: 'edit',
      status: 'completed',
      content: [
        {
          type: 'diff',
          changes: [
            {
              operation: 'modify',
              path: `${FOLDER}/src/calc.js`,
              oldText: 'export function add(a, b) {\n  return a - b;\n}\n',
              newText: 'export function add(a, b) {\n  return a + b;\n}\n',
              line: 41,
            },
          ],
        },
      ],
      rawInput: { path: `${FOLDER}/src/calc.js`, old_string: 'return a - b;', new_string: 'return a + b;' },
    }),
    { type: 'terminal_update', terminalId: 'tools-term', ours: true, command: 'npm test -- --reporter dot' },
    { type: 'terminal_output', terminalId: 'tools-term', text: '12 passing (40ms)\r\n' },
    { type: 'terminal_update', terminalId: 'tools-term', exitStatus: { exitCode: 0 }, released: true },
    call('command', {
      title: '`npm test -- --reporter dot`',
      kind: 'execute',
      status: 'completed',
      content: [{ type: 'terminal', terminalId: 'tools-term' }],
      rawInput: { command: 'npm test -- --reporter dot', description: 'Runs the tests', timeout: 60_000 },
      rawOutput: { exitCode: 0, output: '12 passing (40ms)' },
    }),
    said(
      'agent',
      'The sum was wrong in src/calc.js:42; see also `Makefile`, README.md and src/missing.js. Try it:\n\n```bash\n$ npm test\n12 passing\n```',
    ),
    call('ticks', { title: '`ls -la`', kind: 'execute', status: 'completed', content: [text('total 8\ndrwxr-xr-x 2 ada ada 4096 src')] }),
    call('long', {
      title: `Look into ${FOLDER}/src and ${'every one of its folders, '.repeat(12)}and then stop`,
      kind: 'think',
      status: 'completed',
    }),
    call('rtl', { title: 'قراءة الملف src/greet.ts', kind: 'other', status: 'pending' }),
    call('nameless', { name: 'mcp__demo__silent', kind: 'other', status: 'in_progress' }),
  ];
}

function call(toolCallId: string, patch: ToolCallPatch): EventInput {
  return { type: 'tool_call_update', toolCallId: `tools-${toolCallId}`, patch };
}

function read(file: string, patch: ToolCallPatch = {}): EventInput {
  const path = `${FOLDER}/src/${file}`;
  return call(file, {
    title: `Read ${path}`,
    kind: 'read',
    status: 'completed',
    locations: [{ path }],
    content: [text(`// ${file}\n`)],
    ...patch,
  });
}

function modify(file: string, oldText: string, newText: string): ToolContent {
  return { type: 'diff', changes: [{ operation: 'modify', path: `${FOLDER}/${file}`, oldText, newText }] };
}

function text(words: string): ToolContent {
  return { type: 'content', content: { type: 'text', text: words } };
}

function said(role: 'user' | 'agent', text: string): EventInput {
  return { type: 'message', role, messageId: `tools-${text}`, content: [{ type: 'text', text: text }] };
}

function thought(text: string): EventInput {
  return { type: 'message', role: 'thought', messageId: `tools-${text}`, content: [{ type: 'text', text: text }] };
}
