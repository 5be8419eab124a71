import assert from 'node:assert/strict';
import { Sessions } from '../../../src/session/sessions';
import { parseJournal } from '../../../src/session/journal/journalReader';
import { fakeDependencies, launch, turn } from './fakes';
import { setup, say, outline } from './sessionOutline';

describe('sessions', () => {
  it('share one agent for the same launch and folder, and stop it with the last of them', async () => {
    const fakes = fakeDependencies();
    const sessions = new Sessions(fakes.deps);
    const one = sessions.create(launch(), setup);
    const two = sessions.create(launch(), setup);
    const other = sessions.create(launch('Other'), setup);
    assert.equal(fakes.agents.length, 2);
    const [agent] = fakes.agents;
    agent!.ready(agent!.dialect);
    agent!.newSession[0]!({ ok: true, value: { sessionId: 'A', events: [] } });
    agent!.newSession[1]!({ ok: true, value: { sessionId: 'B', events: [] } });
    agent!.client.onUpdate('B', [say('for two')]);
    assert.equal(one.store.state.entries.length, 0);
    assert.equal(two.store.state.entries.length, 1);
    const ending = one.end();
    agent!.closes[0]!();
    await ending;
    assert.equal(agent!.disposed, 0);
    const last = two.end();
    fakes.clock.pass(2000); // This agent never answers `session/close`.
    await last;
    assert.equal(agent!.disposed, 1);
    assert.equal(two.store.state.status, 'ended');
    // The next session starts a new process.
    sessions.create(launch(), setup);
    assert.equal(fakes.agents.length, 3);
    sessions.dispose();
    assert.deepEqual(
      fakes.agents.map(({ disposed }) => disposed),
      [1, 1, 1],
    );
    assert.equal(other.store.state.status, 'starting');
  });

  it('write one journal line per event to disk within 100 ms, and the journal gives the same conversation', async () => {
    const fakes = fakeDependencies();
    const sessions = new Sessions(fakes.deps);
    const session = sessions.create(launch(), setup);
    fakes.agents[0]!.open();
    fakes.agents[0]!.client.onUpdate('S', [say('a'), say('b')]);
    fakes.clock.pass(100);
    await turn();
    const read = parseJournal(fakes.journals.get(session.key)!);
    assert.equal(read?.header.key, session.key);
    assert.equal(read.events.length, session.store.seq);
    assert.equal(read.skipped, 0);
    fakes.agents[0]!.client.onUpdate('S', [say('c')]);
    await sessions.flush();
    const torn = fakes.journals.get(session.key)!.slice(0, -9);
    assert.equal(parseJournal(torn)?.events.length, session.store.seq - 1);
    assert.equal(parseJournal(torn)?.skipped, 1);
    assert.equal(parseJournal('{"not":"ours"}\n'), undefined);
  });

  it('are restored from their journal, with running turns interrupted, and the journal continues', async () => {
    const before = fakeDependencies();
    const first = new Sessions(before.deps);
    const session = first.create(launch(), { cwd: '/w', additionalDirectories: ['/x'], mcpServers: [] });
    before.agents[0]!.open();
    session.prompt([{ type: 'text', text: 'go' }]);
    before.agents[0]!.client.onUpdate('S', [
      { type: 'tool_call_update', toolCallId: 'c', patch: { title: 'T', status: 'in_progress' } },
      say('half'),
    ]);
    await first.flush();
    first.dispose();

    const after = fakeDependencies();
    // The journal is torn in the middle of a line, as after a crash.
    after.journals.set(session.key, before.journals.get(session.key)! + '{"seq":99,"ev');
    after.clock.pass(86_400_000);
    const second = new Sessions(after.deps);
    const restored = (await second.restore(session.key))!;
    assert.equal(restored.store.state.status, 'disconnected');
    assert.equal(second.createdAt(session.key), before.clock.now());
    const times = restored.store.state.entries
      .slice()
      .map((entry) => ('updatedAt' in entry ? entry.updatedAt : 'at' in entry ? entry.at : 0));
    assert.equal(Math.max(...times), before.clock.now(), 'the day until it was read back counts as work');
    assert.deepEqual(restored.store.state.failure, { code: 'session.agent_removed', params: { agent: 'Fake' } });
    assert.deepEqual(outline(restored), ['notice', 'message user go', 'tool_call T unfinished', 'message agent half', 'turn error']);
    assert.deepEqual(restored.roots.additionalDirectories, ['/x']);
    assert.equal(await second.restore(session.key), restored);
    restored.act('retry');
    assert.equal(after.agents.length, 0, 'its agent is no longer in the settings');
    assert.equal(restored.prompt([{ type: 'text', text: 'more' }])?.code, 'session.not_ready');
    await second.flush();
    const again = parseJournal(after.journals.get(session.key)!);
    assert.equal(again?.events.at(-1)?.type, 'disconnected');
    assert.equal(again?.skipped, 1);
    assert.equal(await second.restore('key-unknown'), undefined);
  });

  it('are restored read-only even when their agent had already exited, and unchanged when restored twice', async () => {
    const before = fakeDependencies();
    const first = new Sessions(before.deps);
    const session = first.create(launch(), setup);
    before.agents[0]!.end({ code: 'agent.not_found' });
    await first.flush();
    const journal = before.journals.get(session.key)!;
    for (const text of [journal, `${journal}{"seq":2,"event":{"type":"disconnected","at":1,"failure":{"code":"session.interrupted"}}}\n`]) {
      const after = fakeDependencies();
      after.journals.set(session.key, text);
      const restored = (await new Sessions(after.deps).restore(session.key, launch))!;
      assert.equal(restored.store.state.failure?.code, 'session.interrupted');
      assert.equal(restored.store.seq, 3);
    }
  });
});
