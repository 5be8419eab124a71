/** The status that an agent reports for a session that no window here runs. */
import assert from 'node:assert/strict';
import type { RemoteStatus } from '../../../../src/acp/dialect';
import { AgentLists, type RemoteStatuses } from '../../../../src/application/sessionsView/agentLists';
import { rowStrings } from '../../../../src/application/sessionsView/rowStrings';
import { agentFacts, withRemoteStatus } from '../../../../src/application/sessionsView/sessionFacts';
import { english } from '../english';
import { settled } from './fakes';

const FACTS = { now: 0, language: 'en', folderName: () => undefined, namesFolder: () => false };
const row = (status: RemoteStatus | undefined, more: object = {}) => {
  const facts = agentFacts({ agentId: 'a', agentName: 'Agent' }, { sessionId: 's', cwd: '/w', title: 'Talk' }, 'Untitled');
  const { description = '', tooltip = '' } = rowStrings(
    { kind: 'session', id: 'x', facts: withRemoteStatus({ ...facts, ...more }, status) } as never,
    FACTS,
    english,
  );
  return { description: String(description), tooltip: String(tooltip) };
};

function lists(answer: (ids: readonly string[]) => Promise<RemoteStatuses>, reportsStatus = true) {
  const asked: (readonly string[])[] = [];
  const time = { now: 0, running: true };
  const listed = ['one', 'two'].map((sessionId) => ({ sessionId, cwd: '/w' }));
  const agents = new AgentLists({
    agents: () => [{ agentId: 'a', agentName: 'A', lists: true, running: time.running, reportsStatus }],
    list: () => Promise.resolve({ sessions: listed.slice(1), done: true, all: listed }),
    statuses: (_agentId, ids) => {
      asked.push(ids);
      return answer(ids);
    },
    now: () => time.now,
  });
  return { agents, asked, time };
}

describe('the status of a session at its agent', () => {
  it('names the state of a session at its agent', () => {
    assert.match(row({ isOpen: true, work: 'running' }).description, /working at the agent/);
    assert.match(row({ isOpen: true, work: 'requires_action' }).description, /needs an answer at the agent/);
    for (const work of ['idle', 'future', undefined]) {
      const { description, tooltip } = row({ isOpen: true, ...(work !== undefined && { work }) });
      assert.doesNotMatch(description, /at the agent/);
      assert.match(tooltip, /open at the agent/);
    }
    for (const status of [undefined, { isOpen: false, work: 'running' }]) {
      assert.doesNotMatch(row(status).tooltip, /at the agent/);
    }
  });

  it('is not shown for a session that runs in a window here', () => {
    for (const more of [{ running: true }, { elsewhere: true }]) {
      assert.doesNotMatch(row({ isOpen: true, work: 'running' }, more).tooltip, /at the agent/);
    }
  });

  it('is asked for with the list, and again after a while, also for sessions with a record here', async () => {
    const { agents, asked, time } = lists((ids) => Promise.resolve(new Map(ids.map((id) => [id, { isOpen: true }]))));
    agents.loadRunning();
    await settled();
    assert.deepEqual(asked, [['one', 'two']]);
    assert.deepEqual(agents.statusOf('a', 'one'), { isOpen: true });
    agents.loadRunning();
    await settled();
    assert.equal(asked.length, 1);
    time.now = 60_000;
    agents.loadRunning();
    await settled();
    assert.equal(asked.length, 2);
  });

  it('is forgotten when the agent ends, and when it does not answer', async () => {
    const answers = [Promise.resolve(new Map([['one', { isOpen: true }]])), Promise.reject(new Error('gone'))];
    const { agents, time } = lists(() => answers.shift() ?? Promise.resolve(new Map([['one', { isOpen: true }]])));
    agents.loadRunning();
    await settled();
    time.now = 60_000;
    agents.loadRunning();
    await settled();
    assert.equal(agents.statusOf('a', 'one'), undefined);
    time.now = 120_000;
    agents.loadRunning();
    await settled();
    assert.deepEqual(agents.statusOf('a', 'one'), { isOpen: true });
    time.running = false;
    agents.loadRunning();
    assert.equal(agents.statusOf('a', 'one'), undefined);
  });

  it('is not asked for where the agent does not report it', async () => {
    const { agents, asked } = lists(() => Promise.resolve(new Map()), false);
    agents.loadRunning();
    await settled();
    assert.deepEqual(asked, []);
  });
});
