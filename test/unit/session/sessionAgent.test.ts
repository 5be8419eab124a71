/** The identity of a session's agent: its id, whatever its name is. */
import assert from 'node:assert/strict';
import { agentOf } from '../../../src/core/agents/agentIds';
import type { AgentLaunch } from '../../../src/core/model/agentLaunch';
import { parseJournal } from '../../../src/session/journal/journalReader';
import { Sessions } from '../../../src/session/sessions';
import { fakeDependencies } from './fakes';
import { setup, text } from './earlierScene';

const named = (agentId: string, agentName: string, earlierId?: string): AgentLaunch => ({
  agentId,
  agentName,
  ...(earlierId !== undefined && { earlierId }),
  command: 'fake',
  args: [],
  env: {},
});

/** A stored conversation with one prompt. @param header changes the journal's header, as another version wrote it */
async function stored(launch: AgentLaunch, header: (written: Record<string, unknown>) => Record<string, unknown> = (written) => written) {
  const before = fakeDependencies();
  const sessions = new Sessions(before.deps);
  const session = sessions.create(launch, setup);
  before.agents[0]!.open();
  session.prompt(text('question'));
  await sessions.flush();
  const [first, ...lines] = before.journals.get(session.key)!.split('\n');
  const after = fakeDependencies();
  after.journals.set(session.key, [JSON.stringify(header(JSON.parse(first!) as Record<string, unknown>)), ...lines].join('\n'));
  const restore = async (agents: readonly AgentLaunch[]) => {
    const window = new Sessions(after.deps);
    return { window, session: (await window.restore(session.key, (stored) => agentOf(agents, stored)))! };
  };
  return { key: session.key, after, restore };
}

describe('the agent of a session', () => {
  it('has its id in the journal, beside its name', async () => {
    const { after, key } = await stored(named('mine', 'My Agent'));
    const { agentId, agentName } = parseJournal(after.journals.get(key)!)!.header;
    assert.deepEqual([agentId, agentName], ['mine', 'My Agent']);
  });

  it('is found again when its name has changed, and appears under the new one', async () => {
    const { restore } = await stored(named('mine', 'My Agent'));
    const { session } = await restore([named('other', 'My Agent'), named('mine', 'Renamed')]);
    assert.deepEqual([session.launch?.agentId, session.agentId, session.agentName], ['mine', 'mine', 'Renamed']);
    assert.equal(session.store.state.agentName, 'Renamed');
  });

  it('is found in a journal of an earlier version by its key, and by the name that it had', async () => {
    const withoutId = ({ agentId: _, ...header }: Record<string, unknown>) => header;
    const own = await (await stored(named('Mine', 'Mine'), withoutId)).restore([named('Mine', 'Renamed')]);
    assert.deepEqual([own.session.launch?.agentId, own.session.agentName], ['Mine', 'Renamed']);
    const demo = await stored(named('Demo Agent', 'Demo Agent'), withoutId);
    const { session, window } = await demo.restore([named('acp-host/demo', 'Démo', 'Demo Agent')]);
    assert.deepEqual([session.launch?.agentId, session.agentId], ['acp-host/demo', 'acp-host/demo']);
    session.store.append({ type: 'session_info', title: 'Named' });
    await window.flush();
    assert.equal(demo.after.summaries.get(demo.key)?.agentId, 'acp-host/demo', 'the summary has the id when it is written again');
  });

  it('is never another agent that had its id as a name', async () => {
    const { restore } = await stored(named('Helper', 'Mine'));
    const { session } = await restore([named('extension/acme.helper', 'Helper', 'Helper')]);
    assert.deepEqual([session.launch, session.agentId, session.agentName], [undefined, 'Helper', 'Mine']);
  });

  it('stays unresolved in a journal of an earlier version while it is not configured', async () => {
    const { restore } = await stored(named('Gone', 'Gone'), ({ agentId: _, ...header }) => header);
    const { session } = await restore([named('x', 'Gone')]);
    assert.deepEqual([session.launch, session.agentId, session.agentName], [undefined, 'Gone', 'Gone']);
  });

  it('keeps sessions of two agents with one name apart', () => {
    const { deps, agents } = fakeDependencies();
    const sessions = new Sessions(deps);
    const [one, two] = [sessions.create(named('one', 'Same'), setup), sessions.create(named('two', 'Same'), setup)];
    assert.equal(agents.length, 2, 'each has a process of its own');
    agents.forEach((agent) => agent.open());
    assert.deepEqual([sessions.find('one', 'S'), sessions.find('two', 'S'), sessions.find('Same', 'S')], [one, two, undefined]);
    sessions.markStale('one');
    sessions.create(named('two', 'Same'), setup);
    assert.equal(agents.length, 2, 'the other agent keeps its process');
    sessions.dispose();
  });

  it('keeps its process when only its name changes', () => {
    const { deps, agents } = fakeDependencies();
    const sessions = new Sessions(deps);
    sessions.create(named('mine', 'Before'), setup);
    sessions.create(named('mine', 'After'), setup);
    assert.equal(agents.length, 1);
    sessions.dispose();
  });
});
