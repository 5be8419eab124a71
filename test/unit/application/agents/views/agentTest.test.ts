import assert from 'node:assert/strict';
import os from 'node:os';
import { signInOf, testAgent, type TestFindings } from '../../../../../src/application/agents/views/agentTest';
import { AgentTests } from '../../../../../src/application/agents/views/agentTests';
import { START_CODES, startAdvice } from '../../../../../src/application/agents/views/startAdvice';
import { reportText, testState } from '../../../../../src/application/agents/views/testReport';
import type { Failure } from '../../../../../src/core/model/failure';
import { AgentConnections } from '../../../../../src/session/agent/agentConnections';
import { shortFailure } from '../../../../../src/text/messages/failures';
import { catalogEntry, FAILED_START, finishedTest } from '../../../../support/agentPages';
import { FakeAgent, launch, quiet, TRUSTING } from '../../../session/fakes';
import { FakeClock } from '../../../session/permission/fakes';
import { englishVerbatim } from '../../english';

const soon = () => new Promise((resolve) => setImmediate(resolve));
const plain = (text: string): string => text;

function scene(trust = TRUSTING) {
  const clock = new FakeClock();
  const agents: FakeAgent[] = [];
  const connections = new AgentConnections({
    clock,
    log: quiet,
    trust,
    secretsOf: () => [],
    connect: () => (events) => {
      const agent = new FakeAgent();
      agents.push(agent);
      return agent.connect(events);
    },
  });
  const abort = new AbortController();
  const found: TestFindings[] = [];
  const run = () =>
    testAgent(
      { clock, start: (wanted, settled) => connections.start(wanted, settled) },
      launch(),
      '/work',
      (findings) => found.push(findings),
      abort.signal,
    );
  return { clock, agents, connections, abort, found, run };
}

describe('the test of an agent', () => {
  it('starts a process of its own, opens a session, closes it, and ends the process', async () => {
    const { agents, connections, run, found } = scene();
    connections.start({ launch: launch(), roots: { cwd: '/work', additionalDirectories: [] }, byUser: true }, (outcome) => {
      if (outcome.ok) {
        outcome.value.join({ onProgress: () => undefined, onReady: () => undefined, onEnd: () => undefined });
      }
    });
    const ended = run();
    const [, agent] = agents;
    agent!.progress('fake --acp');
    agent!.ready(agent!.dialect);
    agent!.newSession[0]!({ ok: true, value: { sessionId: 's', events: [] } });
    agent!.closes[0]!();
    const findings = await ended;
    assert.deepEqual([findings.isRunning, findings.command, findings.failure], [false, 'fake --acp', undefined]);
    assert.ok(findings.readyAfter !== undefined && findings.sessionAfter !== undefined);
    assert.deepEqual(
      agent!.sent.map(([name]) => name),
      ['newSession', 'close'],
    );
    assert.deepEqual(
      agents.map(({ disposed }) => disposed > 0),
      [false, true],
    );
    assert.equal(found.at(-1), findings);
  });

  it('reports that a sign-in is needed, and by which methods', async () => {
    const { agents, run } = scene();
    const ended = run();
    agents[0]!.ready({ ...agents[0]!.dialect, authMethods: [{ methodId: 'b', name: 'Browser', type: 'agent' }] });
    agents[0]!.newSession[0]!({ ok: false, failure: { code: 'auth.required' } });
    const findings = await ended;
    assert.equal(signInOf(findings), 'required');
    const state = stateOf(findings);
    assert.match(state.steps[2]!.result!, /Browser/);
    assert.doesNotMatch(state.steps[2]!.advice!, /terminal/);
    assert.deepEqual(
      state.steps.map((step) => step.state),
      ['passed', 'passed', 'attention'],
    );
    assert.match(state.summary!, /needs you to sign in/);
    assert.deepEqual(state.actions, ['sign_in', 'test', 'copy_report']);
  });

  it('leads to the program of an agent that needs a sign-in and offers none', async () => {
    const { agents, run } = scene();
    const ended = run();
    agents[0]!.ready({ ...agents[0]!.dialect, authMethods: [] });
    agents[0]!.newSession[0]!({ ok: false, failure: { code: 'auth.required' } });
    const state = stateOf(await ended);
    assert.match(state.steps[2]!.advice!, /in a terminal/);
    assert.deepEqual(state.actions, ['test', 'copy_report']);
  });

  it('reports the end of the process with its output and the advice', async () => {
    const { agents, run } = scene();
    const ended = run();
    agents[0]!.progress('fake');
    agents[0]!.end({ code: 'agent.exited_at_start', params: { exitCode: 1 }, detail: 'no such option: --acp' });
    const state = stateOf(await ended);
    assert.deepEqual(
      state.steps.map((step) => step.state),
      ['passed', 'failed', 'skipped'],
    );
    assert.equal(state.steps[1]!.detail, 'no such option: --acp');
    assert.match(state.steps[1]!.advice!, /Check the output/);
  });

  it('fails at the first step when the program is not found', async () => {
    const { agents, run } = scene();
    const ended = run();
    agents[0]!.progress('fake');
    agents[0]!.end({ code: 'agent.not_found', params: { command: 'fake' } });
    assert.deepEqual(
      stateOf(await ended).steps.map((step) => step.state),
      ['failed', 'skipped', 'skipped'],
    );
  });

  it('starts nothing in a folder that is not trusted', async () => {
    const { agents, run } = scene({
      isRestricted: () => false,
      check: (_, settled) => settled({ code: 'session.folder_untrusted', params: { folder: '/work' } }),
    });
    const state = stateOf(await run());
    assert.equal(agents.length, 0);
    assert.equal(state.steps[0]!.advice, 'Trust the folder, then retry.');
  });

  it('can be cancelled, which ends the process', async () => {
    const { agents, run, abort } = scene();
    const ended = run();
    abort.abort();
    assert.equal((await ended).failure?.code, 'agent.start_cancelled');
    assert.equal(agents[0]!.disposed, 1);
  });

  it('runs once at a time for each agent', async () => {
    const { clock, agents, connections } = scene();
    const tests = new AgentTests(
      {
        clock,
        t: englishVerbatim,
        environment: [],
        start: (wanted, settled) => connections.start(wanted, settled),
        secretsOf: () => [],
        folder: async () => '/work',
        prepare: async () => undefined,
        ended: async () => undefined,
      },
      () => undefined,
    );
    const entry = catalogEntry('A', 'user');
    const first = tests.run(entry, '1.0.0');
    await tests.run(entry);
    await soon();
    assert.equal(agents.length, 1);
    assert.equal(tests.isRunning('A'), true);
    tests.cancel('A');
    await first;
    assert.equal(tests.stateOf('A', '1.0.0')?.summary, 'The test was canceled.');
    assert.equal(tests.stateOf('A', '2.0.0')?.summary, 'The test was canceled. The tested version is 1.0.0.');
    assert.match(tests.reportOf('A')!, /^- Installed version: 1\.0\.0$/m);
  });

  it('ends when its folder cannot be created, and can run again', async () => {
    const { clock, agents, connections } = scene();
    let isFull = true;
    const tests = new AgentTests(
      {
        clock,
        t: englishVerbatim,
        environment: [],
        start: (wanted, settled) => connections.start(wanted, settled),
        secretsOf: () => [],
        folder: () =>
          isFull ? Promise.reject(new Error("EROFS: read-only file system, mkdir '/storage/empty'")) : Promise.resolve('/work'),
        prepare: async () => undefined,
        ended: () => Promise.reject(new Error('The disk is full.')),
      },
      () => undefined,
    );
    const entry = catalogEntry('A', 'user');
    await tests.run(entry);
    assert.equal(tests.isRunning('A'), false);
    assert.match(tests.reportOf('A')!, /A doesn't work yet\.[^]*✗ Start the program[^]*EROFS/);
    isFull = false;
    const again = tests.run(entry);
    await soon();
    assert.equal(agents.length, 1);
    tests.cancel('A');
    await again;
  });

  it('can be cancelled before the agent starts', async () => {
    const { agents, run, abort } = scene();
    abort.abort();
    assert.equal((await run()).failure?.code, 'agent.start_cancelled');
    assert.equal(agents.length, 0);
  });

  it('has a report for a user without a name, as in some containers', async () => {
    const { clock, connections } = scene();
    const tests = new AgentTests(
      {
        clock,
        t: englishVerbatim,
        environment: [],
        start: (wanted, settled) => connections.start(wanted, settled),
        secretsOf: () => [],
        folder: async () => '/work',
        prepare: async () => undefined,
        ended: async () => undefined,
      },
      () => undefined,
    );
    const run = tests.run(catalogEntry('A', 'user'));
    await soon();
    tests.cancel('A');
    await run;
    const real = os.userInfo;
    os.userInfo = () => {
      throw new Error('ENOENT: no such file or directory, uv_os_get_passwd');
    };
    try {
      assert.match(tests.reportOf('A')!, /^# Test of A/);
    } finally {
      os.userInfo = real;
    }
  });
});

describe('the report of a test', () => {
  it('has steps, versions and capabilities', () => {
    const text = reportOf(finishedTest());
    for (const line of [
      '# Test of Goose (registry/goose)',
      'Goose works.',
      '- ✓ Start the program',
      '- Protocol: Version 1',
      '- ✓ Load sessions: Used to open',
    ]) {
      assert.ok(text.includes(line), `${line} in\n${text}`);
    }
  });

  it('leaves out secrets of the agent, the user and the home folder', () => {
    const clock = new FakeClock();
    const connections = scene();
    const secret = 'sk-ant-0123456789abcdef0123456789abcdef';
    const own = 'plain-value-of-the-environment';
    const tests = new AgentTests(
      {
        clock,
        t: englishVerbatim,
        environment: [['VS Code', '1.139.1']],
        start: (wanted, settled) => connections.connections.start(wanted, settled),
        secretsOf: () => [own],
        folder: async () => '/work',
        prepare: async () => undefined,
        ended: async () => undefined,
      },
      () => undefined,
    );
    const run = tests.run(catalogEntry('A', 'user'));
    return soon().then(async () => {
      const [agent] = connections.agents;
      agent!.progress(`agent --key ${own}`);
      agent!.end({
        code: 'agent.exited_at_start',
        params: { exitCode: 1 },
        detail: `bad key ${secret} at ${process.env['HOME']}/x with ${own}`,
      });
      await run;
      const report = tests.reportOf('A')!;
      assert.doesNotMatch(report, /sk-ant-0123/);
      assert.ok(!report.includes(own));
      assert.ok(!report.includes(`${process.env['HOME']}/x`));
      assert.ok(report.includes('bad key'));
      const shown = JSON.stringify(tests.stateOf('A'));
      assert.ok(!shown.includes(own) && !shown.includes(secret));
    });
  });
});

describe('the advice at a start', () => {
  for (const code of START_CODES) {
    it(`names the next step for ${code}`, () => {
      const failure: Failure = {
        code,
        params: { command: 'x', cwd: '/x', folder: '/x', agent: 'A', host: 'h', status: 500, megabytes: 1, name: 'KEY' },
        detail: 'output',
      };
      const advice = startAdvice(failure, englishVerbatim);
      assert.notEqual(advice, '');
      assert.match(advice, /[.]$/);
      assert.notEqual(shortFailure(failure, englishVerbatim), '');
    });
  }

  it('is part of the sentence when the cause is known', () => {
    assert.equal(startAdvice({ code: 'agent.exited_at_start', params: { cause: 'disk_full' } }, englishVerbatim), '');
  });
});

function stateOf(findings: TestFindings) {
  return testState(findings, { agentName: 'A', agentId: 'a', environment: [] }, plain, englishVerbatim);
}

function reportOf(state: ReturnType<typeof finishedTest>): string {
  assert.ok(FAILED_START.failure);
  return reportText(state, { agentName: 'Goose', agentId: 'registry/goose', environment: [] }, plain, englishVerbatim);
}
