import assert from 'node:assert/strict';
import { IdleAgents, isIdle } from '../../../../src/application/agents/idleAgents';
import { runningAgents } from '../../../../src/application/agents/runningAgents';
import type { SessionState } from '../../../../src/core/model/state';
import { canResume, isPaused } from '../../../../src/core/model/select';
import { Sessions } from '../../../../src/session/sessions';
import { agentSays, back, setup, text } from '../../session/earlierScene';
import { fakeDependencies, launch } from '../../session/fakes';

const MINUTE = 60_000;

function scene(options: { readonly offers?: 'load' | 'resume' | undefined; readonly minutes?: number } = { offers: 'resume' }) {
  const fakes = fakeDependencies();
  const sessions = new Sessions(fakes.deps);
  const session = sessions.create(launch(), setup);
  const agent = fakes.agents[0]!;
  if (options.offers) {
    agent.offer(options.offers);
  }
  agent.ready(agent.dialect);
  agent.newSession[0]!(back('S'));
  const settings = { minutes: options.minutes ?? 30 };
  const idle = new IdleAgents({
    clock: fakes.clock,
    agents: runningAgents(sessions, () => fakes.clock.now()),
    minutes: () => settings.minutes,
  });
  const speak = (): void => {
    session.prompt(text('question'));
    agent.client.onUpdate('S', [agentSays('a', 'answer')]);
    agent.prompts.at(-1)!({ ok: true, value: { stopReason: 'end_turn', events: [] } });
  };
  /** Lets the minutes pass one by one, as timers do. */
  const pass = async (minutes: number): Promise<void> => {
    for (let minute = 0; minute < minutes; minute++) {
      await Promise.resolve();
      fakes.clock.pass(MINUTE);
    }
  };
  const dispose = (): void => {
    idle.dispose();
    sessions.dispose();
  };
  return { ...fakes, sessions, session, agent, settings, speak, pass, dispose, state: () => session.store.state };
}

describe('an idle agent', () => {
  it('is closed after the time of the setting, and its session continues with the next message', async () => {
    const { agents, session, agent, speak, pass, dispose, state } = scene();
    speak();
    await pass(29);
    assert.equal(state().status, 'ready');
    await pass(3);
    assert.deepEqual(
      [state().status, state().failure?.code, agent.disposed > 0, isPaused(state())],
      ['disconnected', 'agent.idle', true, true],
    );
    assert.equal(session.submit(text('go on')), undefined);
    const next = agents[1]!;
    next.offer('resume');
    next.ready(next.dialect);
    next.again[0]!(back('S'));
    assert.deepEqual([next.sent.map(([what]) => what), state().queue.length], [['resume', 'prompt'], 0]);
    dispose();
  });

  it('counts the time from the last event of any of its sessions', async () => {
    const { sessions, agent, speak, pass, dispose, state } = scene();
    speak();
    sessions.create(launch(), setup);
    agent.newSession[1]!(back('T'));
    await pass(20);
    agent.client.onUpdate('T', [agentSays('b', 'a banner')]);
    await pass(20);
    assert.equal(state().status, 'ready');
    await pass(12);
    assert.equal(state().status, 'disconnected');
    dispose();
  });

  it('is not closed without the setting, which may change at any time', async () => {
    const { settings, speak, pass, dispose, state } = scene({ offers: 'resume', minutes: 0 });
    speak();
    await pass(500);
    assert.equal(state().status, 'ready');
    settings.minutes = 10;
    await pass(2);
    assert.equal(state().status, 'disconnected');
    dispose();
  });

  it('is not closed while it cannot reopen a session, except one without a message', async () => {
    const spoken = scene({ offers: undefined });
    spoken.speak();
    await spoken.pass(100);
    assert.equal(spoken.state().status, 'ready');
    spoken.dispose();
    const unused = scene({ offers: undefined });
    await unused.pass(40);
    assert.deepEqual([unused.state().status, canResume(unused.state())], ['disconnected', true]);
    unused.session.submit(text('first'));
    const next = unused.agents[1]!;
    next.ready(next.dialect);
    next.newSession[0]!(back('N'));
    assert.deepEqual([next.sent.map(([what]) => what), unused.state().status], [['newSession', 'prompt'], 'ready']);
    unused.dispose();
  });

  it('is not closed during a turn, and after it', async () => {
    const { session, agent, speak, pass, dispose, state } = scene();
    speak();
    session.prompt(text('long'));
    await pass(100);
    assert.equal(state().status, 'ready');
    agent.prompts.at(-1)!({ ok: true, value: { stopReason: 'end_turn', events: [] } });
    await pass(32);
    assert.equal(state().status, 'disconnected');
    dispose();
  });

  it('is not idle while a question, message, option, command, task or subagent waits', () => {
    const { state, speak, dispose } = scene();
    speak();
    const ready = state();
    assert.equal(isIdle(ready), true);
    const terminal = { terminalId: 't', command: 'sleep', output: '' };
    const waiting: Partial<Record<keyof SessionState, unknown>> = {
      status: 'starting',
      work: { workId: 'w' },
      pendingPermissions: ['p'],
      pendingElicitations: ['e'],
      signIn: { status: 'required' },
      queue: [{ queueId: 'q', paused: true }],
      pendingConfig: { options: [] },
      continuation: { at: 1 },
      terminals: { t: terminal },
      background: [{ type: 'terminal', terminalId: 't' }],
      backgroundTasks: [{ taskId: 'b', status: 'running' }],
      subagents: [{ subagentId: 's', runsSince: 1 }],
    };
    for (const [name, value] of Object.entries(waiting)) {
      assert.equal(isIdle({ ...ready, [name]: value } as SessionState), false, name);
    }
    assert.equal(isIdle({ ...ready, terminals: { t: { ...terminal, exitStatus: { exitCode: 0 } } } } as unknown as SessionState), true);
    dispose();
  });

  it('keeps no timer when there is no agent', async () => {
    const { clock, session, pass, dispose } = scene();
    const ending = session.end();
    await pass(1);
    await ending;
    await pass(2);
    assert.equal(clock.pending, 0);
    dispose();
  });
});
