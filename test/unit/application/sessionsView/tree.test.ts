/** The rows of the sessions view, their groups and order, and which of them are refreshed. */
import assert from 'node:assert/strict';
import type { SessionFacts } from '../../../../src/application/sessionsView/sessionFacts';
import {
  changedRows,
  type GroupBy,
  ROOT,
  type SectionFacts,
  type Tree,
  treeOf,
  type TreeFacts,
} from '../../../../src/application/sessionsView/tree';
import { facts } from './fakes';

const section = (sessions: readonly SessionFacts[] = [], left = 0): SectionFacts => ({ sessions, total: sessions.length + left, left });
const tree = (sessions: readonly SessionFacts[], over: Partial<TreeFacts> = {}): Tree =>
  treeOf({ groupBy: 'state', folders: ['/w'], here: section(sessions), elsewhere: section(), archived: section(), agents: [], ...over });

/** The tree as lines: groups with their counts, with their rows indented. */
function outline({ nodes, children }: Tree): string[] {
  const lineOf = (id: string): string => {
    const node = nodes.get(id)!;
    return node.kind === 'group' ? `${id.replace(/^group /, '')} ${node.count}${node.collapsed ? ' closed' : ''}` : id;
  };
  return (children.get(ROOT) ?? []).flatMap((id) => [lineOf(id), ...(children.get(id) ?? []).map((row) => `  ${lineOf(row)}`)]);
}

describe('rows of the sessions view', () => {
  it('are in two groups: in progress, first those that need the user, and recent, newest first', () => {
    const rows = tree([
      facts('rest', { at: 5 }),
      facts('failed', { status: 'failed', at: 4 }),
      facts('old', { at: 1 }),
      facts('newest', { at: 9 }),
      facts('done', { status: 'done', at: 6 }),
      facts('work', { status: 'working', at: 20 }),
      facts('need', { status: 'needsYou', at: 10 }),
    ]);
    assert.deepEqual(outline(rows), ['active 2', '  need', '  work', 'recent 5', '  newest', '  done', '  rest', '  failed', '  old']);
  });

  it('keep their position when an ended session is read', () => {
    const unread = tree([facts('a', { at: 2 }), facts('b', { status: 'done', unread: true, at: 1 })]);
    const read = tree([facts('a', { at: 2 }), facts('b', { at: 1 })]);
    assert.deepEqual(outline(unread), outline(read));
  });

  it('have at most three groups, whatever their state, and one closed group after them', () => {
    const standings = ['needsYou', 'working', 'done', 'resting', 'failed'] as const;
    const rows = tree(
      standings.map((status) => facts(status, { status, pinned: status === 'resting' })),
      {
        elsewhere: section([], 3),
        archived: section([], 1),
        agents: [
          { agentId: 'Codex', agentName: 'Codex', state: 'failed' },
          { agentId: 'Gemini', agentName: 'Gemini', state: 'idle' },
        ],
      },
    );
    assert.deepEqual(rows.children.get(ROOT), ['group active', 'group recent', 'group archived', 'group elsewhere']);
    const last = rows.nodes.get('group elsewhere');
    assert.ok(last?.kind === 'group' && last.collapsed);
  });

  it('are on top of their group when they are pinned, after those that need the user', () => {
    const sessions = [
      facts('a', { at: 9000 }),
      facts('pin', { pinned: true }),
      facts('waits', { status: 'needsYou' }),
      facts('works', { status: 'working', at: 3000 }),
      facts('pinned works', { pinned: true, status: 'working', at: 2000 }),
    ];
    assert.deepEqual(outline(tree(sessions)), ['active 3', '  waits', '  pinned works', '  works', 'recent 2', '  pin', '  a']);
    assert.deepEqual(outline(tree([facts('a', { at: 9000 }), facts('pin', { pinned: true })], { groupBy: 'agent' })), [
      'agent Codex 2',
      '  pin',
      '  a',
    ]);
  });

  const cases: readonly (readonly [groupBy: GroupBy, groups: readonly string[]])[] = [
    ['folder', ['folder /w 1', '  a', 'folder /w/sub 2', '  c', '  b', 'folder /x 1', '  d']],
    ['agent', ['agent Gemini 2', '  d', '  c', 'agent Codex 2', '  b', '  a']],
  ];
  for (const [groupBy, groups] of cases) {
    it(`are grouped by ${groupBy}, first the workspace’s folders and then by the newest in each`, () => {
      const sessions = [
        facts('a', { at: 1 }),
        facts('b', { at: 2, cwd: '/w/sub' }),
        facts('c', { at: 3, cwd: '/w/sub', agentName: 'Gemini' }),
        facts('d', { at: 4, cwd: '/x', agentName: 'Gemini' }),
      ];
      assert.deepEqual(outline(tree(sessions, { groupBy, folders: ['/w', '/w/sub'] })), groups);
    });
  }

  it('give access to more pages, archived sessions, other folders and agents’ lists, all closed', () => {
    const rows = tree([facts('a')], {
      here: section([facts('a')], 70),
      elsewhere: section([], 3),
      archived: section([facts('z', { archived: true })], 1),
      agents: [{ agentId: 'Codex', agentName: 'Codex', state: 'idle' }],
    });
    assert.deepEqual(outline(rows), [
      'recent 71',
      '  a',
      '  more here',
      'archived 2 closed',
      '  z',
      '  more archived',
      'elsewhere 3 closed',
      '  more elsewhere',
      '  agent list Codex',
    ]);
  });

  it('give access to further pages when all rows are in progress, and to agents’ lists alone', () => {
    const busy = facts('a', { status: 'working' });
    const rows = tree([busy], { here: section([busy], 7), agents: [{ agentId: 'Codex', agentName: 'Codex', state: 'idle' }] });
    assert.deepEqual(outline(rows), ['active 1', '  a', 'recent 7', '  more here', 'elsewhere 0 closed', '  agent list Codex']);
    const byAgent = tree([busy], { groupBy: 'agent', here: section([busy], 7) });
    assert.deepEqual(outline(byAgent), ['agent Codex 1', '  a', 'more here']);
  });

  it('are empty without a session, so that the welcome view is shown', () => {
    assert.deepEqual(outline(tree([], { agents: [{ agentId: 'Codex', agentName: 'Codex', state: 'idle' }] })), []);
    assert.deepEqual(outline(tree([], { elsewhere: section([], 2) })), ['elsewhere 2 closed', '  more elsewhere']);
  });

  it('keep their order when they have the same time', () => {
    const ids = ['a', 'b', 'c'].map((id) => facts(id));
    assert.deepEqual(outline(tree(ids)), outline(tree(ids.toReversed())));
  });
});

describe('rows with the same title', () => {
  const named = (groupBy: GroupBy, ...sessions: SessionFacts[]) =>
    [...tree(sessions, { groupBy }).nodes.values()].flatMap((node) => (node.kind === 'session' && node.facts.namesAgent ? [node.id] : []));
  const first = facts('a', { title: 'Limes' });
  const second = facts('b', { title: 'Limes', agentName: 'Claude' });

  it('name their agents when these differ', () => {
    assert.deepEqual(named('state', first, second, facts('c')), ['a', 'b']);
    assert.deepEqual(named('folder', facts('c', { agentName: 'Claude' }), second, first), ['a', 'b']);
    assert.deepEqual(named('state', first, facts('b', { title: 'Limes' })), []);
    assert.deepEqual(named('agent', first, second), []);
  });
});

describe('refreshed rows', () => {
  const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
  const before = [facts('a', { at: 2000 }), facts('b'), facts('w', { status: 'working' })];
  const changed = (after: readonly SessionFacts[]) => changedRows(tree(before), tree(after), same);
  const without = (id: string) => before.filter((each) => each.id !== id);

  const cases: readonly (readonly [what: string, after: readonly SessionFacts[], rows: readonly string[]])[] = [
    ['nothing, when nothing changed', before, []],
    ['a row whose words changed', [...without('a'), facts('a', { at: 2000, title: 'Other' })], ['a']],
    ['the group in which they changed places', [...without('b'), facts('b', { at: 3000 })], ['group recent']],
    ['the group that one was added to', [...before, facts('c')], ['group recent']],
    ['the group that one has left', without('b'), ['group recent']],
    ['a row that was read', [...without('a'), facts('a', { at: 2000, status: 'done' })], ['a']],
    ['all, when one moves to another group', [...without('b'), facts('b', { status: 'working' })], [ROOT]],
    ['all, when a group goes', without('w'), [ROOT]],
  ];
  for (const [what, after, rows] of cases) {
    it(`are ${what}`, () => assert.deepEqual(changed(after), rows));
  }
});
