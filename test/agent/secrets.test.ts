/** The values in the environment of a configured agent are not written anywhere, however the agent repeats them. */
import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Redaction } from '../../src/acp/redaction/redact';
import { exportLines } from '../../src/acp/trace/exportLines';
import { Traces } from '../../src/acp/trace/traces';
import type { Failure } from '../../src/core/model/failure';
import type { AgentLaunch } from '../../src/core/model/agentLaunch';
import type { Log } from '../../src/core/platform/log';
import { ProtectedRules } from '../../src/policy/protection/protectedRules';
import { FileService } from '../../src/fs/fileService';
import { questionStrings } from '../../src/application/permission/questionStrings';
import { PermissionPromptQueue } from '../../src/session/permission/promptQueue';
import { reducePortions } from '../../src/session/journal/journalReader';
import { Sessions } from '../../src/session/sessions';
import { SessionStorage } from '../../src/session/storage/sessionStorage';
import { loadNodePty } from '../../src/terminal/nodePty';
import { TerminalService } from '../../src/terminal/terminalService';
import { systemClock } from '../../src/util/clock';
import { RootCheck } from '../../src/util/roots';
import { anonymous } from '../../src/application/export/anonymize';
import { connector } from '../../src/workbench/agents/connector';
import { bundleLines, protocolLines } from '../../src/application/export/exportBundle';
import { jsonPieces, markdownPieces } from '../../src/application/export/exportLines';
import { KnownSecrets } from '../../src/application/agents/knownSecrets';
import { transcriptStrings } from '../../src/application/export/transcriptStrings';
import { failureText } from '../../src/application/shared/failureText';
import { FakeBuffers } from '../support/fakeBuffers';
import { expectNoChildren } from '../support/leaks';
import { NOBODY } from '../support/scenario/stageOptions';
import { english } from '../unit/application/english';

const ECHO = path.resolve('test/agent/scripted/echo.mjs');
const OF_SETTINGS = {
  ECHO_ONE: 'settings-value "one"\\1',
  ECHO_API_KEY: 'k3y',
  ECHO_PHRASE: 'plum tree in the yard',
  ECHO_URL: 'https://me:pass-word@db.test/x',
};
const TYPED = { ECHO_TYPED: 'typed-blue-value' };
/** Values whose parts occur in none of our own texts. */
const VALUES = ['settings-value', 'k3y', 'plum tree in', 'pass-word@', 'typed-blue'];

describe('a value in the agent’s environment', function () {
  this.timeout(60_000);
  let cwd: string;

  beforeEach(async () => (cwd = await realpath(await mkdtemp(path.join(tmpdir(), 'secrets-')))));
  afterEach(async () => {
    await rm(cwd, { recursive: true, force: true });
    await expectNoChildren();
  });

  for (const end of ['die', 'answer with an error'] as const) {
    it(`is not stored when the agent repeats it and then must ${end}`, async () => {
      const logged: string[] = [];
      const write = (message: string): void => void logged.push(message);
      const log: Log = { debug: write, info: write, warn: write, error: write };
      const folder = path.join(cwd, 'sessions');
      const journals = new SessionStorage({ root: folder, earlier: { globalStorage: cwd }, maxBytes: () => Infinity, log });
      const traces = new Traces(systemClock);
      const known = new KnownSecrets();
      const permissions = new PermissionPromptQueue(NOBODY, systemClock);
      const deps = { clock: systemClock, log, environment: process.env };
      let keys = 0;
      const sessions = new Sessions({
        ...deps,
        permissions,
        journals,
        trust: { isRestricted: () => false, check: (_, settled) => settled(undefined) },
        mintKey: () => `session-${++keys}`,
        secretsOf: (agentName) => known.of(agentName),
        connect: connector({
          ...deps,
          launchFolders: (_, folder) => ({ cwd: folder }),
          demo: { agentId: 'D', agentName: 'D', command: 'none', args: ['none'], env: {} },
          version: '0',
          traces,
          valuesOf: () => TYPED,
          keepSecret: (name, values) => known.add(name, values),
        }),
        questionWords: questionStrings(english),
        protectedRules: () => new ProtectedRules(undefined),
        askBeforeCommands: () => 'never',
        account: {
          runInTerminal: () => Promise.reject(new Error()),
          askVariables: () => Promise.reject(new Error()),
          hasVariables: () => false,
          askSecret: () => Promise.resolve(),
          secret: () => undefined,
        },
        files: (roots) => new FileService(new FakeBuffers(), new RootCheck(roots)),
        terminals: (roots, emit) =>
          new TerminalService({
            ...deps,
            cwd: roots.cwd,
            roots: new RootCheck(roots),
            defaultShell: () => '/bin/sh',
            loadPty: loadNodePty,
            emit,
          }),
      });
      const launch: AgentLaunch = {
        agentId: 'Echo',
        agentName: 'Echo',
        command: process.execPath,
        args: [ECHO, '--api-key=k3y', '--header', 'X-Token: settings-value', '--phrase', OF_SETTINGS.ECHO_PHRASE],
        env: OF_SETTINGS,
      };
      const session = sessions.create(launch, { cwd, additionalDirectories: [], mcpServers: [] });
      const failures: Failure[] = [];
      const progress: string[] = [];
      session.store.onEvents((_seq, events) =>
        events.forEach((event) => {
          if (event.type === 'start_progress') {
            progress.push(JSON.stringify(event));
          }
          if ('failure' in event && event.failure) {
            failures.push(event.failure);
          }
          if (event.type === 'permission_requested') {
            setTimeout(() => session.answerPermission(event.permissionId, 'a'), 1);
          }
        }),
      );
      const until = async (what: string, holds: () => boolean): Promise<void> => {
        for (let tries = 0; !holds(); tries++) {
          assert.ok(tries < 1500, `waited for ${what}: ${JSON.stringify(session.store.state.failure)}`);
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
      };
      await until('the session', () => session.store.state.status === 'ready');
      assert.equal(session.prompt([{ type: 'text', text: end }]), undefined);
      await until(
        'the end',
        () => session.store.state.turn === undefined && (end !== 'die' || session.store.state.status === 'disconnected'),
      );
      await sessions.flush();

      const { state } = session.store;
      const secrets = known.of('Echo');
      const all = async (pieces: Iterable<string> | AsyncIterable<string>): Promise<string> => {
        let text = '';
        for await (const piece of pieces) {
          text += piece;
        }
        return text;
      };
      const files = await Promise.all(
        (await readdir(folder, { recursive: true, withFileTypes: true }))
          .filter((entry) => entry.isFile())
          .map(async ({ name, parentPath }) => [name, await readFile(path.join(parentPath, name), 'utf8')] as const),
      );
      const trace = traces.all[0]!;
      const written: Record<string, string> = {
        ...Object.fromEntries(files),
        log: logged.join('\n'),
        failures: JSON.stringify(failures),
        'sentences of failures': failures.map((failure) => failureText(failure, english as never)).join('\n'),
        progress: progress.join('\n'),
        'protocol log': [...exportLines(trace, '1')].join('\n'),
        markdown: await all(markdownPieces(state, transcriptStrings('Echo', english as never), state.title ?? '', secrets)),
        json: await all(jsonPieces(journals.lines('session-1'), secrets)),
        bundle:
          (await all(
            bundleLines(
              journals.lines('session-1'),
              { vscode: '1', extension: '1', platform: 'x', agentInfo: { ...state.agent } },
              new Redaction(secrets, anonymous({ home: '/h', userName: 'me', hostName: 'here' })),
            ),
          )) + (await all(protocolLines(exportLines(trace, '1')))),
      };
      sessions.dispose();
      journals.dispose();
      assert.ok('session-1.jsonl' in written);
      // The test is valid only if the agent has repeated the value.
      assert.ok(JSON.stringify(state.entries.slice()).includes('plum tree in'), 'the conversation shows it as it came');
      for (const name of ['session-1.jsonl', 'log', 'failures', 'progress', 'protocol log', 'markdown', 'json', 'bundle']) {
        assert.ok(written[name]!.includes('[redacted]'), `${name}: ${written[name]!.slice(0, 500)}`);
      }
      for (const [name, text] of Object.entries(written)) {
        for (const value of VALUES) {
          const at = text.indexOf(value);
          assert.ok(at < 0, `${value} in ${name}: …${text.slice(Math.max(0, at - 200), at + 100)}`);
        }
      }
      const folded = await reducePortions(journals.portions('session-1'));
      assert.equal(folded?.skipped, 0);
      assert.deepEqual(
        folded.state.entries.slice().map(({ kind }) => kind),
        state.entries.slice().map(({ kind }) => kind),
        'the journal is the same conversation',
      );
    });
  }

  it('is not in the report of a failed start', async () => {
    const logged: string[] = [];
    const write = (message: string): void => void logged.push(message);
    const deps = { clock: systemClock, log: { debug: write, info: write, warn: write, error: write }, environment: process.env };
    for (const [command, args] of [
      ['/no/such/settings-value', []],
      [
        process.execPath,
        ['-e', 'console.error(process.env.ECHO_ONE, process.env.ECHO_TYPED); process.exit(1)', '--token', 'k3y', OF_SETTINGS.ECHO_PHRASE],
      ],
    ] as const) {
      const connect = connector({
        ...deps,
        launchFolders: (_, folder) => ({ cwd: folder }),
        demo: { agentId: 'D', agentName: 'D', command: 'none', args: ['none'], env: {} },
        version: '0',
        traces: new Traces(systemClock),
        valuesOf: () => TYPED,
      });
      const env = { ...OF_SETTINGS, ECHO_TOKEN: 'settings-value' };
      const told: string[] = [];
      const failure = await new Promise<Failure>((resolve) => {
        connect(
          { agentId: 'E', agentName: 'E', command, args, env },
          cwd,
        )({
          client: {} as never,
          onProgress: (...all: unknown[]) => told.push(all.join(' ')),
          onReady: () => undefined,
          onEnd: resolve,
        } as never);
      });
      for (const text of [JSON.stringify(failure), failureText(failure, english as never), ...told, ...logged]) {
        for (const value of VALUES) {
          assert.ok(!text.includes(value), `${value} in ${text}`);
        }
      }
    }
  });
});
