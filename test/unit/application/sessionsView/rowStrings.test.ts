/** The texts of rows in the sessions view. They contain nothing but plain text. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { rowStrings, type RowTextFacts } from '../../../../src/application/sessionsView/rowStrings';
import type { SessionFacts } from '../../../../src/application/sessionsView/sessionFacts';
import type { GroupNode } from '../../../../src/application/sessionsView/tree';
import { english } from '../english';
import { facts } from './fakes';

const NOW = 1_700_000_000_000;
const words: RowTextFacts = {
  now: NOW,
  language: 'en',
  folderName: (folder) => (folder === '/w' ? 'web' : undefined),
  namesFolder: (folder) => folder !== '/w',
};
const row = (over: Partial<SessionFacts>, more: Partial<RowTextFacts> = {}) =>
  rowStrings({ kind: 'session', id: 'a', facts: facts('a', { at: NOW - 5 * 60_000, ...over }) }, { ...words, ...more }, english);
const changes = { files: 2, added: 12, removed: 3 };

describe('texts of the sessions view', () => {
  it('show title, lines and time, and the folder when there are several', () => {
    assert.deepEqual(row({ changes }), {
      label: 'Title a',
      description: '5m · +12 −3',
      tooltip: 'Title a\nCodex in /w\n5 minutes ago\n2 files changed, 12 lines added, 3 removed',
      spoken: 'Title a, Codex in /w, 5 minutes ago, 2 files changed, 12 lines added, 3 removed',
      context: 'session kept',
    });
    assert.equal(row({ cwd: '/x/deep/folder' }).description, '5m · folder');
    assert.equal(row({ changes }, { namesFolder: () => true }).description, '5m · +12 −3 · web');
    assert.equal(row({ title: '' }).label, 'Codex');
    assert.equal(row({ namesAgent: true }).description, 'Codex · 5m');
    assert.equal(row({ namesAgent: true, status: 'needsYou' }).description, 'needs your answer · Codex · 5m');
  });

  it('say what the user must do, and leave the other states to the icon', () => {
    const standings = (['needsYou', 'interrupted', 'working', 'done', 'failed', 'resting'] as const).map(
      (status) => row({ status }).description,
    );
    assert.deepEqual(standings, ['needs your answer · 5m', 'interrupted · 5m', '5m', '5m', '5m', '5m']);
    assert.equal(row({ status: 'needsYou', needsInput: true }).description, 'needs input · 5m');
    assert.equal(row({ status: 'working', elsewhere: true }).description, 'open in another window · 5m');
  });

  it('say until when a session waits that is at its limit', () => {
    const now = new Date(2026, 4, 5, 18, 0).getTime();
    const at = now - 5 * 60_000;
    const until = (hours: number) => row({ status: 'limited', at, continuesAt: now + hours * 3_600_000 }, { now });
    const space = (text?: string) => text?.replaceAll('\u202f', ' ');
    assert.equal(row({ status: 'limited', at }, { now }).description, 'at its limit · 5m');
    assert.equal(space(until(1.95).description), 'waits until 7:57 PM · 5m');
    assert.equal(space(until(24).spoken), 'Title a, waits until May 6, 6:00 PM, Codex in /w, 5 minutes ago');
  });

  it('leave room for what the user must do, beside a long title and without buttons that cover it', () => {
    const title = 'Please tidy the cart and use euros everywhere';
    const { label, tooltip, context } = row({ title, status: 'needsYou', busy: true });
    assert.equal(label, 'Please tidy the cart…');
    assert.ok(tooltip!.startsWith(`${title}\n`));
    assert.equal(context, 'session kept busy asking');
    assert.equal(row({ title, status: 'working', busy: true }).label, title);
    const { contributes } = JSON.parse(readFileSync(path.resolve(__dirname, '../../../../package.json'), 'utf8')) as {
      contributes: { menus: Record<string, { command: string; when: string; group: string }[]> };
    };
    const shown = contributes.menus['view/item/context']!.filter(
      ({ group, when }) =>
        group.startsWith('inline') &&
        when.includes('acpHost.sessions') &&
        !when.includes('!(viewItem =~ /\\basking\\b/)') &&
        !when.includes('barchived'),
    );
    assert.deepEqual(
      shown.map(({ command }) => command),
      ['acpHost.stopSessionButton'],
    );
  });

  it('speak each state, which the icon shows', () => {
    const spoken = (['needsYou', 'working', 'interrupted', 'done', 'failed'] as const).map(
      (status) => row({ status }).spoken!.split(', ')[1],
    );
    assert.deepEqual(spoken, ['needs your answer', 'working', 'interrupted', 'done', 'failed']);
  });

  it('say the time in few letters, and months otherwise than minutes', () => {
    const days = (count: number) => row({ at: NOW - count * 24 * 3_600_000 }).description;
    assert.deepEqual([days(0.1), days(3), days(15), days(100), days(800)], ['2h', '3d', '2w', '3 mths', '2 yrs']);
  });

  it('do not count seconds', () => {
    assert.equal(row({ at: NOW - 1000 }).description, row({ at: NOW - 59_000 }).description);
    assert.equal(row({ at: NOW + 5000 }).description, 'now');
  });

  it('never contain an icon, a link or a second line', () => {
    const hostile = '$(trash) [x](command:y)\u202e\nnext';
    const { label, description, tooltip, spoken } = row({ title: hostile, cwd: `/x/${hostile}`, agentName: hostile });
    for (const text of [label, description, tooltip, spoken]) {
      assert.ok(!/\$\(|\]\(|\u202e/.test(text!), text);
    }
    assert.equal(tooltip!.split('\n').length, 3);
    assert.ok(!/\n/.test(label));
    const group = (of: GroupNode['of']) => rowStrings({ kind: 'group', id: 'g', of, count: 2, collapsed: false }, words, english);
    assert.ok(!group({ type: 'agent', agentId: 'a', agentName: hostile }).label.includes('$('));
    assert.ok(!group({ type: 'folder', folder: `/${hostile}` }).label.includes('$('));
    const agent = rowStrings({ kind: 'agent', id: 'l', agentId: 'a', agentName: hostile, state: 'idle' }, words, english);
    assert.ok(!agent.label.includes('$('));
    assert.ok(row({ title: 'x'.repeat(5000) }).label.length < 300);
  });

  it('name groups and rows that show more', () => {
    const group = (of: GroupNode['of']) => rowStrings({ kind: 'group', id: 'g', of, count: 2, collapsed: false }, words, english).label;
    const elsewhere = (hasSessions: boolean, hasAgents: boolean) => group({ type: 'elsewhere', hasSessions, hasAgents });
    assert.deepEqual(
      (['active', 'recent', 'archived'] as const).map((type) => group({ type })),
      ['In Progress', 'Recent', 'Archived'],
    );
    assert.deepEqual(
      [elsewhere(true, false), elsewhere(false, true), elsewhere(true, true)],
      ['Other Folders', 'Agent History', 'Other Folders and Agent History'],
    );
    assert.deepEqual([group({ type: 'folder', folder: '/w' }), group({ type: 'folder', folder: '/a/b' })], ['web', 'b']);
    const states = (['idle', 'loading', 'more', 'failed'] as const).map(
      (state) => rowStrings({ kind: 'agent', id: 'l', agentId: 'a', agentName: 'Codex', state }, words, english).label,
    );
    assert.deepEqual(states, [
      'Load Sessions of Codex…',
      'Loading sessions from Codex…',
      'Load More Sessions of Codex…',
      "Couldn't load sessions of Codex. Retry…",
    ]);
    assert.deepEqual(rowStrings({ kind: 'more', id: 'm', section: 'here', left: 7 }, words, english), {
      label: 'Show More…',
      description: '7',
      context: 'more',
    });
  });

  it('contain context values for the menus', () => {
    assert.equal(
      row({ live: true, running: true, busy: true, pinned: true, unread: true }).context,
      'session kept live running busy pinned unread',
    );
    const { key: _, ...listed } = facts('a');
    assert.equal(rowStrings({ kind: 'session', id: 'a', facts: listed }, words, english).context, 'session listed');
  });
});
