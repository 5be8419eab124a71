import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import type { SessionEvent, EventInput } from '../../../../src/core/model/event';
import { isAbsent } from '../../../../src/core/model/state';
import { asSubagentEvents } from '../../../../src/core/subagents/innerEvents';
import { subagentOf } from '../../../../src/core/subagents/subagentTree';
import { journalLimitOf } from '../../../../src/session/journal/journalLimit';
import { reducePortions, parseJournal } from '../../../../src/session/journal/journalReader';
import { JournalFiles } from '../../../../src/session/journal/journalFiles';
import { eventSequence } from '../../core/arbitrary';
import { chunk } from '../../../support/events';

const HEADER = JSON.stringify({ acpHostJournal: 1, key: 'k', agentName: 'A', cwd: '/w', createdAt: 5 }) + '\n';
const MEGABYTE = 1024 * 1024;

describe('a journal with a size limit', () => {
  let folder: string;
  const file = (): string => path.join(folder, 'k.jsonl');
  const text = (): string => readFileSync(file(), 'utf8');
  const lineOf = (event: EventInput | SessionEvent, seq: number): string =>
    JSON.stringify({ seq, event: { at: 1000 + seq, ...event } }) + '\n';
  const leftOut = (events: readonly SessionEvent[]): number[] =>
    events.flatMap((event) =>
      event.type === 'notice' && event.failure?.code === 'session.left_out' ? [Number(event.failure.params!['count'])] : [],
    );

  beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'acp-host-bound-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('keeps its first and last events, never exceeds the limit, and shows how much is left out', async function () {
    this.timeout(60_000);
    await fc.assert(
      fc.asyncProperty(
        fc.array(eventSequence, { minLength: 4, maxLength: 12 }),
        fc.integer({ min: 3000, max: 60_000 }),
        fc.integer({ min: 1, max: 40 }),
        async (parts, max, batch) => {
          rmSync(file(), { force: true });
          const lines = parts.flat().map((event, seq) => lineOf(event, seq));
          const journal = new JournalFiles(folder, () => max).file('k');
          await journal.append(HEADER);
          for (let from = 0; from < lines.length; from += batch) {
            await journal.append(lines.slice(from, from + batch).join(''));
            assert.ok(statSync(file()).size <= max, `${statSync(file()).size} of ${max}`);
          }
          const parsed = parseJournal(text())!;
          assert.equal(parsed.header.key, 'k');
          assert.equal(parsed.skipped, 0);
          assert.ok(parsed.next >= lines.length, 'ids that are made later are new');
          const kept = text()
            .split('\n')
            .slice(1, -1)
            .map((line) => line + '\n');
          const [count] = leftOut(parsed.events);
          if (count === undefined) {
            assert.deepEqual(kept, lines);
            return;
          }
          const hole = kept.findIndex((line) => line.includes('session.left_out'));
          assert.deepEqual(kept.slice(0, hole), lines.slice(0, hole), 'the head');
          const others = kept.slice(hole + 1);
          const tail = others.findLastIndex((line, index) => line !== lines[lines.length - others.length + index]) + 1;
          assert.equal(kept.length - 1 + count, lines.length, 'what is left out is counted');
          assert.ok(
            others.slice(0, tail).every((line) => lines.includes(line)),
            'facts are lines that there were',
          );
          const last = lines.at(-1)!;
          assert.ok(others.at(-1) === last || last.length > max * 0.375 - 1, 'the tail');
          const folded = await reducePortions(new JournalFiles(folder).portions('k'));
          assert.ok(
            folded!.state.entries
              .slice()
              .some((entry) => !isAbsent(entry) && entry.kind === 'notice' && entry.failure?.code === 'session.left_out'),
          );
        },
      ),
      { numRuns: 60 },
    );
  });

  it('is rewritten rarely: each byte a few times at most', async () => {
    const max = 200_000;
    const journal = new JournalFiles(folder, () => max).file('k');
    await journal.append(HEADER);
    let written = 0;
    let rewritten = 0;
    let inode = statSync(file()).ino;
    for (let seq = 0; seq < 4000; seq++) {
      const line = lineOf(chunk('x'.repeat(500)), seq);
      written += line.length;
      await journal.append(line);
      const now = statSync(file());
      if (now.ino !== inode) {
        rewritten += now.size;
        inode = now.ino;
      }
    }
    assert.ok(rewritten > 0 && rewritten < 4 * written, `${rewritten} for ${written}`);
    assert.deepEqual(readdirSync(folder), ['k.jsonl']);
  });

  it("still has the session's newest id, title, options, plan and whether a turn runs", async () => {
    const journal = new JournalFiles(folder, () => 40_000).file('k');
    const filler = (messageId: string): EventInput[] => Array.from({ length: 100 }, () => chunk('words '.repeat(30), messageId));
    const option = {
      type: 'select',
      configId: 'model',
      name: 'Model',
      currentValue: 'old',
      groups: [
        {
          options: [
            { value: 'old', name: 'Old' },
            { value: 'new', name: 'New' },
          ],
        },
      ],
    } as never;
    const events: EventInput[] = [
      { type: 'session_opened', agentName: 'A', cwd: '/w' },
      { type: 'session_ready', sessionId: 'FIRST' },
      { type: 'turn_started', turnId: 'one' },
      { type: 'tool_call_update', toolCallId: 'open', patch: { title: 'Open', status: 'in_progress' } },
      ...filler('a'),
      { type: 'turn_ended', turnId: 'one', stopReason: 'end_turn' },
      { type: 'disconnected', failure: { code: 'agent.exited' } },
      { type: 'session_opened', agentName: 'A', cwd: '/w', additionalDirectories: ['/more'] },
      { type: 'session_ready', sessionId: 'SECOND' },
      { type: 'turn_changes', turnId: 'one', changes: { files: [{ path: '/w/a', operation: 'add' }] } },
      { type: 'session_info', title: 'The title' },
      { type: 'config_options', options: [option] },
      { type: 'config_value', configId: 'model', value: 'new' },
      { type: 'plan_update', planId: 'p', plan: { type: 'items', entries: [] } as never },
      { type: 'usage', usage: { used: 5, size: 10 } as never },
      ...filler('b'),
      { type: 'turn_started', turnId: 'two' },
      ...filler('c'),
      { type: 'tool_call_update', toolCallId: 'late', patch: { status: 'completed' } },
      chunk('the end', 'c'),
    ];
    await journal.append(HEADER);
    for (const [seq, event] of events.entries()) {
      await journal.append(lineOf(event, seq));
    }
    const { state, opened } = (await reducePortions(new JournalFiles(folder).portions('k')))!;
    assert.ok(statSync(file()).size <= 40_000);
    assert.deepEqual(
      [state.sessionId, state.title, state.status, opened?.additionalDirectories, state.additionalDirectories],
      ['SECOND', 'The title', 'ready', ['/more'], ['/more']],
    );
    assert.deepEqual(
      state.config.map((each) => (each.type === 'unknown' ? undefined : each.currentValue)),
      ['new'],
    );
    assert.deepEqual([state.usage, state.turn?.turnId], [{ used: 5, size: 10 }, 'two']);
    const one = state.entries.get('turn:one');
    assert.ok(one?.kind === 'turn' && !isAbsent(one) && Object.keys(one.plans ?? {}).join() === 'p', 'the plan that was told last');
    assert.ok(one?.kind === 'turn' && !isAbsent(one) && one.changes?.files.length === 1, 'what the turn of the head changed');
    assert.deepEqual(state.openToolCalls, [], 'nothing of the head still runs');
    assert.ok(
      JSON.stringify(state.entries.slice().at(-2)).includes('the end') || JSON.stringify(state.entries.slice().at(-1)).includes('the end'),
    );
  });

  it('still has the announcements of subagents', async () => {
    const journal = new JournalFiles(folder, () => 40_000).file('k');
    const filler = (messageId: string): EventInput[] => Array.from({ length: 150 }, () => chunk('words '.repeat(30), messageId));
    const events: EventInput[] = [
      { type: 'session_opened', agentName: 'A', cwd: '/w' },
      { type: 'session_ready', sessionId: 's' },
      { type: 'turn_started', turnId: 'one' },
      ...filler('a'),
      { type: 'subagent_update', subagentId: 'x', patch: { title: 'Explore' } },
      { type: 'subagent_update', subagentId: 'y', parentId: 'x', patch: { title: 'Reader' } },
      { type: 'subagent_update', subagentId: 'x', patch: { work: { state: 'running' } } },
      { type: 'turn_ended', turnId: 'one', stopReason: 'end_turn' },
      ...filler('b'),
      { type: 'turn_started', turnId: 'two' },
      ...filler('c').slice(0, 40),
      ...asSubagentEvents('y', [chunk('late', 'd')]),
    ];
    await journal.append(HEADER);
    for (const [seq, event] of events.entries()) {
      await journal.append(lineOf(event, seq));
    }
    const { state } = (await reducePortions(new JournalFiles(folder).portions('k')))!;
    assert.equal(subagentOf(state, 'x')?.title, 'Explore');
    assert.equal(subagentOf(state, 'y')?.conversation.entries.length, 1);
  });

  it('is limited also when it is replaced as a whole, and when it was too large before', async () => {
    const lines = Array.from({ length: 500 }, (_, seq) => lineOf(chunk('x'.repeat(100)), seq)).join('');
    await new JournalFiles(folder, () => 20_000).file('k').replace(HEADER + lines);
    assert.ok(statSync(file()).size <= 20_000);
    await new JournalFiles(folder).file('k').replace(HEADER + lines);
    assert.ok(statSync(file()).size > 60_000);
    await new JournalFiles(folder, () => 20_000).file('k').append('\n' + lineOf(chunk('more'), 500));
    assert.ok(statSync(file()).size <= 20_000);
    assert.equal(parseJournal(text())!.events.length + leftOut(parseJournal(text())!.events)[0]! - 1, 501);
  });

  it('leaves out an event that is larger than the limit', async () => {
    const journal = new JournalFiles(folder, () => 20_000).file('k');
    await journal.append(HEADER + lineOf(chunk('first'), 0) + lineOf(chunk('x'.repeat(50_000)), 1) + lineOf(chunk('last'), 2));
    const { events } = parseJournal(text())!;
    assert.deepEqual(
      events.map((event) => (event.type === 'message_chunk' ? (event.content as { text: string }).text : event.type)),
      ['first', 'notice', 'last'],
    );
    assert.deepEqual(leftOut(events), [1]);
    if (process.platform !== 'win32') {
      assert.equal(statSync(file()).mode & 0o777, 0o600);
    }
  });

  it('is readable at every moment, however the process ends', async function () {
    this.timeout(120_000);
    const script = `
      const { JournalFiles } = require(${JSON.stringify(path.resolve('src/session/journal/journalFiles.ts'))});
      const { appendFileSync } = require('node:fs');
      const journal = new JournalFiles(${JSON.stringify(folder)}, () => 3_000_000).file('k');
      void (async () => {
        for (let seq = Number(process.argv[1]); ; seq += 50) {
          await journal.append(Array.from({ length: 50 }, (_, n) => JSON.stringify({ seq: seq + n, event: { at: 1, type: 'message_chunk', role: 'agent', messageId: 'm' + (seq + n), content: { type: 'text', text: 'x'.repeat(2000) } } }) + '\\n').join(''));
          process.stdout.write('.');
        }
      })();`;
    writeFileSync(file(), HEADER);
    for (let run = 0; run < 8; run++) {
      const child = spawn(process.execPath, ['--require', path.resolve('test/support/tsx.cjs'), '-e', script, String(run * 1_000_000)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const exited = new Promise((resolve) => child.once('exit', resolve));
      let appended = 0;
      await new Promise<void>((resolve) => child.stdout.on('data', (dots: Buffer) => (appended += dots.length) >= 40 && resolve()));
      await new Promise((resolve) => setTimeout(resolve, run * 7));
      child.kill('SIGKILL');
      await exited;
      const { header, events, skipped } = parseJournal(text())!;
      assert.equal(header.key, 'k');
      assert.ok(skipped <= run + 1, `${skipped} torn lines`); // One for each time that the process was killed while it appended.
      assert.ok(leftOut(events).length === 1 && events.length > 100);
    }
    // Files that the last process left behind are deleted later, and with the journal.
    const journals = new JournalFiles(folder);
    const old = path.join(folder, `.k.jsonl.${'0'.repeat(24)}.tmp`);
    writeFileSync(old, 'old');
    utimesSync(old, 1, 1);
    await journals.sweep(folder);
    for (let tries = 0; tries < 100 && readdirSync(folder).includes(path.basename(old)); tries++) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    assert.ok(!readdirSync(folder).includes(path.basename(old)));
    await journals.remove('k');
    assert.deepEqual(readdirSync(folder), []);
  });

  (process.platform === 'win32' ? it.skip : it)('is never written through a link', async () => {
    const victim = path.join(folder, 'victim');
    writeFileSync(victim, 'mine');
    symlinkSync(victim, file());
    symlinkSync(victim, path.join(folder, 'k.draft.json'));
    symlinkSync(victim, path.join(folder, 'k.draft.json.new'));
    const journals = new JournalFiles(folder);
    await assert.rejects(journals.file('k').append(HEADER));
    await journals.writeDraft('k', '{}');
    assert.equal(readFileSync(victim, 'utf8'), 'mine');
  });

  it('limits any setting to a possible size', () => {
    assert.deepEqual(
      [undefined, 'x', NaN, -5, 0, 3, Infinity].map((value) => journalLimitOf(value) / MEGABYTE),
      [200, 200, 200, 1, 1, 3, 100_000],
    );
  });
});
