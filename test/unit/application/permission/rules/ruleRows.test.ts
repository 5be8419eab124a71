import assert from 'node:assert/strict';
import type { RecentDenial } from '../../../../../src/application/permission/rules/denials';
import { ruleRows } from '../../../../../src/application/permission/rules/ruleRows';
import type { StoredRule } from '../../../../../src/policy/rules/userRule';
import { english } from '../../english';

const NOW = 1_800_000_000_000;
const stored = (id: string, over: Partial<StoredRule> & { readonly body?: object } = {}): StoredRule => {
  const { body, ...others } = over;
  return { rule: { id, effect: 'allow', command: id, ...body }, scope: 'always', from: 'settings', ...others };
};
const denial = (over: Partial<RecentDenial> = {}): RecentDenial => ({
  id: 'denial-1',
  at: NOW - 120_000,
  sessionId: 's',
  cwd: '/w',
  title: 'git push',
  ...over,
});
const rows = (rules: readonly StoredRule[], denials: readonly RecentDenial[] = []) =>
  ruleRows({ rules, denials, now: NOW, language: 'en' }, english);

describe('the rows of the permission rules', () => {
  it('leave out a group without rows', () => {
    assert.deepEqual(rows([]), []);
    assert.deepEqual(
      rows([], [denial()]).map(({ label }) => label),
      ['Recently Denied', 'git push'],
    );
  });

  it('list denials first, then questions, then permissions', () => {
    const labels = rows([stored('a'), stored('b', { body: { effect: 'ask' } }), stored('c', { body: { effect: 'deny' } })]);
    assert.deepEqual(
      labels.map(({ label, icon, parent }) => [label, icon, parent]),
      [
        ['Rules', undefined, undefined],
        ['Deny `c`', 'circle-slash', 'rules'],
        ['Ask about `b`', 'question', 'rules'],
        ['Allow `a`', 'pass', 'rules'],
      ],
    );
  });

  it('say where a rule came from, and when it was last used', () => {
    const described = (over: Partial<StoredRule>) => rows([stored('a', over)])[1]!.description;
    assert.equal(described({}), 'in your settings · not used yet');
    assert.equal(described({ from: 'card', lastUsed: NOW - 3_600_000 }), 'made on a request · used 1 hour ago');
    assert.equal(described({ from: 'import' }), 'imported · not used yet');
    assert.equal(described({ from: 'session' }), 'for a session · not used yet');
    assert.equal(described({ from: 'workspace' }), 'in the settings of the workspace · not used yet');
  });

  it('warn of a rule that is not in force', () => {
    const [, row] = rows([stored('a', { problem: 'not confirmed', isUnconfirmed: true, body: { message: 'Use make.' } })]);
    assert.deepEqual(
      [row!.icon, row!.description, row!.context],
      ['warning', 'not confirmed · in your settings', 'rule revocable unconfirmed'],
    );
    assert.equal(row!.tooltip, 'Allow `a`\nnot confirmed\nThe agent receives: Use make.\nin your settings · not used yet');
  });

  it("name a rule's folder, whose path is in the tooltip", () => {
    const [, row] = rows([stored('a', { body: { folder: '/home/ada/shop/' } })]);
    assert.deepEqual([row!.label, row!.tooltip?.split('\n')[0]], ['Allow `a` in shop', 'Allow `a` in /home/ada/shop/']);
  });

  it('offer no revocation of what only a text editor can change', () => {
    assert.equal(rows([stored('a', { from: 'workspace' })])[1]!.context, 'rule');
    assert.equal(rows([stored('broken-0', { problem: 'a rule must be an object' })])[1]!.context, 'rule');
  });

  it('list a rule once, though each session has it', () => {
    const listed = rows([
      stored('a'),
      stored('a'),
      stored('a', { from: 'session' }),
      stored('broken-0'),
      stored('broken-0', { from: 'workspace' }),
    ]);
    assert.equal(listed.length, 5);
    assert.equal(new Set(listed.map(({ id }) => id)).size, 5);
  });

  it('name a denied file before its folder', () => {
    const [, ...files] = rows([], [denial({ title: '/w/src/calc.js' }), denial({ title: '/w/.env' }), denial({ title: '/etc/hosts' })]);
    assert.deepEqual(
      files.map(({ label, description, tooltip }) => [label, description, tooltip?.split('\n')[0]]),
      [
        ['calc.js', 'src · by you · 2 minutes ago', '/w/src/calc.js'],
        ['.env', 'by you · 2 minutes ago', '/w/.env'],
        ['hosts', '/etc · by you · 2 minutes ago', '/etc/hosts'],
      ],
    );
  });

  it('offer to deny what the user denied once', () => {
    const [, byUser] = rows([], [denial({ deny: { effect: 'deny', command: 'git push' } })]);
    assert.equal(byUser!.context, 'denial deniable');
    assert.equal(byUser!.tooltip, 'git push\nby you · 2 minutes ago\nAlways Deny: Deny `git push`');
  });

  it('say who denied a request, and offer the rule that would allow it', () => {
    const [, byUser] = rows([], [denial({ allow: { effect: 'allow', command: 'git push' } })]);
    assert.deepEqual([byUser!.description, byUser!.context], ['by you · 2 minutes ago', 'denial allowable']);
    assert.equal(byUser!.tooltip, 'git push\nby you · 2 minutes ago\nAllow in This Folder: Allow `git push`');
    const [, byRule] = rows([], [denial({ rule: 'Deny `git push *`', ruleId: 'r' })]);
    assert.deepEqual([byRule!.description, byRule!.context], ['by the rule Deny `git push *` · 2 minutes ago', 'denial ruled']);
    const [, byMode] = rows([], [denial({ rule: 'Plan only. Do not edit files.', code: 'mode_plan_only' })]);
    assert.deepEqual([byMode!.description, byMode!.context], ['by the permission mode Plan only · 2 minutes ago', 'denial']);
    const [, asBefore] = rows([], [denial({ rule: 'Never', code: 'answered_before' })]);
    assert.deepEqual([asBefore!.description, asBefore!.context], ['by your earlier answer · 2 minutes ago', 'denial']);
  });
});
