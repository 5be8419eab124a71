/** The servers of files and settings, also of hostile ones. */
import assert from 'node:assert/strict';
import { canonical, parsePlain } from '../../../../src/mcp/config/plainJson';
import { exactText, readServers, type SourceForm, type WrittenServers } from '../../../../src/mcp/config/serverDefinition';

const read = (text: string, form: SourceForm = 'vscode'): WrittenServers => readServers(parsePlain(text), form);
const problems = ({ servers }: WrittenServers): unknown[] => servers.map(({ name, problem }) => [name, problem]);

describe('the servers of an `mcp.json`', () => {
  it('are read with comments, trailing commas and inputs', () => {
    const { servers, inputs } = read(`{
      // Comments
      "servers": {
        "files": { "command": "npx", "args": ["-y", "files", 3], "env": { "A": "1", "B": 2, "C": null }, "envFile": "\${workspaceFolder}/.env", "cwd": "/w" },
        "web": { "type": "http", "url": "https://web.example/mcp", "headers": { "Authorization": "Bearer \${input:token}" }, },
        "events": { "type": "sse", "url": "https://events.example" },
        "plain": { "url": "https://plain.example" },
      },
      "inputs": [
        { "type": "promptString", "id": "token", "description": "The token", "password": true, "default": "x" },
        { "type": "pickString", "id": "pick", "options": ["a", { "label": "B", "value": "b" }] },
        { "type": "command", "id": "run", "command": "evil" },
        { "type": "promptString", "id": "token", "description": "another" },
      ],
    }`);
    assert.deepEqual(
      servers.map(({ definition }) => definition),
      [
        {
          type: 'stdio',
          command: 'npx',
          args: ['-y', 'files', '3'],
          env: { A: '1', B: '2' },
          envFile: '${workspaceFolder}/.env',
          cwd: '/w',
        },
        { type: 'http', url: 'https://web.example/mcp', headers: { Authorization: 'Bearer ${input:token}' } },
        { type: 'sse', url: 'https://events.example', headers: {}, oauth: {} },
        { type: 'http', url: 'https://plain.example', headers: {}, oauth: {} },
      ],
    );
    assert.deepEqual(
      [...inputs.values()],
      [
        { id: 'token', type: 'promptString', description: 'The token', isPassword: true, initial: 'x', options: [] },
        { id: 'pick', type: 'pickString', description: '', isPassword: false, initial: '', options: ['a', 'b'] },
      ],
    );
  });

  it('have the member `mcpServers` in an `.mcp.json`, and none in a setting', () => {
    const one = '{"command": "x"}';
    assert.deepEqual(problems(read(`{"mcpServers": {"a": ${one}}, "servers": {"b": ${one}}}`, 'claude')), [['a', undefined]]);
    assert.deepEqual(problems(read(`{"a": ${one}}`, 'setting')), [['a', undefined]]);
    assert.deepEqual(read('{}').servers, []);
  });

  it('have a sign-in unless the file leaves it to the agent, or has a header for it', () => {
    const oauth = { clientId: 'me', clientSecret: '${input:secret}', scopes: ['a', 'b'], callbackPort: 8080 };
    const { servers } = read(`{"servers": {
      "own": {"url": "https://a", "oauth": ${JSON.stringify(oauth)}}, "text": {"url": "https://a", "oauth": {"scope": "a  b"}},
      "agent": {"url": "https://a", "oauth": false}, "header": {"url": "https://a", "headers": {"authorization": "x"}},
      "wrong": {"url": "https://a", "oauth": "x"}, "port": {"url": "https://a", "oauth": {"callbackPort": 0}},
      "scopes": {"url": "https://a", "oauth": {"scopes": ["a b"]}}
    }}`);
    assert.deepEqual(
      servers.map(({ definition, problem }) => problem ?? (definition && 'oauth' in definition ? definition.oauth : undefined)),
      [oauth, { scopes: ['a', 'b'] }, undefined, undefined, 'oauth', 'oauth.callbackPort', 'oauth.scopes'],
    );
  });

  it('are checked one by one', () => {
    const file = read(`{"servers": {
      "good": {"command": "x"}, "none": {}, "list": [], "text": "x", "args": {"command": "x", "args": "y"}, "arg": {"command": "x", "args": [{}]},
      "env": {"command": "x", "env": {"A=B": "c"}}, "value": {"command": "x", "env": {"A": []}}, "type": {"type": "ws", "url": "x"},
      "url": {"type": "http"}, "header": {"url": "https://a", "headers": {"A": "b\\r\\nC: d"}}, "nul": {"command": "a\\u0000b"}, "off": {"command": "x", "disabled": true}
    }}`);
    assert.deepEqual(problems(file), [
      ['good', undefined],
      ['none', 'command'],
      ['list', 'definition'],
      ['text', 'definition'],
      ['args', 'args'],
      ['arg', 'args'],
      ['env', 'env.A=B'],
      ['value', 'env.A'],
      ['type', 'type'],
      ['url', 'url'],
      ['header', 'headers.A'],
      ['nul', 'command'],
      ['off', undefined],
    ]);
    assert.deepEqual(
      file.servers.filter(({ isDisabled }) => isDisabled).map(({ name }) => name),
      ['off'],
    );
  });

  it('refuse names that are empty, long or misleading', () => {
    const names = ['', ' ', 'a'.repeat(201), 'a\\nb', 'a\\u202eb', 'a\\u200bb', 'a\\u0007b'];
    const { servers } = read(`{"servers": {${names.map((name) => `"${name}": {"command": "x"}`).join(',')}}}`);
    assert.deepEqual(
      servers.map(({ problem }) => problem),
      names.map(() => 'name'),
    );
  });

  it('have own members only', () => {
    const { servers } = read(
      `{"servers": {"__proto__": {"command": "evil"}, "a": {"__proto__": {"command": "evil", "args": ["x"]}}}, "inputs": {}}`,
    );
    assert.deepEqual(problems({ servers } as WrittenServers), [['a', 'command']]);
    assert.equal((servers[0] as { definition?: unknown }).definition, undefined);
    assert.equal(({} as { command?: unknown }).command, undefined);
    assert.deepEqual(problems(read(`{"__proto__": {"servers": {"a": {"command": "evil"}}}}`)), []);
    const { servers: named } = read(
      '{"servers": {"constructor": {"command": "x"}, "toString": {"command": "y", "env": {"hasOwnProperty": "z"}}}}',
    );
    assert.deepEqual(
      named.map(({ name, definition }) => [name, definition?.type]),
      [
        ['constructor', 'stdio'],
        ['toString', 'stdio'],
      ],
    );
  });

  it('take the last of two members with the same name, in the text that the user agrees to as well', () => {
    const { servers, rawInputs } = read('{"servers": {"a": {"command": "good"}, "a": {"command": "evil"}}}');
    assert.equal(servers.length, 1);
    assert.equal(exactText(servers[0]!, rawInputs), '"a":{"command":"evil"}');
  });

  for (const [title, text] of [
    ['is broken', '{"servers": {'],
    ['is empty', ''],
    ['is a list', '[]'],
    ['has a list of servers', '{"servers": []}'],
    ['is too deep', '['.repeat(200_000) + ']'.repeat(200_000)],
    ['has too many levels', `{"servers": {"a": ${'['.repeat(30)}${']'.repeat(30)}}}`],
    ['is too large', `{"servers": {"a": "${'x'.repeat(1_000_001)}"}}`],
    ['has too many values', `{"servers": {"a": [${'1,'.repeat(30_000)}1]}}`],
    ['has too many servers', `{"servers": {${Array.from({ length: 101 }, (_, index) => `"${index}": {"command": "x"}`).join(',')}}}`],
  ] as const) {
    it(`cannot be read from a file that ${title}`, () => {
      assert.throws(() => read(text), Error);
    });
  }
});

describe('the exact text of a server', () => {
  it('differs for any change, also of an input, and not for another order', () => {
    const textOf = (text: string): string => {
      const { servers, rawInputs } = read(text);
      return exactText(servers[0]!, rawInputs);
    };
    const input = (description: string): string =>
      `"inputs": [{"id": "t", "type": "promptString", "description": "${description}"}, {"id": "u"}]`;
    const one = textOf(`{"servers": {"a": {"command": "x", "args": ["\${input:t}"]}}, ${input('one')}}`);
    assert.equal(textOf(`{${input('one')}, "servers": {"a": {"args": ["\${input:t}"], "command": "x"}}}`), one);
    assert.notEqual(textOf(`{"servers": {"a": {"command": "x", "args": ["\${input:t}"]}}, ${input('two')}}`), one);
    assert.notEqual(textOf(`{"servers": {"a": {"command": "x", "args": ["\${input:t}"], "dev": {}}}, ${input('one')}}`), one);
    assert.equal(canonical(parsePlain('{"b": [1, null], "a": "\\u00e4"}')), '{"a":"ä","b":[1,null]}');
  });
});
