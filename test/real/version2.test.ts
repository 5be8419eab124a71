/**
 * Real agents in version 2, on our stack without VS Code: what they say, ask, change and stop, and their histories.
 *
 *     ACP_HOST_REAL_AGENTS=claude,codex-acp npx mocha --require ./test/support/tsx.cjs test/real/version2.test.ts
 *
 * `ACP_HOST_REAL_PROTOCOL=1` compares with version 1. The lines of each conversation are in `test-results/wire`.
 */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ProcessLaunch } from '../../src/core/model/agentLaunch';
import type { ToolCallEntry } from '../../src/core/model/state';
import { Stage } from '../support/scenario/stage';
import type { StageOptions } from '../support/scenario/stageOptions';

interface Agent {
  readonly first?: readonly [label: string, choice: string];
}

interface Modules {
  readonly agents: Readonly<Record<string, Agent>>;
  settingsEntry(name: string, places: object): Pick<ProcessLaunch, 'command' | 'args' | 'env'>;
  ensureAgent(name: string, options: { readonly nodeFolder: string }): Promise<string>;
  startModel(scripts: object): Promise<{ readonly url: string; readonly log: readonly object[]; close(): Promise<void> }>;
  scriptsFor(folder: string): Readonly<Record<string, readonly object[]>>;
  readonly cacheDir: () => string;
}

const names = (process.env['ACP_HOST_REAL_AGENTS'] ?? '').split(',').filter((name) => name !== '');
const protocol = process.env['ACP_HOST_REAL_PROTOCOL'] === '1' ? 1 : 2;
const CALC = 'export function add(a, b) {\n  return a - b;\n}\n';

async function modules(): Promise<Modules> {
  const files = ['test/real/agents.mjs', 'test/real/install.mjs', 'test/real/llm/server.mjs', 'test/real/scripts.mjs'];
  const all = await Promise.all([...files, 'test/harness/lib/paths.mjs'].map((file) => import(pathToFileURL(path.resolve(file)).href)));
  return Object.assign({}, ...all) as Modules;
}

for (const name of names) {
  describe(`${name} in version ${protocol}`, function () {
    this.timeout(240_000);

    let real: Modules;
    let model: Awaited<ReturnType<Modules['startModel']>>;
    let launch: Partial<ProcessLaunch>;
    let cwd: string;
    let stage: Stage;
    let scripts: Record<string, readonly object[]>;
    const temporary: string[] = [];

    const folder = (label: string): string => {
      const made = realpathSync(mkdtempSync(path.join(tmpdir(), `real-${label}-`)));
      temporary.push(made);
      return made;
    };
    const calc = (): string => path.join(cwd, 'src', 'calc.js');
    const state = () => stage.session.store.state;
    const calls = (): readonly ToolCallEntry[] =>
      [...state().entries].flatMap((entry) => (entry.kind === 'tool_call' ? [entry as ToolCallEntry] : []));
    const said = (): string =>
      [...state().entries]
        .flatMap((entry) => (entry.kind === 'message' && 'content' in entry && entry.role === 'agent' ? entry.content : []))
        .flatMap((block) => (block.type === 'text' ? block.text : []))
        .join('');
    const ends = (): readonly string[] =>
      [...state().entries].flatMap((entry) => (entry.kind === 'turn' && 'stopReason' in entry ? entry.stopReason : []));

    /** Opens a stage whose user answers with an option of this kind. */
    const open = (kind: string, options: StageOptions = {}): void => {
      stage = new Stage(cwd, { launch, answer: () => undefined, defaults: null, ...options });
      answerWith(kind);
    };
    const answerWith = (kind: string): void => {
      const { session } = stage;
      session.store.onEvents((_, events) => {
        for (const event of events) {
          if (event.type === 'permission_requested') {
            const option = event.options.find((each) => each.kind === (refusing ? 'reject_once' : kind)) ?? event.options[0]!;
            setImmediate(() => session.answerPermission(event.permissionId, option.optionId));
          }
        }
      });
    };
    let refusing = false;
    let isClosed = false;
    const turn = async (text: string, script: string): Promise<void> => {
      stage.prompt(`${text} (script ${script})`);
      await stage.when(`the turn of ${script} to end`, () => state().turn === undefined && state().work === undefined);
    };
    const choose = async ([label, choice]: readonly [string, string]): Promise<void> => {
      const option = state().config.find((each) => each.name === label);
      assert.ok(
        option?.type === 'select',
        `no option ${label} in ${state()
          .config.map((each) => each.name)
          .join(', ')}`,
      );
      const found = option.groups.flatMap(({ choices }) => choices).find((each) => each.name === choice);
      assert.ok(found, `no choice ${choice}`);
      stage.setConfig(option.configId, found.value);
      await stage.when('the option', () => {
        const now = state().config.find((each) => each.name === label);
        return now?.type === 'select' && now.currentValue === found.value && state().pendingConfig === undefined;
      });
    };

    before(async () => {
      mkdirSync(path.resolve('test-results/wire'), { recursive: true });
      real = await modules();
      const nodeFolder = path.dirname(process.env['ACP_HOST_REAL_NODE'] ?? process.execPath);
      const installed = await real.ensureAgent(name, { nodeFolder });
      cwd = folder('workspace');
      mkdirSync(path.join(cwd, 'src'));
      writeFileSync(calc(), CALC);
      scripts = {
        ...real.scriptsFor(cwd),
        background: [
          {
            text: 'I start a server.',
            tools: [{ kind: 'Bash', args: { command: 'echo listening; sleep 600', description: 'Server', run_in_background: true } }],
          },
          { text: 'It runs.' },
        ],
        agents: [
          {
            text: 'I send two.',
            tools: ['One', 'Two'].map((description) => ({
              kind: 'Agent',
              args: { description, prompt: `Say hello, ${description} (script hello)`, subagent_type: 'general-purpose' },
            })),
          },
          { text: 'Both are back.' },
        ],
      };
      model = await real.startModel(scripts);
      const entry = real.settingsEntry(name, { modules: installed, home: folder('home'), llm: model.url, nodeFolder });
      launch = { ...entry, agentId: name, agentName: name, protocol };
      open('allow_once');
    });

    after(async () => {
      const results = path.resolve('test-results/wire');
      const file = path.join(results, `${name}-${protocol}`);
      writeFileSync(`${file}.ndjson`, stage.frames.map(({ at, kind, text }) => JSON.stringify({ at, kind, text })).join('\n'));
      writeFileSync(`${file}-model.json`, model.log.map((each) => JSON.stringify(each)).join('\n'));
      if (!isClosed) {
        await stage.close();
      }
      writeFileSync(`${file}.txt`, stage.lines.join('\n'));
      await model.close();
      temporary.forEach((each) => rmSync(each, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }));
    });

    it('answers the proposal', async () => {
      await stage.ready();
      assert.equal(state().protocolVersion, protocol);
      const { first } = real.agents[name]!;
      if (first) {
        await choose(first);
      }
    });

    it('says, asks, changes a file and runs a command', async () => {
      await turn('Please fix add in src/calc.js.', 'fix');
      assert.equal(readFileSync(calc(), 'utf8'), CALC.replace('a - b', 'a + b'));
      assert.match(said(), /That was all of it\.$/);
      assert.equal(said().split('That was all of it.').length, 2, 'once');
      assert.deepEqual(ends(), ['end_turn']);
      const users = [...state().entries].filter((entry) => entry.kind === 'message' && 'role' in entry && entry.role === 'user');
      assert.equal(users.length, 1, 'the echo is no second message');
      assert.ok(calls().length >= 2);
      for (const { status, title } of calls()) {
        assert.equal(status, 'completed', title);
      }
      const changes = calls().flatMap(({ content }) => content.flatMap((each) => (each.type === 'diff' ? each.changes : [])));
      const change = changes.find((each) => each.path === calc());
      assert.match(change?.oldText ?? '', /return a - b;/, JSON.stringify(changes));
      assert.match(change?.newText ?? '', /return a \+ b;/);
      assert.ok(changes.every(({ path: file }) => path.isAbsolute(file)));
    });

    it('takes no for an answer', async () => {
      refusing = true;
      await turn('One thing more.', 'refuse-write');
      refusing = false;
      assert.throws(() => readFileSync(path.join(cwd, 'unwanted.txt')));
      assert.notEqual(calls().at(-1)!.status, 'completed');
    });

    it('stops, and the next prompt works', async () => {
      stage.prompt('Take your time. (script slow)');
      await stage.when('some text', () => said().includes('slow3'));
      stage.cancel();
      await stage.when('the end', () => state().turn === undefined);
      assert.equal(ends().at(-1), 'cancelled');
      await turn('And now?', 'hello');
      assert.match(said(), /Hello again, still \*\*here\*\*\.$/);
      assert.doesNotMatch(said(), /slow250/);
    });

    it('continues after a reload of the window', async () => {
      const before = said();
      await stage.reload();
      answerWith('allow_once');
      stage.session.open();
      await stage.ready();
      assert.equal(said(), before);
      await turn('Still there?', 'hello');
      assert.equal(said(), `${before}Hello again, still **here**.`);
    });

    if (name === 'claude') {
      it('runs a command in the background, which is listed and stopped', async () => {
        const session = stage;
        await turn('Start the server.', 'background');
        const list = () => state().background ?? [];
        if (protocol === 2) {
          await stage.when('the list', () => list().length === 1);
          const [{ terminalId } = {}] = list();
          assert.ok(terminalId !== undefined, JSON.stringify(list()));
          assert.equal(state().terminals[terminalId]?.canCancel, true);
          stage.stopTerminal(terminalId);
          await stage.when('its end', () => list().length === 0 && state().terminals[terminalId]?.exitStatus !== undefined);
        }
        assert.equal(stage, session);
      });

      it('starts two subagents', async () => {
        await turn('Send two.', 'agents');
        assert.equal(state().subagents?.length, 2);
        for (const { work, conversation } of state().subagents!) {
          assert.equal(work?.state, 'idle');
          assert.ok(conversation.entries.length > 0);
        }
      });
    }

    it('leaves a log and a journal with the same conversation', async () => {
      await stage.close();
      isClosed = true;
      stage.checkFold();
      stage.checkReplay();
    });

    it('replays its history', async () => {
      const { sessionId } = state();
      const first = stage;
      open('allow_once', { from: { sessionId: sessionId! } });
      const loaded = stage;
      await loaded.when('the history', () => state().status !== 'starting');
      const [texts, failure] = [said(), state().failure];
      const users = [...state().entries].flatMap((entry) =>
        entry.kind === 'message' && 'role' in entry && entry.role === 'user' ? entry.content : [],
      );
      await loaded.close();
      writeFileSync(path.resolve(`test-results/wire/${name}-${protocol}-loaded.txt`), loaded.lines.join('\n'));
      stage = first;
      assert.equal(failure, undefined);
      assert.ok(users.length >= 5, `${users.length} messages of the user`);
      assert.match(texts, /That was all of it\./);
      loaded.checkFold();
      loaded.checkReplay();
    });
  });
}
