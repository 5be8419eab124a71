/** The permission audit: entries from the events of sessions, in files that several windows share, and as a document. */
import assert from 'node:assert/strict';
import { appendFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { EventInput } from '../../../../../src/core/model/event';
import { MAX_WAITING, Questions } from '../../../../../src/session/questions/questions';
import { SessionStore } from '../../../../../src/session/state/store';
import { Audit, type AuditedSession } from '../../../../../src/application/permission/audit/audit';
import type { AuditEntry } from '../../../../../src/application/permission/audit/auditEntry';
import { auditRules } from '../../../../../src/application/permission/audit/auditRules';
import { AuditFiles } from '../../../../../src/application/permission/audit/auditFiles';
import { auditText } from '../../../../../src/application/permission/audit/auditText';
import { FakeClock } from '../../../session/permission/fakes';
import { englishVerbatim } from '../../english';

const DAY = 24 * 60 * 60 * 1000;
const NOW = Date.UTC(2026, 10, 27, 12);
const OPTIONS = [
  { optionId: 'y', name: 'Yes, once', kind: 'allow_once' },
  { optionId: 'n', name: 'No', kind: 'reject_once' },
];

describe('the permission audit', () => {
  let root: string;
  let clock: FakeClock;
  const warnings: string[] = [];
  const folder = (): string => path.join(root, 'audit');
  const files = (): string[] => (existsSync(folder()) ? readdirSync(folder()).sort() : []);

  beforeEach(() => {
    root = mkdtempSync(path.join(os.tmpdir(), 'acp-audit-'));
    clock = new FakeClock();
    clock.setBack(-NOW);
    warnings.length = 0;
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  const newAudit = (days = 30, limits?: { file: number; total: number }) =>
    new Audit({
      files: new AuditFiles(folder(), () => days, limits),
      clock,
      log: { warn: (line) => void warnings.push(line) },
      secretsOf: (agentId) => (agentId === 'ada' ? ['hunter2-of-ada'] : []),
    });
  const newSession = (key = 's1', more: Partial<Omit<AuditedSession, 'store'>> = {}) => {
    const store = new SessionStore(clock);
    store.append({ type: 'session_opened', agentName: 'Ada', cwd: '/w' }, { type: 'session_info', title: `Title of ${key}` });
    return { key, agentId: 'ada', agentName: 'Ada', isRecorded: false, store, ...more };
  };
  const ask = (permissionId: string, more: object = {}): EventInput => ({
    type: 'permission_requested',
    permissionId,
    title: 'Run tests',
    options: OPTIONS,
    subject: { kind: 'execute', rawInput: { command: 'npm test' } },
    ...more,
  });
  const answer = (permissionId: string, optionId: string, more: object = {}): EventInput =>
    ({ type: 'permission_resolved', permissionId, outcome: 'selected', optionId, ...more }) as EventInput;
  const byRule = (code: string, text?: string) => ({
    byRule: { id: 'r1', reason: { code, ...(text !== undefined && { params: { text } }) } },
  });
  const read = async (audit: Audit, sessionId?: string) => (await audit.read(sessionId)).map(({ at: _, ...entry }) => entry);
  const microtasks = () => new Promise((resolve) => setImmediate(resolve));

  it('has a question that is cancelled at once, because too many wait', async () => {
    const audit = newAudit();
    const session = newSession();
    audit.follow([session]);
    const questions = new Questions(session.store);
    for (let index = 0; index <= MAX_WAITING; index++) {
      const subject = { kind: 'execute', rawInput: { command: `npm test ${index}` } };
      void questions.ask({ kind: 'permission', questionId: `q${index}`, title: 'Run tests', options: OPTIONS, subject }, undefined);
    }
    await Promise.resolve();
    const last = (await audit.read()).filter(({ detail }) => detail === `npm test ${MAX_WAITING}`);
    assert.deepEqual(
      last.map(({ kind, outcome }) => [kind, outcome]),
      [['answer', 'cancelled']],
    );
  });

  it('names the client of a shared session that answered', async () => {
    const audit = newAudit();
    const session = newSession();
    audit.follow([session]);
    session.store.append(ask('p'), ask('q'));
    await microtasks();
    session.store.append(answer('p', 'y'));
    session.store.append({ type: 'entry_origin', entryId: 'permission:p', client: 'Phone of hunter2-of-ada' });
    session.store.append(answer('q', 'n'));
    session.store.append({ type: 'entry_origin', entryId: 'message:user:none', client: 'Phone' });
    const answers = (await audit.read()).filter(({ kind }) => kind === 'answer');
    assert.deepEqual(
      answers.map(({ option, client }) => [option, client]),
      [
        ['Yes, once', 'Phone of [redacted]'],
        ['No', undefined],
      ],
    );
    const text = auditText(answers, { days: 30, language: 'en', timeZone: 'UTC' }, englishVerbatim);
    assert.match(text, /Allowed by you: Yes, once \(Answered from Phone of \[redacted\]\): Run tests — npm test {2}\[Ada/);
  });

  it('has each question and its answer, with the session, the agent and the reason', async () => {
    const audit = newAudit();
    const { store, ...session } = newSession();
    audit.follow([{ store, ...session }]);
    store.append(ask('p', { askedBy: 'tester' }));
    await microtasks();
    store.append(answer('p', 'y'));
    store.append(
      ask('q', {
        subject: {
          kind: 'edit',
          locations: [{ path: '/w/.env' }],
          reason: { type: 'protected_path', access: 'write', rule: '.env', path: '/w/.env' },
        },
        title: 'Write',
      }),
    );
    await microtasks();
    store.append({ type: 'permission_resolved', permissionId: 'q', outcome: 'cancelled' });
    const about = { sessionId: 's1', session: 'Title of s1', agent: 'Ada' };
    const run = { ...about, askedBy: 'tester', title: 'Run tests', detail: 'npm test' };
    const write = { ...about, title: 'Write', detail: '/w/.env', reason: 'protected_path' };
    assert.deepEqual(await read(audit), [
      { ...run, kind: 'question' },
      { ...run, kind: 'answer', outcome: 'allow_once', option: 'Yes, once' },
      { ...write, kind: 'question' },
      { ...write, kind: 'answer', outcome: 'cancelled' },
    ]);
    audit.dispose();
  });

  it('records an automatic answer as a single entry, and each mode', async () => {
    const audit = newAudit();
    const session = newSession();
    audit.follow([session]);
    session.store.append({ type: 'permission_mode', mode: 'acceptEdits' });
    session.store.append(ask('p'));
    session.store.append(answer('p', 'y', byRule('rule', 'tests')));
    await microtasks();
    const entries = await read(audit);
    assert.deepEqual(
      entries.map(({ kind, title, outcome, ruleId, rule, reason }) => [kind, title, outcome, ruleId, rule, reason]),
      [
        ['mode', 'acceptEdits', undefined, undefined, undefined, undefined],
        ['automatic', 'Run tests', 'allow_once', 'r1', 'tests', 'rule'],
      ],
    );
    audit.dispose();
  });

  it('has forms without their values', async () => {
    const audit = newAudit();
    const session = newSession();
    audit.follow([session]);
    const body = { mode: 'form', fields: [] } as never;
    session.store.append({ type: 'elicitation_requested', requestKey: 'f', message: 'Your name?', body });
    session.store.append({ type: 'elicitation_resolved', requestKey: 'f', outcome: 'accepted', content: { name: 'Grace Hopper' } });
    assert.deepEqual(
      (await read(audit)).map(({ kind, title, outcome }) => [kind, title, outcome]),
      [
        ['question', 'Your name?', undefined],
        ['answer', 'Your name?', 'accepted'],
      ],
    );
    assert.doesNotMatch(readFileSync(path.join(folder(), files()[0]!), 'utf8'), /Grace/);
    audit.dispose();
  });

  it('contains no secret of the agent, and nothing that looks like one', async () => {
    const audit = newAudit();
    const session = newSession();
    audit.follow([session]);
    const command = 'curl -H "Authorization: Bearer abcdef0123456789abcdef" --token=hunter2-of-ada https://user:pass1234@example.com';
    session.store.append(ask('p', { subject: { kind: 'execute', rawInput: { command } } }));
    await microtasks();
    await audit.flush();
    const text = readFileSync(path.join(folder(), files()[0]!), 'utf8');
    assert.match(text, /curl/);
    assert.doesNotMatch(text, /hunter2|abcdef0123|pass1234/);
    audit.dispose();
  });

  it('writes nothing before the first entry, nor for a replayed log', async () => {
    const audit = newAudit();
    const recorded = newSession('log', { isRecorded: true });
    audit.follow([newSession(), recorded]);
    recorded.store.append(ask('p'));
    await microtasks();
    await audit.flush();
    assert.equal(existsSync(folder()), false);
    audit.dispose();
    assert.equal(existsSync(folder()), false);
  });

  it('does not record what a replay adds to a conversation, but what waits already', async () => {
    const audit = newAudit();
    const session = newSession();
    session.store.append(ask('waits'));
    audit.follow([session]);
    const { store } = session;
    const old = [
      { ...ask('old'), at: 1 },
      { ...answer('old', 'y'), at: 2 },
    ] as Parameters<typeof store.layOver>[0];
    store.layOver(old);
    await microtasks();
    assert.deepEqual(
      (await read(audit)).map(({ kind, title }) => [kind, title]),
      [['question', 'Run tests']],
    );
    audit.dispose();
  });

  it('writes a moment later, in one file for the day that only the user can read', async () => {
    const audit = newAudit();
    const session = newSession();
    audit.follow([session]);
    session.store.append({ type: 'permission_mode', mode: 'planOnly' });
    assert.deepEqual(files(), []);
    clock.pass(1000);
    await audit.flush();
    assert.deepEqual(files(), ['2026-11-27.jsonl']);
    if (process.platform !== 'win32') {
      assert.equal(statSync(path.join(folder(), files()[0]!)).mode & 0o777, 0o600);
    }
    audit.dispose();
  });

  it('keeps the last entries of a window that closes', async () => {
    const audit = newAudit();
    const session = newSession();
    audit.follow([session]);
    session.store.append({ type: 'permission_mode', mode: 'planOnly' });
    audit.dispose();
    assert.deepEqual(
      (await read(newAudit())).map(({ title }) => title),
      ['planOnly'],
    );
  });

  it('is shared by windows, and survives a line that was cut off', async () => {
    const [one, two] = [newAudit(), newAudit()];
    const entry = (title: string): AuditEntry => ({ at: clock.now(), sessionId: 's1', agent: 'Ada', kind: 'mode', title });
    one.record(entry('first'));
    await one.flush();
    appendFileSync(path.join(folder(), files()[0]!), '{"at":1,"sessionId":"s1","ag');
    two.record(entry('second'));
    await two.flush();
    await Promise.all(
      Array.from({ length: 40 }, async (_, index) => {
        const audit = index % 2 === 0 ? one : two;
        audit.record(entry(`entry ${index} ${'x'.repeat(300)}`));
        await audit.flush();
      }),
    );
    const titles = (await read(one)).map(({ title }) => title.split(' x')[0]);
    assert.equal(titles.length, 42);
    assert.deepEqual([...new Set(titles)].length, 42);
    assert.deepEqual(titles.slice(0, 2), ['first', 'second']);
  });

  it('continues a large day in another file, and deletes the days that are over', async () => {
    const limits = { file: 500, total: 100_000 };
    const audit = newAudit(2, limits);
    const record = async (title: string) => {
      audit.record({ at: clock.now(), sessionId: 's1', agent: 'Ada', kind: 'mode', title });
      await audit.flush();
    };
    for (let index = 0; index < 15; index++) {
      await record(`${index} ${'y'.repeat(100)}`);
    }
    assert.deepEqual(files().slice(0, 3), ['2026-11-27.1.jsonl', '2026-11-27.2.jsonl', '2026-11-27.3.jsonl']);
    assert.deepEqual(
      (await read(audit)).map(({ title }) => Number(title.split(' ')[0])),
      Array.from({ length: 15 }, (_, index) => index),
    );
    clock.pass(3 * DAY);
    await record('later');
    assert.deepEqual(files(), ['2026-11-30.jsonl']);
    assert.deepEqual(
      (await read(audit)).map(({ title }) => title),
      ['later'],
    );
  });

  it('deletes the oldest files beyond its total size', async () => {
    const audit = newAudit(30, { file: 300, total: 1500 });
    for (let day = 0; day < 20; day++) {
      audit.record({ at: clock.now(), sessionId: 's1', agent: 'Ada', kind: 'mode', title: `${day} ${'z'.repeat(150)}` });
      await audit.flush();
      clock.pass(DAY);
    }
    const size = files().reduce((sum, name) => sum + statSync(path.join(folder(), name)).size, 0);
    assert.ok(size <= 1500 + 300, String(size));
    assert.match((await read(audit)).at(-1)!.title, /^19 /);
  });

  it('records nothing for 0 days', async () => {
    const audit = newAudit(0);
    audit.record({ at: clock.now(), sessionId: 's1', agent: 'Ada', kind: 'mode', title: 'ask' });
    await audit.flush();
    audit.dispose();
    assert.equal(existsSync(folder()), false);
  });

  it('has the entries of one session', async () => {
    const audit = newAudit();
    const sessions = [newSession('s1'), newSession('s2')];
    audit.follow(sessions);
    sessions.forEach(({ store }) => store.append({ type: 'permission_mode', mode: 'planOnly' }));
    assert.deepEqual(
      (await read(audit, 's2')).map(({ session }) => session),
      ['Title of s2'],
    );
    audit.follow([]);
    sessions[0]!.store.append({ type: 'permission_mode', mode: 'ask' });
    assert.equal((await read(audit)).length, 2, 'a session that is gone is not followed');
  });

  it('warns once when the disk takes no entry, and keeps the entries', async () => {
    appendFileSync(folder(), 'a file in place of the folder');
    const audit = newAudit();
    const record = async () => {
      audit.record({ at: clock.now(), sessionId: 's1', agent: 'Ada', kind: 'mode', title: 'ask' });
      await audit.flush();
    };
    await record();
    await record();
    assert.equal(warnings.length, 1);
    rmSync(folder());
    await record();
    assert.equal((await read(audit)).length, 3);
  });
});

describe('the audit of the user’s rules', () => {
  it('records what was added and revoked, once it has settled, in the window in front', () => {
    const clock = new FakeClock();
    let lists: Record<string, { id: string; scope?: string }[]> = { all: [{ id: 'old' }] };
    let isMeant = true;
    const listeners = new Set<() => void>();
    const recorded: string[] = [];
    const list = (sessionId?: string) =>
      [...(lists['all'] ?? []), ...(sessionId === undefined ? [] : (lists[sessionId] ?? []))].map(({ id, scope = 'always' }) => ({
        rule: { id, effect: 'allow', command: id },
        scope,
        from: 'card',
      })) as never;
    const subscription = auditRules({
      rules: { list, onDidChange: (listener) => (listeners.add(listener), { dispose: () => void listeners.delete(listener) }) },
      clock,
      t: englishVerbatim,
      sessions: () => [{ key: 's1', agentName: 'Ada', roots: { cwd: '/w' } }],
      isMeant: () => isMeant,
      record: ({ kind, outcome, ruleId, sessionId, title }) => void recorded.push([kind, outcome, ruleId, sessionId, title].join(' | ')),
    });
    const change = (next: typeof lists) => {
      lists = next;
      listeners.forEach((listener) => listener());
    };
    change({ all: [{ id: 'old' }, { id: 'npm test' }], s1: [{ id: 'ls', scope: 'session' }] });
    assert.equal(recorded.join(), '');
    clock.pass(1000);
    assert.deepEqual(
      recorded.map((line) => line.replace(/\|[^|]*$/, '|')),
      ['rule | added | npm test |  |', 'rule | added | ls | s1 |'],
    );
    assert.match(recorded[0]!, /npm test/);
    recorded.length = 0;
    // While the settings are written, the rule comes back for a moment.
    change({ all: [{ id: 'npm test' }], s1: [] });
    change({ all: [{ id: 'old' }, { id: 'npm test' }], s1: [] });
    change({ all: [{ id: 'npm test' }], s1: [] });
    clock.pass(1000);
    assert.deepEqual(
      recorded.map((line) => line.split(' | ').slice(1, 3).join(' ')),
      ['revoked old', 'revoked ls'],
    );
    recorded.length = 0;
    isMeant = false;
    change({ all: [] });
    clock.pass(1000);
    assert.equal(recorded.join(), '');
    subscription.dispose();
    assert.equal(listeners.size, 0);
  });
});

describe('the document of the permission audit', () => {
  const about = { days: 30, language: 'en-US', timeZone: 'UTC' };
  const entry = (minute: number, more: Partial<AuditEntry>): AuditEntry => ({
    at: Date.UTC(2026, 10, 27, 9, minute),
    sessionId: 's1',
    session: 'Fix the login',
    agent: 'Ada',
    kind: 'question',
    title: 'Run tests',
    ...more,
  });

  it('writes each entry on a line, newest first', () => {
    const text = auditText(
      [
        entry(-60 * 24, { detail: 'npm test', reason: 'repetition' }),
        entry(1, { detail: 'npm test' }),
        entry(2, { kind: 'answer', outcome: 'allow_once', option: 'Yes' }),
        entry(3, { kind: 'automatic', outcome: 'reject_once', option: 'No', rule: 'no pushes', reason: 'rule' }),
        entry(4, { kind: 'automatic', outcome: 'allow_once', option: 'Yes', rule: '', reason: 'mode_accept_edits' }),
        entry(5, { kind: 'automatic', outcome: 'allow_once', option: 'Yes', rule: 'Always', reason: 'answered_before', askedBy: 'tester' }),
        entry(6, { kind: 'mode', title: 'planOnly' }),
        entry(7, { kind: 'rule', title: 'Allow npm test', outcome: 'revoked' }),
        entry(8, { kind: 'answer', outcome: 'withdrawn' }),
      ],
      about,
      englishVerbatim,
    );
    assert.deepEqual(text.replaceAll('\u202f', ' ').split('\n'), [
      'Permission audit: all sessions',
      'Entries are kept for 30 days.',
      '',
      'Friday, November 27, 2026',
      '',
      '9:08:00 AM  Withdrawn by the agent: Run tests  [Ada · Fix the login]',
      '9:07:00 AM  Rule revoked: Allow npm test  [Ada · Fix the login]',
      '9:06:00 AM  Permission mode: Plan only  [Ada · Fix the login]',
      '9:05:00 AM  Allowed as before: Always: Run tests  [Ada: tester · Fix the login]',
      '9:04:00 AM  Allowed by the permission mode: Accept edits: Run tests  [Ada · Fix the login]',
      '9:03:00 AM  Denied by rule: no pushes: Run tests  [Ada · Fix the login]',
      '9:02:00 AM  Allowed by you: Yes: Run tests  [Ada · Fix the login]',
      '9:01:00 AM  Asked: Run tests — npm test  [Ada · Fix the login]',
      '',
      'Thursday, November 26, 2026',
      '',
      '9:00:00 AM  Asked (repeated call): Run tests — npm test  [Ada · Fix the login]',
      '',
    ]);
  });

  it('names its session, and keeps each entry on its line', () => {
    const hostile = entry(1, { title: 'a\nb\u202egnp', detail: 'x\r\ny' });
    const text = auditText([hostile], { ...about, session: 'Fix\nit' }, englishVerbatim);
    assert.match(text, /^Permission audit: Fix it\n/);
    assert.match(text, /Asked: a b.*x y {2}\[Ada\]\n$/);
    assert.doesNotMatch(text, /\u202e/);
  });

  it('says so when there are no entries', () => {
    assert.match(auditText([], about, englishVerbatim), /\n\nThere are no entries\.\n$/);
  });
});
