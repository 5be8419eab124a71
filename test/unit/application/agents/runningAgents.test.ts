import assert from 'node:assert/strict';
import { runningAgents } from '../../../../src/application/agents/runningAgents';
import { Sessions } from '../../../../src/session/sessions';
import { back, setup } from '../../session/earlierScene';
import { fakeDependencies, launch } from '../../session/fakes';

function scene() {
  const fakes = fakeDependencies();
  const sessions = new Sessions(fakes.deps);
  const running = runningAgents(sessions, () => fakes.clock.now());
  const [one, other] = [sessions.create(launch(), setup), sessions.create(launch(), setup)];
  const agent = fakes.agents[0]!;
  agent.offer('resume');
  agent.ready(agent.dialect);
  agent.newSession[0]!(back('S'));
  agent.newSession[1]!(back('T'));
  return { ...fakes, sessions, running, one, other, agent };
}

describe('the running agents', () => {
  it('lists each process once, with its sessions, its id and its start', () => {
    const { sessions, running, one, other, agent, clock } = scene();
    sessions.create(launch('Other'), setup);
    agent.process(4711);
    assert.deepEqual(
      running.list().map(({ agentId, name, pid, startedAt, cwd, sessions: used }) => [agentId, name, pid, startedAt, cwd, used.length]),
      [
        ['Fake', 'Fake', 4711, clock.now(), setup.cwd, 2],
        ['Other', 'Other', undefined, clock.now(), setup.cwd, 1],
      ],
    );
    assert.deepEqual(running.list()[0]!.sessions, [one, other]);
    sessions.dispose();
  });

  it('notifies of a start, a process and an end', async () => {
    const { sessions, running, agent } = scene();
    const lists: (number | undefined)[][] = [];
    running.onDidChange(() => lists.push(running.list().map(({ pid }) => pid)));
    await Promise.resolve();
    agent.process(7);
    await Promise.resolve();
    agent.end({ code: 'agent.exited' });
    await Promise.resolve();
    assert.deepEqual([lists[1], lists.at(-1)], [[7], []]);
    sessions.dispose();
  });

  it('stops a process for all of its sessions, which stay and can be resumed', () => {
    const { sessions, running, one, other, agent } = scene();
    running.list()[0]!.stop();
    assert.deepEqual([agent.disposed > 0, running.list()], [true, []]);
    for (const { store } of [one, other]) {
      assert.deepEqual([store.state.status, store.state.failure?.code], ['disconnected', 'agent.stopped']);
    }
    sessions.dispose();
  });

  it('restarts one process, with its sessions alone', () => {
    const { sessions, running, one, other, agent, agents } = scene();
    const elsewhere = sessions.create(launch('Other'), setup);
    agents[1]!.open('U');
    running.list()[0]!.restart();
    assert.deepEqual([agents.length, agent.disposed, agents[1]!.disposed], [3, 1, 0]);
    assert.deepEqual(
      [one, other, elsewhere].map(({ store }) => store.state.status),
      ['starting', 'starting', 'ready'],
    );
    assert.equal(running.list().length, 2);
    sessions.dispose();
  });
});
