import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { foreignAgents } from '../../../../../src/application/agents/import/foreignAgents';
import { clientFiles, type ForeignSource, importFiles } from '../../../../../src/application/agents/import/importFiles';
import { importAgentRows, leftAgentsText, secretVariables, withImported } from '../../../../../src/application/agents/import/importRows';
import { parsePlain } from '../../../../../src/mcp/config/plainJson';
import { english } from '../../english';

const of = (text: string, form: Parameters<typeof foreignAgents>[1]) => foreignAgents(parsePlain(text), form, '/home/me');

describe('the agents of other clients', () => {
  it('are read from the form of Zed and JetBrains', () => {
    const { agents, left } = of(
      `{
        // A comment, and a trailing comma.
        "Mine": { "type": "custom", "command": "~/bin/mine", "args": ["--acp"], "env": { "A": "1" } },
        "Old": { "command": { "path": "old", "args": ["x"] } },
        "claude-acp": { "type": "registry", "env": { "CLAUDE_CODE_EXECUTABLE": "/x" } },
        "Far": { "url": "https://far.example" },
        "Relative": { "command": "./here" },
        "Text": "x",
      }`,
      'servers',
    );
    assert.deepEqual(agents, [
      { name: 'Mine', entry: { command: '/home/me/bin/mine', args: ['--acp'], env: { A: '1' } } },
      { name: 'Old', entry: { command: 'old', args: ['x'] } },
    ]);
    assert.deepEqual(
      left.map(({ name, reason }) => [name, reason]),
      [
        ['claude-acp', 'registry'],
        ['Far', 'remote'],
        ['Relative', 'invalid'],
        ['Text', 'invalid'],
      ],
    );
  });

  it('are read from the list of VS Code', () => {
    const text =
      '[{ "id": "qwen", "displayName": "Qwen", "command": "npx", "args": ["q"] }, { "id": "b", "name": "B", "command": "b" }, { "id": "c" }]';
    const { agents, left } = of(text, 'list');
    assert.deepEqual(agents, [
      { name: 'Qwen', entry: { command: 'npx', args: ['q'] } },
      { name: 'B', entry: { command: 'b' } },
    ]);
    assert.deepEqual(left, [{ name: 'c', reason: 'invalid' }]);
  });

  it('are read from a registry of Devin beside entries with odd names', () => {
    const distribution = { npx: { package: 'n@1.0.0' } };
    const names = [{ name: { x: 1 }, id: 'a' }, { name: ['b'], id: {} }, { name: 5 }, { name: ' ', id: 'd' }];
    const { agents, left } = of(JSON.stringify({ agents: names.map((name) => ({ ...name, distribution })) }), 'registry');
    assert.deepEqual(
      [agents.map(({ name }) => name), left.map(({ name }) => name)],
      [
        ['a', 'd'],
        ['', ''],
      ],
    );
  });

  it('are read from the registry of Devin, without its archives', () => {
    const npx = { id: 'n', name: 'N', distribution: { npx: { package: 'n@1.0.0', args: ['--acp'], env: { A: '1' } } } };
    const uvx = { id: 'u', distribution: { uvx: { package: 'u@1' } } };
    const binary = { id: 'b', name: 'B', distribution: { binary: { 'linux-x86_64': { archive: 'https://b', cmd: './b' } } } };
    const { agents, left } = of(JSON.stringify({ version: '1', agents: [npx, uvx, binary, 1] }), 'registry');
    assert.deepEqual(agents, [
      { name: 'N', entry: { command: 'npx', args: ['--yes', 'n@1.0.0', '--acp'], env: { A: '1' } } },
      { name: 'u', entry: { command: 'uvx', args: ['u@1'] } },
    ]);
    assert.deepEqual(
      left.map(({ reason }) => reason),
      ['archive', 'invalid'],
    );
  });

  it('are not read from values of another form', () => {
    for (const form of ['servers', 'list', 'registry'] as const) {
      for (const text of ['1', 'null', '"x"', '[]', '{}', '{"agents": {}}']) {
        assert.deepEqual(of(text, form).agents, []);
      }
    }
  });
});

describe('the files of other clients', () => {
  let home: string;
  beforeEach(() => {
    home = mkdtempSync(path.join(os.tmpdir(), 'import-'));
  });
  afterEach(() => rmSync(home, { recursive: true }));

  const write = (file: string, text: string): void => {
    mkdirSync(path.dirname(path.join(home, file)), { recursive: true });
    writeFileSync(path.join(home, file), text);
  };
  const read = (workspaceFolders: readonly string[] = []) =>
    importFiles({ home, environment: {}, platform: 'linux', workspaceFolders, log: { debug: () => undefined } });

  it('are read from the home folder, and a broken one costs only itself', async () => {
    write('.config/zed/settings.json', '{ "agent_servers": { "Z": { "command": "z" } }, "theme": "x" } // end');
    write('.jetbrains/acp.json', '{ "agent_servers": ');
    write('.windsurf/acp/registry.json', '{ "agents": [] }');
    const found = await read();
    assert.deepEqual(
      found.map(({ client, agents, problem }) => [client, agents.length, problem !== undefined]),
      [
        ['Zed', 1, false],
        ['JetBrains', 0, true],
        ['Devin', 0, false],
      ],
    );
  });

  it('are left out when a workspace has them', async () => {
    write('w/acp.json', '{ "agent_servers": { "E": { "command": "evil" } } }');
    mkdirSync(path.join(home, '.jetbrains'));
    symlinkSync(path.join(home, 'w/acp.json'), path.join(home, '.jetbrains/acp.json'));
    assert.equal((await read()).length, 1);
    assert.deepEqual(await read([path.join(home, 'w')]), []);
  });

  it('have their place on each platform', () => {
    const files = (platform: NodeJS.Platform, environment: Record<string, string>) =>
      clientFiles({ home: platform === 'win32' ? 'C:\\Users\\me' : '/me', environment, platform }).map(({ file }) => file);
    assert.equal(files('win32', { APPDATA: 'D:\\Data' })[0], 'D:\\Data\\Zed\\settings.json');
    assert.equal(files('darwin', {})[0], '/me/.config/zed/settings.json');
    assert.deepEqual(files('linux', { XDG_CONFIG_HOME: '/c' }).slice(0, 2), [
      '/c/zed/settings.json',
      '/me/.var/app/dev.zed.Zed/config/zed/settings.json',
    ]);
  });
});

describe('the rows of an import', () => {
  const source = (client: string, agents: ForeignSource['agents']): ForeignSource => ({ client, place: `/${client}`, agents, left: [] });
  const entry = { command: 'a', args: ['--api-key', 'hunter2'], env: { API_TOKEN: 'hunter3', REGION: 'eu' } };

  it('name secrets without their values', () => {
    const [row] = importAgentRows([source('Zed', [{ name: 'A', entry }])], {}, [], true, english);
    assert.equal(row!.description, 'Zed · Variables: API_TOKEN (secret), REGION');
    assert.doesNotMatch(JSON.stringify([row!.label, row!.description, row!.detail]), /hunter/);
    assert.match(row!.detail, /a --api-key .* · \/Zed/);
    assert.deepEqual(secretVariables(entry), ['API_TOKEN']);
  });

  it('have keys that replace no other agent, and leave out entries that are there', () => {
    const agent = (name: string, command: string) => ({ name, entry: { command } });
    const sources = [
      source('Zed', [agent('Goose', 'goose-z'), agent('Same', 'same'), agent('Had', 'had')]),
      source('JetBrains', [agent('Goose', 'goose-j'), agent('Other name', 'same'), agent('Goose (Zed)', 'x')]),
    ];
    const rows = importAgentRows(sources, { Mine: { command: 'had', args: [] } }, ['Goose'], true, english);
    assert.deepEqual(
      rows.map(({ key, entry: { command } }) => [key, command]),
      [
        ['Goose (Zed)', 'goose-z'],
        ['Same', 'same'],
        ['Goose (JetBrains)', 'goose-j'],
        ['Goose (Zed) (JetBrains)', 'x'],
      ],
    );
  });

  it('are added to the setting, with secrets only when the user wants that', () => {
    const rows = [{ key: 'A', entry }];
    assert.deepEqual(withImported({ B: null }, rows, true), { B: null, A: entry });
    assert.deepEqual(withImported(undefined, rows, false), { A: { command: 'a', args: entry.args, env: { REGION: 'eu' } } });
    assert.deepEqual(withImported({ A: { command: 'mine' } }, rows, true), { A: { command: 'mine' } });
    assert.equal(withImported('x', rows, true), undefined);
  });

  it('are followed by the entries that cannot be imported', () => {
    const left = { ...source('Zed', []), left: [{ name: 'R', reason: 'registry' as const }], problem: 'broken' };
    assert.deepEqual(leftAgentsText([left], english), [
      "Zed: /Zed can't be read: broken",
      'Zed: R (has no command; it comes from a registry)',
    ]);
  });
});
