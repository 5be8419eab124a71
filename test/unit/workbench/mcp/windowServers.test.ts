/** The MCP servers of a window: when anything is loaded, and offers during a session. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { McpServer } from '../../../../src/core/mcp/mcpServer';
import type { ServerRequest, ServersOfSession } from '../../../../src/core/mcp/sessionServers';
import { EntryList } from '../../../../src/core/model/entries';
import type { Failure } from '../../../../src/core/model/failure';
import type { Slot } from '../../../../src/core/model/state';
import type { WindowServersDependencies } from '../../../../src/workbench/mcp/windowServers';
import { enterVscode } from '../../../support/fakeVscode';
import { FakeSecrets, FakeStorage, mcpJson } from '../../application/mcp/fakes';
import { FakeClock } from '../../session/permission/fakes';

type Change = (event: { affectsConfiguration(name: string): boolean }) => void;

/** Waits for reads of the disk. */
async function until(what: string, holds: () => boolean): Promise<void> {
  for (let tries = 0; !holds(); tries++) {
    assert.ok(tries < 500, `waited for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

describe("the window's MCP servers", () => {
  let root: string;
  let work: string;
  let leave: () => void;
  let settings: Record<string, Record<string, unknown>>;
  let changed: Change[];
  let shown: string[];
  /** The answers to messages by their beginning. */
  let answers: Record<string, string>;
  let typed: string[];

  beforeEach(async () => {
    root = await realpath(await mkdtemp(path.join(tmpdir(), 'window-servers-')));
    work = path.join(root, 'work');
    await mkdir(path.join(work, '.vscode'), { recursive: true });
    await mkdir(path.join(root, 'User', 'globalStorage'), { recursive: true });
    [settings, changed, shown, answers, typed] = [{}, [], [], {}, []];
    const none = { dispose: () => undefined };
    const message = async (text: string, ...rest: unknown[]): Promise<unknown> => {
      shown.push(text);
      const answer = Object.entries(answers).find(([beginning]) => text.startsWith(beginning))?.[1];
      return rest.find((button) => button === answer);
    };
    leave = enterVscode({
      env: {},
      Uri: { file: (fsPath: string) => ({ scheme: 'file', fsPath }) },
      RelativePattern: class {},
      ThemeIcon: class {},
      l10n: {
        t: (text: string, values: Record<string, unknown> = {}) => text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name])),
      },
      window: {
        showInformationMessage: message,
        showWarningMessage: message,
        showInputBox: async () => typed.shift(),
      },
      workspace: {
        isTrusted: true,
        workspaceFolders: [{ name: 'work', uri: { scheme: 'file', fsPath: work } }],
        getConfiguration: () => ({ inspect: (name: string) => settings[name] }),
        createFileSystemWatcher: () => ({ onDidChange: () => none, onDidCreate: () => none, onDidDelete: () => none, ...none }),
        onDidChangeConfiguration: (listener: Change) => (changed.push(listener), none),
        onDidGrantWorkspaceTrust: () => none,
      },
    });
  });
  afterEach(async () => {
    leave();
    await rm(root, { recursive: true, force: true });
  });

  function scene(status = 'ready', more: Partial<WindowServersDependencies> = {}) {
    // eslint-disable-next-line
    const { WindowServers } =
      require('../../../../src/workbench/mcp/windowServers') as typeof import('../../../../src/workbench/mcp/windowServers');
    const clock = new FakeClock();
    const notices: Failure[] = [];
    const restarts: string[] = [];
    const listeners = new Set<(seq: number, events: object[]) => void>();
    const happen = (type: string): void => listeners.forEach((listener) => listener(1, [{ type }]));
    const state = {
      status,
      entries: EntryList.empty as EntryList<Slot>,
      firstPrompt: {} as unknown,
      capabilities: { load: true, resume: false },
      turn: undefined as unknown,
    };
    const session = {
      key: 'S',
      agentId: 'agent',
      agentName: 'Agent',
      store: {
        seq: 1,
        state,
        append: (...events: { failure: Failure }[]) => void notices.push(...events.map(({ failure }) => failure)),
        onEvents: (listener: (seq: number, events: object[]) => void) => {
          listeners.add(listener);
          return { dispose: () => void listeners.delete(listener) };
        },
      },
      restartAgent: () => void restarts.push('restart'),
    };
    const storage = new FakeStorage();
    const secrets = new FakeSecrets();
    const servers = new WindowServers({
      clock,
      context: { globalState: storage, secrets, globalStorageUri: { fsPath: path.join(root, 'User', 'globalStorage', 'acp-host') } },
      activity: { during: async (ask: () => unknown) => ask() },
      fetch: async () => new Response(),
      sessions: () => ({ all: [session], markStale: (agentId: string) => void restarts.push(`stale ${agentId}`) }),
      ...more,
    } as never);
    const request: ServerRequest = {
      key: 'S',
      agentId: 'agent',
      agentName: 'Agent',
      roots: { cwd: work, additionalDirectories: [] },
      capabilities: { stdio: true, http: true, sse: false, acp: false },
    };
    return { servers, clock, notices, happen, restarts, state, session, storage, secrets, request };
  }

  const names = ({ servers, leftOut }: ServersOfSession): unknown => [
    servers.map(({ name }) => name),
    leftOut.map(({ name, reason }) => `${name} ${reason}`),
  ];
  const user = (value: object): Promise<void> => writeFile(path.join(root, 'User', 'mcp.json'), JSON.stringify(value));
  const folder = (servers: object): Promise<void> => writeFile(path.join(work, '.vscode', 'mcp.json'), mcpJson(servers));
  const http = (url: string): object => ({ type: 'http', url });

  const isLoaded = (): boolean => Object.keys(require.cache).some((name) => name.includes(path.join('workbench', 'mcp', 'serversFeature')));

  it('are not asked for, and load nothing, when no file and no setting names any', async () => {
    const { servers, request } = scene();
    servers.prepare();
    await until('the look', () => !servers.isActive(request));
    assert.deepEqual(names(await servers.resolve(request)), [[], []]);
    assert.equal(isLoaded(), false);
  });

  it('are active from the start of the look until its answer', async () => {
    await user({ servers: { mine: http('https://mine.example') } });
    const { servers, request } = scene();
    servers.prepare();
    assert.equal(servers.isActive(request), true);
    assert.deepEqual(names(await servers.resolve(request)), [['mine'], []]);
    assert.equal(servers.isActive(request), true);
  });

  it('come from a setting without any file, unless the user switches them off', async () => {
    settings['acpHost.mcpServers'] = {
      globalValue: { mine: http('https://mine.example') },
      workspaceValue: { theirs: http('https://x.example') },
    };
    const { servers, request } = scene();
    servers.prepare();
    await servers.resolve(request);
    assert.deepEqual(names(await servers.resolve(request)), [['mine'], ['theirs not_agreed']]);
    settings['acpHost.passMcpServers'] = { globalValue: 'off', workspaceValue: 'all' };
    assert.equal(servers.isActive(request), false);
  });

  it("follow the editor's own, which keeps its name", async () => {
    await user({ servers: { vscode: http('https://mine.example') } });
    const ended: string[] = [];
    const own = { type: 'http', name: 'vscode', url: 'http://127.0.0.1:1', headers: {} } as const;
    const editor = {
      isActive: () => true,
      declare: async (_: ServerRequest, earlier?: McpServer) => (earlier && ended.push(`continued ${earlier.name}`), own),
      addressOf: () => own,
      ended: (key: string, isLeft?: boolean) => void ended.push(isLeft ? `${key} left` : key),
      toolsChanged: () => undefined,
    };
    const { servers, request } = scene('ready', { editor });
    assert.deepEqual((await servers.resolve(request)).servers[0], own);
    servers.ended('S');
    servers.ended('S', true);
    await servers.continue(request, own);
    assert.deepEqual(ended, ['S', 'S left', 'continued vscode']);
    assert.equal(servers.addressOf('S'), own);
    const broken = scene('ready', { editor: { ...editor, declare: () => Promise.reject(new Error('no port')) } });
    assert.deepEqual(names(await broken.servers.resolve(request)), [['vscode'], [' failed']]);
  });

  it('ask for consent without holding up the session, and are offered afterwards', async () => {
    await folder({ theirs: http('https://theirs.example') });
    answers['Agent doesn'] = 'Review…';
    answers['Allow this MCP server'] = 'Allow Server';
    const { servers, request, notices, restarts, session } = scene();
    servers.isActive(request);
    assert.deepEqual(names(await servers.resolve(request)), [[], ['theirs not_agreed']]);
    await until('the offer', () => notices.length > 0);
    assert.deepEqual(notices, [{ code: 'mcp.changed' }]);
    assert.deepEqual(restarts, []);
    await (await servers.feature()).restart(session as never);
    assert.deepEqual(restarts, ['stale agent', 'restart']);
    assert.deepEqual(names(await servers.resolve(request)), [['theirs'], []]);
    assert.equal(shown.filter((text) => text.startsWith('Agent doesn')).length, 1, 'asked once');
  });

  const shownNotice = (noticeId: string, failure: Failure): Slot => ({
    kind: 'notice',
    entryId: `notice:${noticeId}`,
    at: 0,
    noticeId,
    severity: 'info',
    title: '',
    failure,
  });

  it('replace the notices about decisions that the user has made, and about the restart', async () => {
    await folder({ theirs: http('https://theirs.example') });
    answers['Allow this MCP server'] = 'Allow Server';
    const { servers, request, notices, state, session, happen } = scene();
    servers.isActive(request);
    await servers.resolve(request);
    state.entries = EntryList.of([
      shownNotice('a', { code: 'mcp.not_agreed', params: { agent: 'Agent', servers: 'theirs' } }),
      shownNotice('b', { code: 'mcp.changed' }),
    ]);
    await (await servers.feature()).review(session as never);
    assert.deepEqual(notices, [{ code: 'mcp.decided', params: { allowed: 'theirs', servers: 'theirs' } }, { code: 'mcp.changed' }]);
    notices.length = 0;
    await servers.resolve(request);
    assert.deepEqual(notices, []);
    happen('session_ready');
    assert.deepEqual(notices.at(-1), { code: 'mcp.current' });
    happen('session_ready');
    assert.equal(notices.length, 2, 'once');
  });

  it('are asked for once, and not again after the message was closed', async () => {
    await folder({ theirs: http('https://theirs.example') });
    const { servers, request } = scene();
    await servers.resolve(request);
    await servers.resolve({ ...request, key: 'T' });
    assert.equal(shown.length, 1);
  });

  it('with inputs are offered when the values are entered, and restart a session without a message', async () => {
    await user({
      servers: { mine: { type: 'http', url: 'https://mine.example', headers: { A: '${input:key}' } } },
      inputs: [{ id: 'key', type: 'promptString', password: true }],
    });
    typed.push('the-secret');
    const { servers, request, restarts, session, state, storage } = scene();
    state.firstPrompt = undefined;
    servers.isActive(request);
    assert.deepEqual(names(await servers.resolve(request)), [[], ['mine input_missing']]);
    await (await servers.feature()).review(session as never);
    assert.deepEqual(restarts, ['stale agent', 'restart']);
    const { servers: passed } = await servers.resolve(request);
    assert.deepEqual(passed[0]!.type === 'http' && passed[0]!.headers, { A: 'the-secret' });
    assert.doesNotMatch(JSON.stringify([...storage.stored]), /the-secret/);
  });

  it('are offered once when a file or a setting changes, and not when it changes back', async () => {
    await user({ servers: { one: http('https://one.example') } });
    const { servers, clock, request, notices } = scene();
    servers.prepare();
    servers.isActive(request);
    await servers.resolve(request);
    clock.pass(2000);
    await until('the watch', () => changed.length > 0);
    const change = async (value: object): Promise<void> => {
      await user(value);
      changed.forEach((listener) => listener({ affectsConfiguration: (name) => name === 'acpHost.mcpServers' }));
      clock.pass(500);
      await new Promise((resolve) => setTimeout(resolve, 30));
    };
    await change({ servers: { one: http('https://one.example'), two: http('https://two.example') } });
    await change({ servers: { one: http('https://one.example'), two: http('https://two.example') } });
    assert.deepEqual(notices, [{ code: 'mcp.changed' }]);
    await change({ servers: { one: http('https://one.example') } });
    assert.equal(notices.length, 1);
    await change({ servers: {} });
    assert.equal(notices.length, 2);
  });

  it('ask before a restart that interrupts the agent, or that it forgets the conversation for', async () => {
    await user({ servers: { one: http('https://one.example') } });
    const { servers, request, restarts, session, state } = scene();
    await servers.resolve(request);
    const feature = await servers.feature();
    state.turn = {};
    await feature.restart(session as never);
    assert.deepEqual([restarts, shown], [[], ['Agent is working. Stop it and restart?']]);
    state.turn = undefined;
    state.capabilities = { load: false, resume: false };
    answers['Restart Agent?'] = 'Restart Agent';
    await feature.restart(session as never);
    assert.deepEqual(restarts, ['stale agent', 'restart']);
  });

  it('offer the sign-in that they need, and are left out until then', async () => {
    await user({ servers: { plums: http('https://plums.example/mcp'), one: http('https://one.example') } });
    const asked = async (url: unknown): Promise<Response> => new Response(null, { status: String(url).includes('plums') ? 401 : 200 });
    const { servers, request, notices, state } = scene('ready', { fetch: asked });
    servers.isActive(request);
    assert.deepEqual(names(await servers.resolve(request)), [['one'], ['plums sign_in']]);
    assert.match(shown[0]!, /sign in: plums$/);
    state.firstPrompt = {};
    await user({ servers: { plums: http('https://plums.example/other'), one: http('https://one.example') } });
    await (await servers.feature()).changed();
    assert.deepEqual(notices, []);
    await user({ servers: { plums: http('https://plums.example/other'), two: http('https://plums.example/two') } });
    await (await servers.feature()).changed();
    assert.deepEqual(
      notices.map(({ code }) => code),
      ['mcp.sign_in', 'mcp.changed'],
    );
  });
});
