import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { SessionEvent } from '../../../../src/core/model/event';
import { EMPTY_STATE, type SessionState } from '../../../../src/core/model/state';
import { reduce } from '../../../../src/core/reduce/reduce';
import type { JournalHeader } from '../../../../src/session/journal/journalHeader';
import type { ReadJournal } from '../../../../src/session/journal/journalReader';
import { type JournalSummary, listed, parseSummary, summarize, summaryOf } from '../../../../src/session/journal/journalSummary';
import type { KeptSessionsQuery } from '../../../../src/session/journal/sessionCatalog';
import { startPageOf, type StartPageDependencies } from '../../../../src/application/start/startPage';

const NOW = Date.UTC(2026, 0, 2);
const HOUR = 3_600_000;
const t = (message: string, args: Readonly<Record<string, string | number>> = {}) =>
  message.replace(/\{(\w+)\}/g, (_, name: string) => String(args[name]));

describe('the suggestions for an empty conversation', () => {
  let cwd: string;

  beforeEach(() => {
    cwd = mkdtempSync(path.join(tmpdir(), 'start-'));
  });
  afterEach(() => rmSync(cwd, { recursive: true, force: true }));

  const session = (key = 'own', over: Partial<SessionState> = {}, folders: readonly string[] = [], folder = cwd) => ({
    key,
    roots: { cwd: folder, additionalDirectories: folders },
    store: { state: { ...EMPTY_STATE, agentName: 'Codex', cwd: folder, ...over } },
  });
  const saying = (text: string, at: number): Partial<SessionState> => {
    const event: SessionEvent = { type: 'message', role: 'user', messageId: 'm', content: [{ type: 'text', text }], at };
    const { entries, firstPrompt } = reduce(EMPTY_STATE, event);
    return { entries, ...(firstPrompt && { firstPrompt }) };
  };
  const document = (file: string, scheme = 'file') => ({
    uri: { scheme, fsPath: file, toString: () => pathToFileURL(file).toString() },
  });
  const journal = (key: string, over: Partial<JournalSummary> = {}): JournalSummary => ({
    key,
    agentName: 'Goose',
    cwd,
    createdAt: NOW - 9 * HOUR,
    title: `About ${key}`,
    marks: {},
    ...over,
  });
  const unmarked = () => Promise.resolve({});
  const begin = (over: Partial<StartPageDependencies> = {}, own = session()) =>
    startPageOf(own, {
      journals: { list: () => Promise.resolve({ summaries: [], total: 0 }), readMarks: unmarked },
      sessions: [own],
      isDemo: false,
      location: 'editor',
      document: undefined,
      now: NOW,
      language: 'en',
      t,
      ...over,
    });

  it('distinguish an empty folder from a project and from other folders', async () => {
    assert.equal((await begin()).folder, 'empty');
    mkdirSync(path.join(cwd, '.git'));
    assert.deepEqual(await begin(), { demo: false, folder: 'empty', git: true, recent: [], location: 'editor' });
    writeFileSync(path.join(cwd, 'notes.txt'), '');
    assert.equal((await begin()).folder, 'project');
    rmSync(path.join(cwd, '.git'), { recursive: true });
    assert.equal((await begin()).folder, 'folder');
    writeFileSync(path.join(cwd, 'Cargo.toml'), '');
    assert.deepEqual(await begin({ isDemo: true }), { demo: true, folder: 'project', git: false, recent: [], location: 'editor' });
    rmSync(cwd, { recursive: true });
    assert.equal((await begin()).folder, 'folder');
  });

  it('name the open file when it is in one of the session’s folders', async () => {
    const other = path.join(path.dirname(cwd), 'elsewhere');
    const inside = path.join(cwd, 'src', 'calc.js');
    assert.deepEqual((await begin({ document: document(inside) })).file, { name: 'calc.js', uri: pathToFileURL(inside).toString() });
    assert.equal((await begin({ document: document(path.join(other, 'a.js')) })).file, undefined);
    assert.equal((await begin({ document: document(`${cwd}-more/a.js`) })).file, undefined);
    assert.equal((await begin({ document: document(inside, 'untitled') })).file, undefined);
    assert.equal((await begin({ document: document(path.join(other, 'a.js')) }, session('own', {}, [other]))).file?.name, 'a.js');
    assert.equal((await begin({ document: document(path.join(cwd, '..a.js')) })).file?.name, '..a.js');
  });

  it('include the last conversations of the folder, and live ones, but no empty ones', async () => {
    const own = session();
    const live = session('live', saying('Fix `add`', NOW - 2 * HOUR));
    const waiting = session('waiting', { ...saying('Run it', NOW - 3 * HOUR), pendingPermissions: ['p'] });
    const { recent } = await begin({
      sessions: [own, live, waiting, session('silent'), session('far', saying('Far', NOW), [], '/elsewhere')],
      journals: {
        list: ({ folders }) => {
          const summaries = [
            journal('old', { changedAt: NOW - 30 * HOUR }),
            journal('live', { title: 'told twice', changedAt: NOW }),
            journal('kept', { changedAt: NOW - HOUR }),
            journal('empty', { title: '', changedAt: NOW }),
          ];
          assert.deepEqual(folders, [cwd]);
          return Promise.resolve({ summaries, total: summaries.length });
        },
        readMarks: unmarked,
      },
    });
    assert.deepEqual(recent, [
      { sessionKey: 'kept', title: 'About kept', about: 'Goose, 1 hour ago' },
      { sessionKey: 'live', title: 'Fix add', about: 'Codex, 2 hours ago' },
      { sessionKey: 'waiting', title: 'Run it', about: 'Codex, needs approval' },
    ]);
  });

  it('exclude a conversation that consists of a banner of the agent, whatever its title', async () => {
    const banner: SessionEvent = { type: 'message', role: 'agent', messageId: 'b', content: [{ type: 'text', text: 'Hello' }], at: NOW };
    const { entries } = reduce(EMPTY_STATE, banner);
    const live = session('live', { entries, title: 'Banner' });
    const closed = summaryOf(
      { key: 'closed', agentName: 'Goose', cwd, createdAt: NOW } as JournalHeader,
      session('closed', { entries, title: 'Banner' }).store.state,
    );
    const unread = summarize({
      header: { key: 'unread', agentName: 'Goose', cwd, createdAt: NOW },
      events: [banner, { type: 'session_info', title: 'Banner', at: NOW }],
    } as unknown as ReadJournal);
    const summaries = [closed, unread].map((each) => {
      const stored = parseSummary(JSON.stringify(each), each.key);
      return listed(stored!, (prompt) => prompt);
    });
    assert.deepEqual(
      summaries.map(({ title }) => title),
      ['Banner', 'Banner'],
    );
    const journals = { list: () => Promise.resolve({ summaries: [...summaries, journal('used')], total: 3 }), readMarks: unmarked };
    const { recent } = await begin({ sessions: [session(), live], journals });
    assert.deepEqual(
      recent.map(({ sessionKey }) => sessionKey),
      ['used'],
    );
  });

  it('include a conversation with a banner in which the user has sent a message', async () => {
    const header = { key: 'used', agentName: 'Goose', cwd, createdAt: NOW };
    const banner: SessionEvent = { type: 'message', role: 'agent', messageId: 'b', content: [{ type: 'text', text: 'Hello' }], at: NOW };
    const prompt: SessionEvent = { type: 'message', role: 'user', messageId: 'u', content: [{ type: 'text', text: 'Hi' }], at: NOW };
    const started: SessionEvent = { type: 'turn_started', turnId: 't', at: NOW };
    for (const events of [
      [banner, prompt],
      [banner, started],
    ]) {
      const summaries = [
        listed(summaryOf(header as JournalHeader, { ...events.reduce(reduce, EMPTY_STATE), title: 'T' }), String),
        listed(summarize({ header, events: [...events, { type: 'session_info', title: 'T', at: NOW }] } as unknown as ReadJournal), String),
      ];
      const { recent } = await begin({ journals: { list: () => Promise.resolve({ summaries, total: 2 }), readMarks: unmarked } });
      assert.equal(recent.length, 2);
    }
  });

  it('include no archived conversation, also while it is open in this window', async () => {
    const sessions = [session(), session('put away', saying('Old', NOW)), session('live', saying('New', NOW - HOUR))];
    const archived: KeptSessionsQuery['archived'][] = [];
    const { recent } = await begin({
      sessions,
      journals: {
        list: (query) => {
          archived.push(query.archived);
          return Promise.resolve({ summaries: [], total: 0 });
        },
        readMarks: (key) => Promise.resolve({ archived: key === 'put away' }),
      },
    });
    assert.deepEqual(
      recent.map(({ title }) => title),
      ['New'],
    );
    assert.deepEqual(archived, [false]);
  });

  it('work without journals when they cannot be read', async () => {
    const no = () => Promise.reject(new Error('no'));
    const live = session('live', saying('New', NOW - HOUR));
    const { recent } = await begin({ sessions: [session(), live], journals: { list: no, readMarks: no } });
    assert.deepEqual(
      recent.map(({ title }) => title),
      ['New'],
    );
  });
});
