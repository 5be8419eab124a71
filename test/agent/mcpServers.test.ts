/** The user's MCP servers reach an agent with their values, and the values reach no file of ours. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { exportLines } from '../../src/acp/trace/exportLines';
import { Traces } from '../../src/acp/trace/traces';
import { KnownSecrets } from '../../src/application/agents/knownSecrets';
import { markdownPieces } from '../../src/application/export/exportLines';
import { transcriptStrings } from '../../src/application/export/transcriptStrings';
import { ServerSignIns } from '../../src/application/mcp/serverSignIns';
import { serversOf } from '../../src/application/mcp/userServers';
import type { Log } from '../../src/core/platform/log';
import { isAbsent } from '../../src/core/model/state';
import { PermissionPromptQueue } from '../../src/session/permission/promptQueue';
import { Sessions } from '../../src/session/sessions';
import { SessionStorage } from '../../src/session/storage/sessionStorage';
import { systemClock } from '../../src/util/clock';
import { connector } from '../../src/workbench/agents/connector';
import { signInAt } from '../support/browserSignIn';
import { expectNoChildren } from '../support/leaks';
import { type Provider, startProvider } from '../support/oauthProvider.mjs';
import { NOBODY } from '../support/scenario/stageOptions';
import { english } from '../unit/application/english';
import { FakeSecrets, FakeStorage, mcpJson, userServers } from '../unit/application/mcp/fakes';

const AGENT = path.resolve('test/agent/scripted/mcpEcho.mjs');
const PASSWORD = 'pa55-plum-tree';
const HEADER = 'Bearer header-plum-tree';

describe('the MCP servers of the user', function () {
  this.timeout(60_000);
  let cwd: string;
  let provider: Provider;

  beforeEach(async () => {
    cwd = await realpath(await mkdtemp(path.join(tmpdir(), 'mcp-servers-')));
    provider = await startProvider();
  });
  afterEach(async () => {
    await provider.close();
    await rm(cwd, { recursive: true, force: true });
    await expectNoChildren();
  });

  it('reach the agent with their values, which are in no journal, trace, log or export', async () => {
    const work = path.join(cwd, 'work');
    await mkdir(path.join(work, '.vscode'), { recursive: true });
    const input = { id: 'key', type: 'promptString', description: 'Key', password: true };
    const profile = mcpJson(
      {
        local: { command: 'local', args: ['--key', '${input:key}', '--short=${input:key}'], env: { A: 'x-${input:key}' } },
        remote: { url: 'https://mcp.example/${input:key}/?k=${input:key}', headers: { Authorization: HEADER } },
        events: { type: 'sse', url: 'https://events.example' },
        plums: { url: provider.url },
      },
      [input],
    );
    const evil = mcpJson({ evil: { command: path.join(work, 'evil.sh') } });
    await writeFile(path.join(work, '.vscode', 'mcp.json'), evil);
    await writeFile(path.join(work, 'evil.sh'), `#!/bin/sh\ntouch ${work}/started\n`, { mode: 0o755 });
    const storage = new FakeStorage();
    const changed = (): void => undefined;
    const signIns = new ServerSignIns({
      secrets: new FakeSecrets(),
      storage,
      clock: systemClock,
      fetch: (url, init) => fetch(url, init),
      changed,
    });
    const plums = { type: 'http', name: 'plums', url: provider.url, headers: {} } as const;
    const credentials = await signInAt(plums, Date.now);
    await signIns.keep({ sourceId: 'profile', name: 'plums', server: plums, oauth: {} }, credentials);
    const user = userServers(
      { '/user/mcp.json': profile, [path.join(work, '.vscode', 'mcp.json')]: evil },
      { folders: [{ name: 'work', path: work }] },
      { signIns },
    );
    await user.inputs.keep({ sourceId: 'profile', id: 'key' }, PASSWORD);

    const logged: string[] = [];
    const write = (message: string): void => void logged.push(message);
    const log: Log = { debug: write, info: write, warn: write, error: write };
    const folder = path.join(cwd, 'store');
    const journals = new SessionStorage({ root: folder, earlier: { globalStorage: cwd }, maxBytes: () => Infinity, log });
    const traces = new Traces(systemClock);
    const known = new KnownSecrets();
    const deps = { clock: systemClock, log, environment: process.env };
    const none = { agentId: 'D', agentName: 'D', command: 'none', args: ['none'], env: {} };
    const sessions = new Sessions({
      ...deps,
      permissions: new PermissionPromptQueue(NOBODY, systemClock),
      journals,
      trust: { isRestricted: () => false, check: (_: unknown, settled: (failure: undefined) => void) => settled(undefined) },
      mintKey: () => 'session-1',
      secretsOf: (agentId: string) => known.of(agentId),
      servers: {
        isActive: () => true,
        resolve: async (request: Parameters<typeof user.servers.plan>[0]) => serversOf(await user.servers.plan(request)),
        ended: () => undefined,
      },
      connect: connector({
        ...deps,
        launchFolders: (_, at) => ({ cwd: at }),
        demo: none,
        version: '0',
        traces,
        valuesOf: () => ({}),
        keepSecret: (name, values) => known.add(name, values),
      }),
    } as never);
    const launch = { agentId: 'Echo', agentName: 'Echo', command: process.execPath, args: [AGENT], env: {} };
    const session = sessions.create(launch, { cwd: work, additionalDirectories: [], mcpServers: [] });
    const until = async (what: string, holds: () => boolean): Promise<void> => {
      for (let tries = 0; !holds(); tries++) {
        assert.ok(tries < 1500, `waited for ${what}: ${JSON.stringify(session.store.state.failure)}`);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    };
    await until('the session', () => session.store.state.status === 'ready');
    assert.equal(session.prompt([{ type: 'text', text: 'go' }]), undefined);
    await until('the answer', () => session.store.state.turn === undefined);
    await sessions.flush();

    const { state } = session.store;
    const entries = state.entries.slice().flatMap((entry) => (isAbsent(entry) ? [] : entry));
    const said = entries.flatMap((entry) => (entry.kind === 'message' && entry.role === 'agent' ? entry.content : []));
    assert.deepEqual(JSON.parse(said.map((block) => (block.type === 'text' ? block.text : '')).join('')), [
      {
        name: 'local',
        command: '/bin/local',
        args: ['--key', PASSWORD, `--short=${PASSWORD}`],
        env: [{ name: 'A', value: `x-${PASSWORD}` }],
      },
      {
        type: 'http',
        name: 'remote',
        url: `https://mcp.example/${PASSWORD}/?k=${PASSWORD}`,
        headers: [{ name: 'Authorization', value: HEADER }],
      },
      {
        type: 'http',
        name: 'plums',
        url: provider.url,
        headers: [{ name: 'Authorization', value: `Bearer ${credentials.tokens.access_token}` }],
      },
    ]);
    assert.deepEqual(
      entries.flatMap((entry) =>
        entry.kind === 'notice' && entry.failure ? [[entry.failure.code, entry.failure.params?.['servers']]] : [],
      ),
      [
        ['mcp.unsupported', 'events'],
        ['mcp.not_agreed', 'evil'],
      ],
    );
    assert.ok(!(await readdir(work)).includes('started'), 'the workspace starts nothing unasked');

    const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
    const texts = await Promise.all(
      files.map(async ({ name, parentPath }) => [name, await readFile(path.join(parentPath, name), 'utf8')] as const),
    );
    let markdown = '';
    for await (const piece of markdownPieces(state, transcriptStrings('Echo', english as never), '', known.of('Echo'))) {
      markdown += piece;
    }
    const written: Record<string, string> = {
      ...Object.fromEntries(texts),
      log: logged.map(known.text).join('\n'),
      trace: [...exportLines(traces.all[0]!, '1')].join('\n'),
      storage: JSON.stringify([...user.storage.stored, ...storage.stored]),
      markdown,
    };
    sessions.dispose();
    journals.dispose();
    // The timer of the refresh would keep this process alive.
    await signIns.forget(signIns.list());
    assert.ok(written['session-1.jsonl']?.includes('[redacted]'));
    assert.ok(written['trace']?.includes('session/new'));
    for (const [name, text] of Object.entries(written)) {
      for (const value of [PASSWORD, 'header-plum-tree', ...provider.secrets()]) {
        const at = text.indexOf(value);
        assert.ok(at < 0, `${value} in ${name}: …${text.slice(Math.max(0, at - 200), at + 100)}`);
      }
    }
  });
});
