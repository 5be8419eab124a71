import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { reducePortions, parseJournal } from '../../../../src/session/journal/journalReader';
import { reduce } from '../../../../src/core/reduce/reduce';
import { EMPTY_STATE } from '../../../../src/core/model/state';
import { summaryOf } from '../../../../src/session/journal/journalSummary';
import type { JournalHeader } from '../../../../src/session/journal/journalHeader';
import { sessionTitle } from '../../../../src/text/transcript/sessionTitle';
import { DiskStoreFolder } from '../../../../src/changes/store/diskStoreFolder';
import { JournalFiles } from '../../../../src/session/journal/journalFiles';

describe('journal files', () => {
  let folder: string;
  const header = (key: string): string => JSON.stringify({ acpHostJournal: 1, key, agentName: 'A', cwd: '/w', createdAt: 5 }) + '\n';
  const line = (event: object): string => JSON.stringify({ seq: 0, event: { at: 1, ...event } }) + '\n';

  const read = async (key: string): Promise<string[]> => {
    const lines: string[] = [];
    for await (const each of new JournalFiles(folder).lines(key)) {
      lines.push(each);
    }
    return lines;
  };

  beforeEach(() => (folder = path.join(mkdtempSync(path.join(tmpdir(), 'acp-host-journals-')), 'deep', 'sessions')));
  afterEach(() => rmSync(path.dirname(path.dirname(folder)), { recursive: true, force: true }));

  it('can be read by the user only, and contain the appended events in order', async () => {
    const journals = new JournalFiles(folder);
    const file = journals.file('k-1');
    await file.append(header('k-1'));
    await file.append(line({ type: 'turn_cancelling' }));
    assert.deepEqual(await read('k-1'), (header('k-1') + line({ type: 'turn_cancelling' })).trimEnd().split('\n'));
    if (process.platform !== 'win32') {
      assert.equal(statSync(path.join(folder, 'k-1.jsonl')).mode & 0o777, 0o600);
      assert.equal(statSync(folder).mode & 0o777, 0o700);
    }
    assert.deepEqual(await read('k-2'), []);
  });

  it('have a size, unless there is none', async () => {
    const journals = new JournalFiles(folder);
    assert.equal(await journals.journalSize('k-1'), undefined);
    await journals.file('k-1').append(header('k-1'));
    assert.equal(await journals.journalSize('k-1'), Buffer.byteLength(header('k-1')));
    assert.equal(await journals.journalSize('k-2'), undefined);
  });

  it('are read line by line, however long a line is, including the torn end after a crash', async () => {
    const journals = new JournalFiles(folder);
    const long = Array.from({ length: 3 }, (_, index) => `${index}${'é'.repeat(400_000)}`);
    await journals.file('k-1').append([header('k-1').trim(), '', ...long, 'torn'].join('\n'));
    assert.deepEqual(await read('k-1'), [header('k-1').trim(), ...long, 'torn']);
  });

  it('give the same in slices as in one piece, and yield to other work', async () => {
    const journals = new JournalFiles(folder);
    const events = Array.from({ length: 2000 }, (_, n) =>
      line({ type: 'message_chunk', role: 'agent', messageId: `m${n % 50}`, content: { type: 'text', text: 'x'.repeat(2000) } }),
    );
    const whole = header('k-1') + events.join('') + '{"torn';
    await journals.file('k-1').append(whole);
    let turns = 0;
    let over = false;
    const count = (): void => void (over || (turns++, setImmediate(count)));
    count();
    const folded = await reducePortions(journals.portions('k-1'));
    over = true;
    const { events: all, ...facts } = parseJournal(whole)!;
    assert.deepEqual({ ...folded, state: undefined }, { ...facts, at: all.at(-1)!.at, wasReady: false, state: undefined });
    assert.deepEqual(folded!.state.entries.slice(), all.reduce(reduce, EMPTY_STATE).entries.slice());
    assert.equal(folded!.skipped, 1);
    assert.ok(turns >= 8, `${turns} turns`);
    assert.equal(await reducePortions(journals.portions('k-none')), undefined);
  });

  it('refuse a key that would leave the folder', async () => {
    const journals = new JournalFiles(folder);
    for (const key of ['../../etc/passwd', 'A', '', 'a/b', 'x'.repeat(65)]) {
      await assert.rejects(read(key), RangeError);
      await assert.rejects(journals.file(key).append('x'), RangeError);
    }
  });

  it('are listed with their newest summary, whatever their beginning says', async () => {
    const journals = new JournalFiles(folder);
    const file = journals.file('k-1');
    await file.append(header('k-1') + line({ type: 'session_ready', sessionId: 'FIRST' }) + line({ type: 'session_info', title: 'First' }));
    assert.deepEqual(await journals.summary('k-1'), {
      key: 'k-1',
      agentName: 'A',
      cwd: '/w',
      createdAt: 5,
      title: 'First',
      sessionId: 'FIRST',
      isUnused: true,
      marks: {},
    });
    const summary = { key: 'k-1', agentName: 'A', cwd: '/w', createdAt: 5, title: 'Later', sessionId: 'SECOND', changedAt: 9 };
    await file.describe(JSON.stringify(summary));
    assert.deepEqual(await journals.summary('k-1'), { ...summary, marks: {} });
    if (process.platform !== 'win32') {
      assert.equal(statSync(path.join(folder, 'k-1.summary.json')).mode & 0o777, 0o600);
    }
    // The summary belongs to another conversation, or is damaged, so the journal itself is used.
    for (const text of [JSON.stringify({ ...summary, key: 'k-2' }), '{"torn', 'null', JSON.stringify({ ...summary, title: 7 })]) {
      await file.describe(text);
      assert.equal((await journals.summary('k-1'))?.title, 'First', text);
    }
  });

  it('are listed by the first prompt as the page shows it, including those that an earlier version summarized', async () => {
    const journals = new JournalFiles(folder);
    const prompt = '# Fix `add`\n\nin **calc.js**';
    const said = { type: 'message', role: 'user', messageId: 'm', content: [{ type: 'text', text: prompt }] } as const;
    const state = [said].reduce((before, event) => reduce(before, { ...event, at: 1 }), EMPTY_STATE);
    const head = { key: 'k-1', agentName: 'A', cwd: '/w', createdAt: 5 } as JournalHeader;
    const title = async () => (await journals.summary('k-1'))?.title;
    const file = journals.file('k-1');
    await file.append(header('k-1') + line(said));
    assert.equal(await title(), 'Fix add');
    await file.describe(JSON.stringify(summaryOf(head, state)));
    assert.equal(await title(), sessionTitle(state));
    assert.equal(await title(), 'Fix add');
    await file.describe(JSON.stringify(summaryOf(head, { ...state, title: 'Use `x`' })));
    assert.equal(await title(), 'Use `x`');
    await file.describe(JSON.stringify({ key: 'k-1', agentName: 'A', cwd: '/w', createdAt: 5, title: 'Fix `add` in **calc.js**' }));
    assert.equal(await title(), 'Fix add in calc.js');
  });

  it('leave nothing behind when they are removed, and remove nothing else', async () => {
    const journals = new JournalFiles(folder);
    for (const key of ['gone', 'gone-not']) {
      await journals.file(key).append(header(key));
      await journals.file(key).describe('{}');
      await journals.writeDraft(key, '{}');
      const changes = new DiskStoreFolder((await journals.changesFolder(key))!);
      await changes.append('records.jsonl', Buffer.from('{}'));
    }
    await journals.remove('gone');
    await journals.remove('gone');
    assert.deepEqual(readdirSync(folder).sort(), ['gone-not.changes', 'gone-not.draft.json', 'gone-not.jsonl', 'gone-not.summary.json']);
    await assert.rejects(journals.remove('../gone-not'), RangeError);
  });
});
