/** Sessions through proxies: real processes between our stack and the agent. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { exportLines } from '../../../src/acp/trace/exportLines';
import { Traces } from '../../../src/acp/trace/traces';
import { TraceFollower } from '../../../src/acp/trace/follower';
import type { Failure } from '../../../src/core/model/failure';
import type { ProxyLaunch } from '../../../src/core/model/agentLaunch';
import { longFailure } from '../../../src/text/messages/failures';
import { systemClock } from '../../../src/util/clock';
import { watchLeaks } from '../../support/leaks';
import { agentArguments, buildAgent, COMMAND } from '../../support/scenario/agents';
import { playScenario } from '../../support/scenario/play';
import { testProxy, THREE_PROXIES } from '../../support/scenario/proxies';
import { Stage } from '../../support/scenario/stage';
import { NO_ACCOUNT, type StageOptions } from '../../support/scenario/stageOptions';
import { englishVerbatim } from '../../unit/application/english';

const EXAMPLE = path.resolve('docs/examples/system-note-proxy.mjs');

describe('a session through proxies', function () {
  this.timeout(60_000);
  watchLeaks();
  let cwd: string;

  before(buildAgent);
  beforeEach(async () => (cwd = await realpath(await mkdtemp(path.join(tmpdir(), 'proxies-')))));
  afterEach(() => rm(cwd, { recursive: true, force: true }));

  async function withStage<T>(options: StageOptions, act: (stage: Stage) => Promise<T>): Promise<T> {
    const stage = new Stage(cwd, { defaults: null, ...options });
    try {
      return await act(stage);
    } finally {
      await stage.close();
      stage.checkFold();
    }
  }

  for (const proxies of [THREE_PROXIES.slice(0, 1), THREE_PROXIES]) {
    it(`has the events of one without, byte for byte, through ${proxies.length}`, () =>
      playScenario('conversation/hello', { launch: { proxies } }, (stage) => stage.turn({ say: 'Hello' }, { say: ', world' })));
  }

  it('has the golden texts of a whole suite through three', async () => {
    const mocha = path.resolve('node_modules/mocha/bin/mocha.js');
    // An agent that is ending keeps its folder for a moment on Windows.
    const plan = process.env['ACP_HOST_WINDOWS_PLAN'] === undefined ? [] : ['--require', './test/windows/plan.cjs'];
    await promisify(execFile)(
      process.execPath,
      [mocha, '--timeout', '60000', '--require', './test/support/tsx.cjs', ...plan, 'test/agent/scenarios/elicitation.test.ts'],
      {
        env: { ...process.env, ACP_HOST_TEST_PROXIES: '3' },
        maxBuffer: 1e8,
      },
    ).catch((error: { stdout?: string }) => assert.fail(error.stdout));
  }).timeout(180_000);

  it('gets the note that the example of the documentation adds', () =>
    withStage(
      {
        launch: { proxies: [{ name: 'note', command: process.execPath, args: [EXAMPLE, 'Answer in rhymes.'], env: {} }, ...THREE_PROXIES] },
      },
      async (stage) => {
        await stage.ready();
        stage.prompt('Hello?');
        await stage.turnEnd();
        const said = [...stage.session.store.state.entries].find(
          (entry) => entry.kind === 'message' && 'role' in entry && entry.role === 'agent',
        );
        // The agent repeats what it was sent.
        assert.match(JSON.stringify(said), /You said:[^"]*Answer in rhymes\./);
        assert.ok(!JSON.stringify([...stage.session.store.state.entries].find((entry) => entry.kind === 'message')).includes('rhymes'));
      },
    ));

  /** The failure with which a session ends, from its start or in its first turn. */
  async function failureWith(proxy: ProxyLaunch, options: { readonly launch?: object; readonly before?: readonly ProxyLaunch[] } = {}) {
    const { launch, before = [] } = options;
    return withStage({ launch: { timeoutMs: 20_000, ...launch, proxies: [...before, proxy] } }, async (stage) => {
      const { store } = stage.session;
      await stage.when('the start', () => store.state.status !== 'starting');
      if (store.state.status === 'ready') {
        stage.script({ say: 'x' });
        await stage.turnEnd();
      }
      const ended = [...store.state.entries].findLast((entry) => 'failure' in entry && entry.failure) as { failure?: Failure } | undefined;
      const failure = store.state.failure ?? ended?.failure;
      assert.ok(failure, store.state.status);
      return { failure, words: longFailure(failure, englishVerbatim) };
    });
  }

  it('names the proxy that exits during the start, with its output', async () => {
    const { failure, words } = await failureWith(testProxy('context', { mode: 'exit-at-start' }), { before: [testProxy('other')] });
    assert.match(
      words,
      /^The proxy context ended before it was ready\. Exit code: 3\. Check the agent's proxies in the settings\. Command: .*proxy\.mjs/,
    );
    assert.match(failure.detail ?? '', /the proxy lacks its licence/);
  });

  it('names the proxy that ends in a turn', async () => {
    const { failure, words } = await failureWith(testProxy('context', { mode: 'exit-in-turn' }));
    assert.match(words, /^The proxy context ended\. Exit code: 4\. Your next message starts the agent and its proxies again\./);
    assert.match(failure.detail ?? '', /out of memory, says the proxy/);
  });

  it('names the proxy that does not answer in time', async () => {
    const silent = await failureWith(testProxy('context', { mode: 'silent' }), { launch: { timeoutMs: 1500 } });
    assert.match(silent.words, /^The proxy context didn't respond within 1\.5 seconds\. /);
    const swallowing = await failureWith(testProxy('context', { mode: 'swallow' }), { launch: { timeoutMs: 1500 } });
    assert.match(swallowing.words, /^The proxy context didn't respond within 1\.5 seconds\. /);
  });

  it('names a proxy that does not exist', async () => {
    const { words } = await failureWith({ name: 'missing', command: 'acme-proxy-that-is-not-there', args: [], env: {} });
    assert.match(words, /^The proxy missing couldn't be started\. acme-proxy-that-is-not-there was not found\. /);
  });

  it('names a program that is no proxy', async () => {
    const { words } = await failureWith({ name: 'another agent', command: COMMAND, args: agentArguments(), env: {} });
    assert.match(words, /^another agent isn't a proxy: it doesn't know the method proxy\/initialize\. /);
  });

  it('goes on after garbage and after messages that are too long', async () => {
    for (const mode of ['garbage', 'huge']) {
      await withStage({ launch: { proxies: [testProxy('odd', { mode })] }, maxLineBytes: 1_000_000 }, async (stage) => {
        await stage.turn({ say: 'still here' });
        assert.ok(
          stage.lines.some((line) => line.includes('still here')),
          mode,
        );
        assert.ok(
          stage.lines.some((line) => line.startsWith('log odd: ')),
          mode,
        );
      });
    }
  });

  it('gets an answer in place of one that is too long', () =>
    withStage({ launch: { proxies: [testProxy('odd', { mode: 'huge-answer' })] }, maxLineBytes: 1_000_000 }, async (stage) => {
      await stage.turn({ say: 'x' });
      const ended = stage.lines.find((line) => line.startsWith('turn_ended'));
      assert.match(ended ?? '', /odd sent a message of 30\d+ bytes, more than this client reads/);
    }));

  it('keeps what the user typed to sign in from the proxies', () => {
    const code = "console.error('typed:', process.env.TYPED ?? 'nothing'); process.exit(5)";
    const printing: ProxyLaunch = { name: 'printing', command: process.execPath, args: ['-e', code], env: {} };
    const account = { ...NO_ACCOUNT, values: { TYPED: 'a-typed-value' } };
    return withStage({ launch: { proxies: [printing] }, account }, async (stage) => {
      const { store } = stage.session;
      await stage.when('the end', () => store.state.status !== 'starting');
      assert.match(store.state.failure?.detail ?? '', /typed: nothing/);
    });
  });

  it('shows each program in the protocol log, without the secrets of its settings', async () => {
    const traces = new Traces(systemClock);
    const secret = 'plum-tree-4711';
    const noisy: ProxyLaunch = {
      name: 'noisy',
      command: process.execPath,
      args: [
        '-e',
        `console.error('key', process.env.PROXY_TOKEN); process.argv.splice(1, 0, 'x'); import(${JSON.stringify(`file://${EXAMPLE}`)})`,
      ],
      env: { PROXY_TOKEN: secret, SYSTEM_NOTE: `note ${secret}` },
    };
    await withStage({ launch: { proxies: [testProxy('first'), noisy] }, traces }, async (stage) => {
      await stage.turn({ say: 'ok' });
      await new Promise((resolve) => setTimeout(resolve, 300));
      const [agent] = traces.all;
      const lines: string[] = [];
      const clock = { after: (_: number, callback: () => void) => (setImmediate(callback), { dispose: () => undefined }) };
      const follower = new TraceFollower(
        agent!,
        { line: ({ text }) => lines.push(text.slice(13)), hidden: () => undefined, ended: () => undefined },
        clock,
      );
      await new Promise((resolve) => setTimeout(resolve, 100));
      follower.dispose();
      const named = (hop: string, what: RegExp): boolean => lines.some((line) => line.startsWith(`[${hop}]`) && what.test(line));
      assert.ok(named('first', /→ proxy\/initialize #1/) && named('noisy', /→ proxy\/initialize #1/), lines.join('\n'));
      assert.ok(named('noisy', /answer to session\/prompt #\d+ \d+ ms/), lines.join('\n'));
      assert.ok(named('noisy', /stderr: key \[redacted\]/), lines.join('\n'));
      assert.ok(named('Scripted', /→ initialize #1/) && lines.some((line) => /^→ initialize #1/.test(line)));
      const file = [...exportLines(agent!, '0')].join('\n');
      assert.ok(file.includes('"hop":"first"') && file.includes('"hop":"Scripted"'));
      assert.ok(!file.includes(secret) && !lines.join('\n').includes(secret));
    });
  });
});
