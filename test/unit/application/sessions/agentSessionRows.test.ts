import assert from 'node:assert/strict';
import type { ListedSession } from '../../../../src/acp/dialect';
import { agentSessionRows } from '../../../../src/application/sessions/agentHistory/agentSessionRows';
import { relativeTime, timeOf } from '../../../../src/application/shared/relativeTime';
import { english } from '../english';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const facts = { folders: ['/work', '/lib'], open: new Set(['b']), now: NOW, language: 'en' };
const listed = (sessionId: string, over: Partial<ListedSession> = {}): ListedSession => ({ sessionId, cwd: '/work', ...over });

describe('the sessions of an agent in a list', () => {
  it('begin with those of the workspace, each group in the agent’s order', () => {
    const sessions = [
      listed('a', { cwd: '/elsewhere' }),
      listed('b'),
      listed('c', { cwd: '/lib/' }),
      listed('d', { cwd: '/workshop' }),
      listed('e', { cwd: 'work' }),
    ];
    const { here, elsewhere } = agentSessionRows(sessions, facts, english);
    assert.deepEqual(
      [here, elsewhere].map((rows) => rows.map((row) => row.listed.sessionId)),
      [
        ['b', 'c'],
        ['a', 'd', 'e'],
      ],
    );
    assert.deepEqual(
      here.map(({ isOpen }) => isOpen),
      [true, false],
    );
  });

  it('show their title, when they were used, their folder, and whether they are open', () => {
    const further = ['/a/one', '/a/two', '/a/three', '/a/four', '/a/five'];
    const rows = agentSessionRows(
      [
        listed('b', { title: 'Fix the bug', updatedAt: '2026-11-21T11:00:00Z' }),
        listed('x', { title: ' ', updatedAt: 'yesterday', additionalDirectories: further.slice(0, 2) }),
        listed('y', { title: 'Two', additionalDirectories: further }),
      ],
      facts,
      english,
    ).here.map(({ label, description, detail }) => ({ label, description, detail }));
    assert.deepEqual(rows, [
      { label: 'Fix the bug', description: '1 hour ago · open', detail: '/work' },
      { label: 'Untitled session x', description: '', detail: '/work + one + two' },
      { label: 'Two', description: '', detail: '/work + one + two + three + 2 more folders' },
    ]);
  });

  it("show an agent's text as one line without icons", () => {
    const [row] = agentSessionRows(
      [listed('z', { title: '$(trash) a\nb\u202e', cwd: '/w\u200b', additionalDirectories: ['/x/$(x)'] })],
      facts,
      english,
    ).elsewhere;
    assert.deepEqual([row!.label, row!.detail], ['$\u2060(trash) a⏎b‹U+202E›', '/w‹U+200B› + $\u2060(x)']);
    const long = agentSessionRows([listed('z'.repeat(5000), { title: 'x'.repeat(5000) })], facts, english).here[0]!;
    assert.ok(long.label.length < 150);
  });
});

describe('relative times', () => {
  it('are written as people say them', () => {
    const ago = (seconds: number): string => relativeTime(NOW - seconds * 1000, NOW, 'en');
    assert.deepEqual([0, 1, 59.4, 59.6, 3570, 3 * 3600, 23.6 * 3600, 6 * 86400, 20 * 86400, 200 * 86400, 400 * 86400].map(ago), [
      'now',
      '1 second ago',
      '59 seconds ago',
      '1 minute ago',
      '1 hour ago',
      '3 hours ago',
      'yesterday',
      '6 days ago',
      '3 weeks ago',
      '7 months ago',
      'last year',
    ]);
    assert.equal(ago(-3600), 'now');
    assert.equal(relativeTime(NOW - 60_000, NOW, 'de'), 'vor 1 Minute');
  });

  it("are computed from the agent's dates, or omitted", () => {
    assert.equal(timeOf('2026-11-21T12:00:00Z'), NOW);
    assert.deepEqual([timeOf('soon'), timeOf(undefined), timeOf('')], [undefined, undefined, undefined]);
  });
});
