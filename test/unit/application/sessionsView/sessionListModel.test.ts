/** Limits how often the sessions view reads and refreshes. */
import assert from 'node:assert/strict';
import type { ListedSession } from '../../../../src/acp/dialect';
import type { JournalSummary } from '../../../../src/session/journal/journalSummary';
import { AgentLists } from '../../../../src/application/sessionsView/agentLists';
import { LiveMarks } from '../../../../src/application/sessionsView/liveMarks';
import { SeenSessions } from '../../../../src/application/sessionsView/seenSessions';
import { stateIcon } from '../../../../src/application/sessionsView/rowIcons';
import { rowStrings } from '../../../../src/application/sessionsView/rowStrings';
import { LOOK_MS, PAGE, READ_MS, REFRESH_MS, SessionListModel } from '../../../../src/application/sessionsView/sessionListModel';
import { ARCHIVED_GROUP, ELSEWHERE_GROUP, type GroupBy, ROOT, type TreeNode } from '../../../../src/application/sessionsView/tree';
import { FakeClock } from '../../session/permission/fakes';
import { english } from '../english';
import { FakeKept, FakeSessions, settled, summary } from './fakes';

function stage(all: JournalSummary[] = [], lists: Record<string, readonly ListedSession[]> = {}, folders: readonly string[] = ['/w']) {
  const clock = new FakeClock();
  const sessions = new FakeSessions(clock);
  const kept = new FakeKept(all);
  const marks = new LiveMarks({ clock, sessions, kept, readMarks: (key) => kept.readMarks(key) });
  const asked: string[] = [];
  const looks = { agents: 0 };
  const agents = new AgentLists({
    agents: () => {
      looks.agents++;
      return Object.keys(lists).map((agentId) => ({
        agentId,
        agentName: agentId,
        lists: true,
        running: sessions.all.some((each) => each.agentId === agentId),
      }));
    },
    list: (agentId, count) => {
      asked.push(agentId);
      const sessions = lists[agentId]!.slice(0, count);
      return Promise.resolve({ sessions, done: sessions.length === lists[agentId]!.length });
    },
  });
  const setting: { groupBy: GroupBy } = { groupBy: 'state' };
  const facts = () => ({ now: clock.now(), language: 'en', folderName: () => undefined, namesFolder: () => false });
  const hidden = new Set<string>();
  const inSight = new Set<string>();
  const seen = new SeenSessions({ clock, sessions, marks, isInSight: (key) => inSight.has(key) });
  const draw = (node: TreeNode) => JSON.stringify([rowStrings(node, facts(), english), node.kind === 'session' && stateIcon(node.facts)]);
  const model = new SessionListModel({
    clock,
    sessions,
    kept,
    marks,
    agents,
    knownAgents: () => [],
    isShown: (key) => !hidden.has(key),
    isWatched: (key) => seen.isWatched(key),
    folders: () => folders,
    groupBy: () => setting.groupBy,
    untitled: (id) => `Untitled ${id}`,
    drawn: draw,
  });
  model.setVisible(true);
  const drawn: (readonly string[])[] = [];
  model.onDidChange((ids) => drawn.push(ids));
  const outline = async (): Promise<string[]> => {
    const lines: string[] = [];
    for (const id of await model.children(ROOT)) {
      lines.push(id.replace(/^group /, ''));
      const node = model.node(id)!;
      if (node.kind === 'group' && !node.collapsed) {
        lines.push(...(await model.children(id)).map((row) => `  ${row}`));
      }
    }
    return lines;
  };
  return { clock, sessions, kept, marks, agents, model, drawn, outline, setting, asked, looks, hidden, inSight, seen };
}

const MINUTE_MS = 60_000;

const many = (count: number, over: Partial<JournalSummary> = {}) =>
  Array.from({ length: count }, (_, index) => summary(`k${index}`, { createdAt: count - index, ...over }));

describe('the sessions view', () => {
  it('reads the agents at most a few times a second for ten busy sessions, because reading the settings takes milliseconds', async () => {
    const { sessions, looks, outline, clock, asked } = stage([], { Codex: [] });
    for (let index = 0; index < 10; index++) {
      sessions.add(`s${index}`);
    }
    await outline();
    clock.pass(REFRESH_MS);
    await settled();
    assert.deepEqual(asked, ['Codex'], 'its list is asked for once it runs');
    looks.agents = 0;
    for (let index = 0; index < 1000; index++) {
      const content = { type: 'text', text: `${index} ` } as const;
      sessions.happen(`s${index % 10}`, { type: 'message_chunk', role: 'agent', messageId: 'm', content });
      if (index % 50 === 49) {
        clock.pass(REFRESH_MS);
      }
    }
    assert.ok(looks.agents <= 2 * 20, `${looks.agents} looks in 5 s`);
  });

  it('draws the rows whose times have changed each minute, with a timer only while it is visible', async () => {
    const { kept, model, clock, outline, drawn } = stage();
    clock.pass(3 * 60 * MINUTE_MS);
    kept.all = [summary('new', { turnEndedAt: clock.now() }), summary('old', { turnEndedAt: 1 })];
    await outline();
    drawn.length = 0;
    clock.pass(MINUTE_MS + REFRESH_MS);
    assert.deepEqual(drawn, [['new']]);
    clock.pass(MINUTE_MS);
    assert.deepEqual(drawn, [['new'], ['new']]);

    model.setVisible(false);
    assert.equal(clock.pending, 0);
    clock.pass(10 * MINUTE_MS);
    assert.equal(drawn.length, 2);
    model.setVisible(true);
    clock.pass(REFRESH_MS);
    await settled();
    assert.deepEqual(drawn.at(-1), ['new']);
  });

  it('sorts a session without a message by the time when it was created, however late the view is opened', async () => {
    const { sessions, clock, model, outline } = stage();
    sessions.add('failed');
    sessions.happen('failed', { type: 'session_failed', failure: { code: 'agent.not_found' } });
    clock.pass(MINUTE_MS);
    sessions.add('worked');
    sessions.turn('worked');
    clock.pass(10 * MINUTE_MS);
    assert.deepEqual(await outline(), ['recent', '  worked', '  failed']);
    const node = model.node('failed');
    assert.equal(node?.kind === 'session' && node.facts.at, sessions.createdAt('failed'));
  });

  it('reads a page, and the next one on request', async () => {
    const { model, kept, outline, drawn } = stage(many(3000));
    const rows = await outline();
    assert.equal(rows.length, 1 + PAGE + 1);
    assert.equal(rows.at(-1), '  more here');
    assert.equal(kept.read, PAGE);
    await model.showMore('here');
    assert.equal(kept.read, 2 * PAGE);
    assert.ok(drawn.length > 0);
    assert.equal((await outline()).length, 1 + 2 * PAGE + 1);
    assert.equal(kept.read, 2 * PAGE);
  });

  it('reads other folders and archived sessions only once they are opened', async () => {
    const elsewhere = many(3, { cwd: '/x' }).map((each) => ({ ...each, key: `x${each.key}` }));
    const { model, kept, outline } = stage([...many(2), ...elsewhere, summary('z', { marks: { archived: true } })]);
    assert.deepEqual(await outline(), ['recent', '  k0', '  k1', 'archived', 'elsewhere']);
    assert.equal(kept.read, 2);
    assert.deepEqual(await model.children(ELSEWHERE_GROUP), ['xk0', 'xk1', 'xk2']);
    assert.equal(kept.read, 5);
    assert.deepEqual(await model.children(ARCHIVED_GROUP), ['z']);
  });

  it('shows a session of this window once, in its present state', async () => {
    const { sessions, outline, model, clock } = stage([summary('a', { title: 'As kept' }), summary('b')]);
    const live = sessions.add('a');
    live.store.append({ type: 'session_info', title: 'As it is' }, { type: 'turn_started', turnId: 't' });
    assert.deepEqual(await outline(), ['active', '  a', 'recent', '  b']);
    const node = model.node('a');
    assert.ok(node?.kind === 'session' && node.facts.title === 'As it is');
    sessions.turn('a');
    clock.pass(REFRESH_MS);
    await settled();
    assert.deepEqual(await outline(), ['recent', '  a', '  b']);
  });

  it('never loses a row that changes while VS Code requests a group again', async () => {
    const { sessions, outline, model, drawn, clock } = stage(many(2));
    const shown = new Map<string, readonly string[]>();
    const draw = async (id: string): Promise<void> => {
      shown.set(id, await model.children(id));
      if (id === ROOT) {
        for (const group of shown.get(ROOT)!) {
          await draw(group);
        }
      }
    };
    await draw(ROOT);
    sessions.add('new');
    clock.pass(REFRESH_MS);
    await settled();
    assert.deepEqual(drawn, [['group recent']]);
    // The session begins to work before that group is requested.
    sessions.happen('new', { type: 'turn_started', turnId: 't' });
    for (let rounds = 0; rounds < 5; rounds++) {
      for (const id of drawn.splice(0).flat()) {
        await draw(id);
      }
      clock.pass(REFRESH_MS);
      await settled();
    }
    assert.deepEqual(await outline(), ['active', '  new', 'recent', '  k0', '  k1']);
    assert.deepEqual(shown.get(ROOT), ['group active', 'group recent']);
    assert.deepEqual(shown.get('group active'), ['new']);
  });

  it('refreshes at most a few times a second while ten sessions stream, and only changed rows', async () => {
    const { sessions, clock, drawn, outline, kept } = stage(many(20));
    const keys = Array.from({ length: 10 }, (_, index) => `live${index}`);
    keys.forEach((key) => sessions.add(key));
    await settled();
    keys.forEach((key) => sessions.happen(key, { type: 'turn_started', turnId: 't' }));
    await outline();
    clock.pass(READ_MS);
    await settled();
    drawn.length = 0;
    const { read } = kept;
    for (let ms = 0; ms < 10_000; ms += 10) {
      for (const key of keys) {
        sessions.happen(key, { type: 'message_chunk', role: 'agent', messageId: 'm', content: { type: 'text', text: 'word ' } });
      }
      // Writes to the disk are reported too.
      kept.tell();
      clock.pass(10);
      await Promise.resolve();
    }
    await settled();
    // After ten thousand events nothing visible has changed, and the disk was read every other second.
    assert.deepEqual(drawn, []);
    assert.ok(kept.read - read <= 6 * 20, `${kept.read - read} read`);
    sessions.happen('live3', { type: 'session_info', title: 'Named' });
    sessions.happen('live4', { type: 'session_info', title: 'Named, too' });
    clock.pass(REFRESH_MS);
    assert.deepEqual(drawn, [['live3', 'live4']]);
    for (let ms = 0; ms < 2000; ms++) {
      sessions.happen('live3', { type: 'session_info', title: `Title ${ms}` });
      clock.pass(1);
    }
    assert.ok(drawn.length - 1 <= 2000 / REFRESH_MS, `${drawn.length} times`);
  });

  it('reads nothing while it is hidden, and everything when it is visible again', async () => {
    const { model, sessions, clock, drawn, outline, kept } = stage(many(1));
    await outline();
    model.setVisible(false);
    const { read } = kept;
    sessions.add('a');
    kept.tell();
    clock.pass(10 * READ_MS);
    await settled();
    assert.deepEqual([drawn, kept.read], [[], read]);
    model.setVisible(true);
    await settled();
    assert.deepEqual(drawn, [['group recent']]);
  });

  it('follows changes of another window', async () => {
    const { kept, clock, outline, drawn } = stage([summary('a'), summary('b', { state: 'working' })]);
    kept.elsewhere.add('b');
    assert.deepEqual(await outline(), ['active', '  b', 'recent', '  a']);
    await kept.mark('a', { pinned: true });
    clock.pass(READ_MS);
    await settled();
    assert.equal(drawn.length, 1);
    assert.deepEqual(await outline(), ['active', '  b', 'recent', '  a']);
  });

  it('shows that another window has a resting session, too, until that lets it go', async () => {
    const { kept, clock, outline, drawn, model } = stage([summary('a'), summary('b')]);
    kept.elsewhere.add('b');
    assert.deepEqual(await outline(), ['recent', '  a', '  b']);
    const isElsewhere = () => {
      const node = model.node('b');
      return node?.kind === 'session' && node.facts.elsewhere;
    };
    assert.equal(isElsewhere(), true);
    kept.elsewhere.delete('b');
    clock.pass(LOOK_MS);
    await settled();
    assert.deepEqual(drawn, [['b']]);
    assert.equal(isElsewhere(), false);
    // The timer of the rows' times remains.
    assert.equal(clock.pending, 1, 'it goes on looking');
  });

  it('shows sessions as ended that were running when their window closed', async () => {
    const { outline } = stage([summary('a', { state: 'working' }), summary('b', { state: 'needsYou' }), summary('c', { state: 'failed' })]);
    assert.deepEqual(await outline(), ['recent', '  a', '  b', '  c']);
  });

  it('shows sessions as done that ended unseen, until they are seen, even after a restart', async () => {
    const { outline } = stage([
      summary('unseen', { state: 'done', turnEndedAt: 100 }),
      summary('seen', { state: 'done', turnEndedAt: 100, marks: { seenAt: 100 } }),
      summary('later', { state: 'done', turnEndedAt: 101, marks: { seenAt: 100 } }),
      summary('old', { changedAt: 100 }),
      summary('stopped', { state: 'resting', turnEndedAt: 100 }),
    ]);
    assert.deepEqual(await outline(), ['recent', '  later', '  old', '  seen', '  stopped', '  unseen']);
  });

  it("adds sessions from agents' lists that are not stored, asks running agents only, and starts none", async () => {
    const listed = (sessionId: string, cwd = '/w'): ListedSession => ({ sessionId, cwd, title: `At agent ${sessionId}` });
    const { sessions, agents, asked, outline, clock, model } = stage([summary('a', { sessionId: 'S1' })], {
      Codex: [listed('S1'), listed('S2'), listed('S3', '/x')],
      Gemini: [listed('G1')],
    });
    agents.loadRunning();
    await settled();
    assert.deepEqual(asked, []);
    assert.deepEqual(await outline(), ['recent', '  a', 'elsewhere']);
    assert.deepEqual(await model.children(ELSEWHERE_GROUP), ['agent list Codex', 'agent list Gemini']);
    sessions.add('live');
    agents.loadRunning();
    agents.loadRunning();
    await settled();
    assert.deepEqual(asked, ['Codex']);
    clock.pass(REFRESH_MS);
    assert.deepEqual(await outline(), ['recent', '  live', '  a', '  agent ["Codex","S2"]', 'elsewhere']);
    assert.deepEqual(await model.children(ELSEWHERE_GROUP), ['agent ["Codex","S3"]', 'agent list Gemini']);
    await agents.load('Gemini', true);
    clock.pass(REFRESH_MS);
    assert.ok((await outline()).includes('  agent ["Gemini","G1"]'));
    agents.remove('Gemini', 'G1');
    clock.pass(REFRESH_MS);
    assert.ok(!(await outline()).includes('  agent ["Gemini","G1"]'));
  });

  it('never shows the end of a turn in sight as unread, whenever it is drawn', async () => {
    const { sessions, clock, outline, model, inSight, seen } = stage();
    sessions.add('a');
    inSight.add('a');
    await outline();
    const isUnread = (): unknown => {
      const node = model.node('a');
      return node?.kind === 'session' && node.facts.unread;
    };
    const states = new Set<unknown>();
    model.onDidChange(() => states.add(isUnread()));
    sessions.happen('a', { type: 'turn_started', turnId: 't' });
    // The turn ends shortly before a drawing that is due.
    clock.pass(REFRESH_MS - 1);
    sessions.happen('a', { type: 'turn_ended', turnId: 't', stopReason: 'end_turn' });
    clock.pass(1000);
    await settled();
    assert.equal(states.has(true), false);

    await seen.markUnread('a');
    clock.pass(1000);
    await settled();
    assert.equal(isUnread(), true);
  });

  it('lists a session without a message only while a page shows it', async () => {
    const { sessions, outline, hidden, clock, kept } = stage();
    sessions.add('empty');
    sessions.add('failed');
    sessions.happen('failed', { type: 'session_failed', failure: { code: 'agent.not_found' } });
    assert.deepEqual(await outline(), ['recent', '  empty', '  failed']);
    hidden.add('empty');
    hidden.add('failed');
    kept.tell();
    clock.pass(READ_MS);
    await settled();
    assert.deepEqual(await outline(), []);
    sessions.happen('empty', { type: 'turn_started', turnId: 't' });
    clock.pass(REFRESH_MS);
    assert.deepEqual(await outline(), ['active', '  empty']);
  });

  it('lists a session without a message, whose chat is closed, while it has stored data such as a draft', async () => {
    const { sessions, outline, hidden } = stage([summary('draft', { title: '' })]);
    sessions.add('draft');
    hidden.add('draft');
    await settled();
    assert.deepEqual(await outline(), ['recent', '  draft']);
  });

  it('keeps a session in its group while it is read, and refreshes only its row', async () => {
    const { outline, drawn, clock, sessions, marks } = stage([summary('a')]);
    sessions.add('b');
    await settled();
    sessions.turn('b');
    clock.pass(REFRESH_MS);
    const before = await outline();
    drawn.length = 0;
    await marks.mark('b', { seenAt: clock.now() });
    clock.pass(REFRESH_MS);
    await settled();
    assert.deepEqual(await outline(), before);
    assert.deepEqual(drawn.flat(), ['b']);
  });

  it('returns the group of each row, which VS Code requests before it selects one', async () => {
    const { outline, model, sessions } = stage([summary('a')]);
    sessions.add('b');
    sessions.happen('b', { type: 'turn_started', turnId: 't' });
    await outline();
    assert.deepEqual(
      ['a', 'b', 'group recent', 'nothing'].map((id) => model.parentOf(id)),
      ['group recent', 'group active', undefined, undefined],
    );
  });

  it('lists no session twice in a window without a folder', async () => {
    const { outline, model } = stage([summary('a')], { Codex: [] }, []);
    await outline();
    assert.deepEqual(await model.children(ELSEWHERE_GROUP), ['agent list Codex']);
  });

  it('groups by agent when that is configured', async () => {
    const { model, outline, setting, drawn } = stage([summary('a'), summary('b', { agentName: 'Gemini' })]);
    await outline();
    setting.groupBy = 'agent';
    await model.reset();
    assert.deepEqual(drawn, [[ROOT]]);
    assert.deepEqual(await outline(), ['agent Codex', '  a', 'agent Gemini', '  b']);
  });
});
