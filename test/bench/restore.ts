/**
 * Reads a journal of 50,000 events back from its file, parses, checks and reduces it to a state, as for a reopened window. The baseline is
 * only `JSON.parse` of the same lines in memory.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { EventInput } from '../../src/core/model/event';
import { V1Updates } from '../../src/acp/v1/updates';
import { JournalFiles } from '../../src/session/journal/journalFiles';
import { reducePortions } from '../../src/session/journal/journalReader';
import { median } from './median';
import type { BenchLine } from './run';
import { wireLoad } from './wireLoad';

const EVENTS = 50_000;
const ROUNDS = 7;

export async function run(): Promise<readonly BenchLine[]> {
  const text = journalText();
  const lines = text.split('\n');
  const folder = mkdtempSync(path.join(tmpdir(), 'acp-host-restore-'));
  const journals = new JournalFiles(folder);
  await journals.file('k').append(text);
  const restore: number[] = [];
  const parse: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    const { state } = (await reducePortions(journals.portions('k')))!;
    if (state.entries.length < 1000) {
      throw new Error(`only ${state.entries.length} entries`);
    }
    restore.push(performance.now() - start);
    const between = performance.now();
    lines.forEach((line) => line !== '' && JSON.parse(line));
    parse.push(performance.now() - between);
  }
  rmSync(folder, { recursive: true });
  const value = median(restore);
  const baseline = median(parse);
  return [{ name: 'restore: 50,000 events beside JSON.parse', value, unit: 'ms', baseline, ratio: value / baseline }];
}

/** The journal of a session with the `wire` load. */
function journalText(): string {
  const updates = new V1Updates();
  const unstamped: EventInput[] = [];
  for (const line of wireLoad().split('\n')) {
    if (unstamped.length >= EVENTS) {
      break;
    }
    const { params } = JSON.parse(line) as { params: Record<string, unknown> };
    unstamped.push(...updates.decode('s', params));
  }
  const header = { acpHostJournal: 1, key: 'k', agentName: 'A', cwd: '/a', createdAt: 1 };
  const events = unstamped.slice(0, EVENTS).map((event, seq) => JSON.stringify({ seq, event: { ...event, at: seq } }));
  return [JSON.stringify(header), ...events].join('\n') + '\n';
}
