/** Servers with their variables replaced, as the agent gets them. */
import assert from 'node:assert/strict';
import type { McpServer } from '../../../../src/core/mcp/mcpServer';
import { parseEnvFile } from '../../../../src/mcp/config/envFile';
import { LeftOutError, type ResolveContext, resolveServer } from '../../../../src/mcp/config/resolveServer';
import type { ServerDefinition, StdioDefinition } from '../../../../src/mcp/config/serverDefinition';
import type { VariableValues } from '../../../../src/mcp/config/variables';

const ENVIRONMENT: Record<string, string> = { TOKEN: 'env-token', NESTED: '${env:TOKEN}', EMPTY: '' };

const VALUES: VariableValues = {
  form: 'vscode',
  environment: (name) => (Object.hasOwn(ENVIRONMENT, name) ? ENVIRONMENT[name] : undefined),
  workspaceFolder: '/w',
  folders: new Map([['lib', '/lib']]),
  userHome: '/home/me',
  pathSeparator: '/',
  hasInput: (id) => id !== 'other',
  input: (id) => (id === 'key' ? { value: 'secret-${env:TOKEN}', isPassword: true } : undefined),
};

const CONTEXT: ResolveContext = {
  values: VALUES,
  sessionFolder: '/w',
  baseFolder: '/w',
  platform: 'linux',
  readFile: async (file) => {
    if (file !== '/w/.env') {
      throw new Error('ENOENT');
    }
    return 'FROM_FILE=1\nBOTH=file';
  },
  findProgram: async (command, folder) =>
    command.startsWith('missing')
      ? undefined
      : command.startsWith('/')
        ? command
        : command.startsWith('./')
          ? folder + command.slice(1)
          : `/bin/${command}`,
};

const stdio = (members: Partial<StdioDefinition>): StdioDefinition => ({ type: 'stdio', command: 'x', args: [], env: {}, ...members });
const resolve = (definition: ServerDefinition, context: Partial<ResolveContext> = {}): Promise<McpServer> =>
  resolveServer('A', definition, { ...CONTEXT, ...context });
const leftOut = async (definition: ServerDefinition, context?: Partial<ResolveContext>): Promise<unknown> => {
  try {
    return await resolve(definition, context);
  } catch (error) {
    assert.ok(error instanceof LeftOutError, String(error));
    return [error.reason, error.detail];
  }
};

describe('a server for an agent', () => {
  it('has an absolute program and the values of its variables', async () => {
    const args = [
      '${workspaceFolder}',
      '${workspaceFolder:lib}',
      '${userHome}${/}a${pathSeparator}b',
      '${env:TOKEN}',
      '--key=${input:key}',
      '$X ${',
    ];
    assert.deepEqual(await resolve(stdio({ args, env: { A: '${env:NESTED}' } })), {
      type: 'stdio',
      name: 'A',
      command: '/bin/x',
      args: ['/w', '/lib', '/home/me/a/b', 'env-token', '--key=secret-${env:TOKEN}', '$X ${'],
      env: { A: '${env:TOKEN}' },
      inserted: [
        { name: 'TOKEN', value: 'env-token', isPassword: false },
        { name: 'key', value: 'secret-${env:TOKEN}', isPassword: true },
        { name: 'NESTED', value: '${env:TOKEN}', isPassword: false },
      ],
    });
    assert.deepEqual(await resolve(stdio({ env: { A: '${env:EMPTY}' } })), {
      type: 'stdio',
      name: 'A',
      command: '/bin/x',
      args: [],
      env: { A: '' },
      inserted: [{ name: 'EMPTY', value: '', isPassword: false }],
    });
  });

  it('has variables in its address and headers', async () => {
    assert.deepEqual(await resolve({ type: 'http', url: 'https://${env:TOKEN}.example/', headers: { A: 'Bearer ${input:key}' } }), {
      type: 'http',
      name: 'A',
      url: 'https://env-token.example/',
      headers: { A: 'Bearer secret-${env:TOKEN}' },
      inserted: [
        { name: 'TOKEN', value: 'env-token', isPassword: false },
        { name: 'key', value: 'secret-${env:TOKEN}', isPassword: true },
      ],
    });
  });

  for (const variable of [
    'env:MISSING',
    'env:__proto__',
    'env:',
    'workspaceFolder:none',
    'userHome:x',
    'command:evil',
    'config:a',
    'input:other',
    'TOKEN',
    '',
  ]) {
    it(`is left out for \${${variable}}`, async () => {
      assert.deepEqual(await leftOut(stdio({ args: [`\${${variable}}`] })), ['variable_unknown', `\${${variable}}`]);
    });
  }

  it('is left out without a folder, and for an input without a value', async () => {
    const { workspaceFolder: _, ...others } = VALUES;
    assert.deepEqual(await leftOut(stdio({ args: ['${workspaceFolder}'] }), { values: { ...others, workspaceFolder: undefined } }), [
      'variable_unknown',
      '${workspaceFolder}',
    ]);
    assert.deepEqual(await leftOut(stdio({ env: { A: '${input:later}' } })), ['input_missing', 'later']);
  });

  it('has shell variables in an `.mcp.json`', async () => {
    const claude = { values: { ...VALUES, form: 'claude' as const } };
    const server = await resolve(stdio({ args: ['${TOKEN}', '${MISSING:-default}', '${MISSING:-}', '${env:TOKEN}'] }), claude);
    assert.deepEqual(server.type === 'stdio' && server.args, ['env-token', 'default', '', 'env-token']);
    assert.deepEqual(await leftOut(stdio({ args: ['${MISSING}'] }), claude), ['variable_unknown', '${MISSING}']);
  });

  it('has the variables of its file below its own', async () => {
    const server = await resolve(stdio({ envFile: '${workspaceFolder}/.env', env: { BOTH: 'own' } }));
    assert.deepEqual(server.type === 'stdio' && server.env, { FROM_FILE: '1', BOTH: 'own' });
    assert.deepEqual(await leftOut(stdio({ envFile: 'none' })), ['unreadable', 'none']);
  });

  it('is left out when its program does not exist', async () => {
    assert.deepEqual(await leftOut(stdio({ command: 'missing-${env:TOKEN}' })), ['not_found', 'missing-${env:TOKEN}']);
  });

  it('starts in its own folder, by a shell whose script is constant', async () => {
    assert.deepEqual(await resolve(stdio({ cwd: 'sub', args: ['a; b'] })), {
      type: 'stdio',
      name: 'A',
      command: '/bin/sh',
      args: ['-c', 'cd -- "$1" && shift && exec "$@"', 'sh', '/w/sub', '/bin/x', 'a; b'],
      env: {},
    });
    const same = await resolve(stdio({ cwd: '${workspaceFolder}', command: './x' }));
    assert.deepEqual(same.type === 'stdio' && [same.command, same.args], ['/w/x', []]);
    assert.deepEqual(await leftOut(stdio({ cwd: 'sub' }), { platform: 'win32' }), ['invalid', 'cwd']);
  });

  for (const url of ['ftp://a', 'javascript:alert(1)', 'https://', 'file:///etc/passwd', 'https://a b', 'https://a\nb']) {
    it(`is left out for the address ${JSON.stringify(url)}`, async () => {
      assert.deepEqual(await leftOut({ type: 'http', url, headers: {} }), ['invalid', 'url']);
    });
  }

  it('is left out when a value would add a header', async () => {
    const values = { ...VALUES, input: () => ({ value: 'a\r\nHost: evil', isPassword: false }) };
    assert.deepEqual(await leftOut({ type: 'sse', url: 'https://a', headers: { A: '${input:key}' } }, { values }), [
      'invalid',
      'headers.A',
    ]);
  });
});

describe('a file of variables', () => {
  it('has names and values, quoted or not', () => {
    const text =
      '\uFEFFA=1\r\n# B=2\nexport C = "a \\"b\\"\\nc" # end\nD=\'x # y\'\nE=a # comment\nF=a#b\nnot a line\n__proto__=x\nG=\nH="open';
    const start = performance.now();
    const blanks = ' '.repeat(150_000);
    assert.deepEqual(parseEnvFile(`A=a${blanks}b\nB=a${blanks}#b${blanks}`), { A: `a${blanks}b`, B: 'a' });
    assert.ok(performance.now() - start < 4000);
    assert.deepEqual(parseEnvFile(text), { A: '1', C: 'a "b"\nc', D: 'x # y', E: 'a', F: 'a#b', G: '', H: '"open' });
  });
});
