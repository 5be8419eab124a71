/** Which rows the sessions view has, in which groups and order, and which of them are drawn again. */
import assert from 'node:assert/strict';
import type { SessionFacts } from '../../../../src/workbench/sessionsView/sessionFacts';
import {
  changedRows,
  type GroupBy,
  ROOT,
  type SectionFacts,
  type Tree,
  treeOf,
  type TreeFacts,
} from '../../../../src/workbench/sessionsView/tree';
import { facts } from './fakes';

const section = (sessions: readonly SessionFacts[] = [], left = 0): SectionFacts => ({ sessions, total: sessions.length + left, left });
const tree = (sessions: readonly SessionFacts[], over: Partial<TreeFacts> = {}): Tree =>
  treeOf({ groupBy: 'state', folders: ['/w'], here: section(sessions), elsewhere: section(), archived: section(), agents: [], ...over });

/** As lines: groups with their counts, what is in them indented. */
function outline({ nodes, children }: Tree): string[] {
  const lineOf = (id: string): string => {
    const node = nodes.get(id)!;
    return node.kind === 'group' ? `${id.replace(/^group /, '')} ${node.count}${node.collapsed ? ' closed' : ''}` : id;
  };
  return (children.get(ROOT) ?? []).flatMap((id) => [lineOf(id), ...(children.get(id) ?? []).map((row) => `  ${lineOf(row)}`)]);
}

describe('rows of the sessions view', () => {
  it('stand in groups by how they are, newest first', () => {
    const rows = tree([
      facts('rest', { at: 5 }),
      facts('failed', { standing: 'failed' }),
      facts('old', { at: 1 }),
      facts('newest', { at: 9 }),
      facts('done', { standing: 'done' }),
      facts('work', { standing: 'working' }),
      facts('need', { standing: 'needsYou' }),
    ]);
    assert.deepEqual(outline(rows), [
      'state needsYou 1',
      '  need',
      'state working 1',
      '  work',
      'state done 1',
      '  done',
      'state resting 3',
      '  newest',
      '  rest',
      '  old',
      'state failed 1',
      '  failed',
    ]);
  });

  it('are on top when they are pinned, but never behind what needs the user', () => {
    const sessions = [
      facts('a'),
      facts('pin', { pinned: true }),
      facts('waits', { pinned: true, standing: 'needsYou' }),
      facts('works', { pinned: true, standing: 'working', at: 2000 }),
    ];
    assert.deepEqual(outline(tree(sessions)), ['state needsYou 1', '  waits', 'pinned 2', '  works', '  pin', 'state resting 1', '  a']);
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
    it(`stand in groups by ${groupBy}, the workspace’s folders first and else by the newest in each`, () => {
      const sessions = [
        facts('a', { at: 1 }),
        facts('b', { at: 2, cwd: '/w/sub' }),
        facts('c', { at: 3, cwd: '/w/sub', agentName: 'Gemini' }),
        facts('d', { at: 4, cwd: '/x', agentName: 'Gemini' }),
      ];
      assert.deepEqual(outline(tree(sessions, { groupBy, folders: ['/w', '/w/sub'] })), groups);
    });
  }

  it('lead to more: pages, agents’ lists, other folders and archived ones, closed', () => {
    const rows = tree([facts('a')], {
      here: section([facts('a')], 70),
      elsewhere: section([], 3),
      archived: section([facts('z', { archived: true })], 1),
      agents: [{ agentName: 'Codex', state: 'idle' }],
    });
    assert.deepEqual(outline(rows), [
      'state resting 1',
      '  a',
      'more here',
      'agent list Codex',
      'elsewhere 3 closed',
      '  more elsewhere',
      'archived 2 closed',
      '  z',
      '  more archived',
    ]);
  });

  it('are none without a session, so that the welcome shows', () => {
    assert.deepEqual(outline(tree([], { agents: [{ agentName: 'Codex', state: 'idle' }] })), []);
    assert.deepEqual(outline(tree([], { elsewhere: section([], 2) })), ['elsewhere 2 closed', '  more elsewhere']);
  });

  it('stay in their order when they are of the same time', () => {
    const ids = ['a', 'b', 'c'].map((id) => facts(id));
    assert.deepEqual(outline(tree(ids)), outline(tree(ids.toReversed())));
  });
});

describe('rows that are drawn again', () => {
  const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
  const before = [facts('a', { at: 2000 }), facts('b'), facts('w', { standing: 'working' })];
  const changed = (after: readonly SessionFacts[]) => changedRows(tree(before), tree(after), same);
  const without = (id: string) => before.filter((each) => each.id !== id);

  const cases: readonly (readonly [what: string, after: readonly SessionFacts[], rows: readonly string[]])[] = [
    ['nothing, when nothing changed', before, []],
    ['a row whose words changed', [...without('a'), facts('a', { at: 2000, title: 'Other' })], ['a']],
    ['the group in which they changed places', [...without('b'), facts('b', { at: 3000 })], ['group state resting']],
    ['the group that one was added to', [...before, facts('c')], ['group state resting']],
    ['the group that one has left', without('b'), ['group state resting']],
    ['all, when one moves to another group', [...without('b'), facts('b', { standing: 'working' })], [ROOT]],
    ['all, when a group comes', [...before, facts('f', { standing: 'failed' })], [ROOT]],
    ['all, when a group goes', without('w'), [ROOT]],
  ];
  for (const [what, after, rows] of cases) {
    it(`are ${what}`, () => assert.deepEqual(changed(after), rows));
  }
});
