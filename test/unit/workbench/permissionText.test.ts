import assert from 'node:assert/strict';
import type { PermissionAsk } from '../../../src/permission/presenter';
import { visible } from '../../../src/workbench/escape';
import { permissionWords } from '../../../src/workbench/permissionText';
import { english } from './english';

const ask = (over: Partial<PermissionAsk>): PermissionAsk => ({
  sessionKey: 's1',
  agentName: 'Codex',
  permissionId: 'p1',
  title: 'Run the tests',
  options: [],
  subject: {},
  cwd: '/work/app',
  ...over,
});

const deed = (subject: PermissionAsk['subject'], over: Partial<PermissionAsk> = {}) => permissionWords(ask({ subject, ...over }), 1, english).deed;

describe('words of a permission’s quick pick', () => {
  it('name the agent, the question and the queue', () => {
    assert.equal(permissionWords(ask({}), 1, english).title, 'Codex: Run the tests');
    assert.equal(permissionWords(ask({}), 3, english).title, 'Codex: Run the tests (1 of 3)');
    assert.equal(permissionWords(ask({ title: '' }), 1, english).title, 'Codex: Permission');
  });

  it('show the command and its folder', () => {
    assert.equal(deed({ command: 'npm test', cwd: '/work/app/web' }), 'Run: npm test — in /work/app/web');
    assert.equal(deed({ command: 'npm test' }), 'Run: npm test — in /work/app');
    assert.equal(deed({ rawInput: { command: 'ls -la', cwd: '/tmp' } }), 'Run: ls -la — in /tmp');
    assert.equal(deed({ rawInput: { command: ['bash', '-lc', 'rm -rf "a b"'] } }), 'Run: bash -lc "rm -rf \\"a b\\"" — in /work/app');
    assert.equal(deed({ rawInput: { command: 'git', args: ['commit', '-m', 'x; y'] } }), 'Run: git commit -m "x; y" — in /work/app');
  });

  it('show the files that would change', () => {
    const content = (changes: object[]) => ({ content: [{ type: 'diff' as const, changes: changes as never[] }] });
    assert.equal(deed(content([{ operation: 'modify', path: '/work/app/src/a.ts' }])), 'Edit src/a.ts');
    assert.equal(
      deed(content([{ operation: 'add', path: '/work/app/b' }, { operation: 'delete', path: '/etc/passwd' }, { operation: 'move', oldPath: '/work/app/c', path: '/work/app/d' }])),
      'Create b, Delete /etc/passwd, move: c → d',
    );
    assert.match(deed(content(Array.from({ length: 500 }, (_, n) => ({ operation: 'modify', path: `/work/app/file${n}` })))), /^Edit file0, .*\(\+\d+\)$/);
  });

  it('show places, else the raw input, else the description', () => {
    assert.equal(deed({ locations: [{ path: '/work/app/a.ts', line: 3 }, { path: '/else/b.ts' }], rawInput: { x: 1 } }), 'a.ts:3, /else/b.ts');
    assert.equal(deed({ kind: 'edit', locations: [{ path: '/work/app/a.ts' }] }), 'Edit a.ts');
    assert.equal(deed({ rawInput: { url: 'https://example.com' } }), '{"url":"https://example.com"}');
    assert.equal(deed({ rawInput: {} }, { description: 'Because' }), 'Because');
  });

  it('keep a path that climbs out of the folder whole', () => {
    assert.equal(deed({ locations: [{ path: '/work/app/../../etc/passwd' }] }), '/work/app/../../etc/passwd');
    assert.equal(deed({ locations: [{ path: '/work/application/a' }] }), '/work/application/a');
  });

  it('say why ACP Host asks, behind what would be done', () => {
    const content = [{ type: 'diff' as const, changes: [{ operation: 'add', path: '/work/app/.git/hooks/pre-commit', oldText: null, newText: '' }] }];
    const file = { type: 'protected_path' as const, access: 'write' as const, rule: '.git', path: '/work/app/src/hooks/pre-commit' };
    assert.equal(deed({ content, reason: file }), 'Create .git/hooks/pre-commit — protected by the rule .git');
    assert.equal(deed({ content, reason: { ...file, target: '/work/app/.git/hooks/pre-commit' } }), 'Create .git/hooks/pre-commit — protected by the rule .git, named as src/hooks/pre-commit');
    assert.equal(deed({ locations: [{ path: '/work/app/.env' }], reason: { ...file, access: 'read', rule: '.env*' } }), '.env — protected by the rule .env*');
    const command = { type: 'command' as const, unasked: true, variables: ['GIT_DIR', '$(x)'] };
    assert.equal(deed({ command: 'make', cwd: '/work/app', reason: command }), `Run: make — in /work/app — the agent did not ask for permission, sets GIT_DIR, ${visible('$(x)', 9)}`);
    assert.equal(deed({ command: 'make', reason: { ...command, unasked: false, variables: [] } }), 'Run: make — in /work/app — your settings ask before each command');
  });

  it('escape and bound everything the agent wrote', () => {
    const nasty = '$(check)\u202e\u0007' + 'x'.repeat(100_000) + ' --end';
    const words = permissionWords(
      ask({ agentName: nasty, title: nasty, options: [{ optionId: 'a', name: nasty, kind: nasty }], subject: { command: nasty, cwd: nasty } }),
      1,
      english,
    );
    for (const text of [words.title, words.deed, words.rows[0]!.label, words.rows[0]!.description]) {
      assert.doesNotMatch(text, /\$\(|\u202e|\u0007/);
      assert.ok(text.length < 1_500, String(text.length));
    }
    assert.match(words.deed, /--end/, 'the end of a long command is shown');
    assert.match(deed({ rawInput: { a: 'x'.repeat(100_000), b: 'last' } }), /"last"\}$/);
  });

  it('make a row of each option, in the agent’s order, and promise nothing for an unknown kind', () => {
    const options = [
      { optionId: '1', name: 'Yes', kind: 'allow_once' },
      { optionId: '2', name: '', kind: '_custom' },
      { optionId: '', name: ' ', kind: 'reject_always' },
    ];
    assert.deepEqual(permissionWords(ask({ options }), 1, english).rows, [
      { label: 'Yes', description: 'allows this once', optionId: '1' },
      { label: '2', description: '', optionId: '2' },
      { label: '(an answer without a name)', description: 'rejects this from now on', optionId: '' },
    ]);
  });
});
