/** Counts the lines of a turn's changes. Where the user's part of a file is known, only the agent's lines count. */
import { type CountBudget, type LineCounts, lineCounts } from '../../core/fileChanges/lineCounts';
import type { FileRecord } from '../../core/fileChanges/records';
import { hunkCounts } from '../hunks/hunkCounts';
import { Pace } from '../disk/pace';
import { replayTurn, type TextStep } from '../hunks/replayTurn';

export interface CountedTexts {
  readonly turnId: string;
  /** The texts of both authors, where each part is known. */
  stepsOf(path: string): readonly TextStep[] | undefined;
  /** The stored content of a hash. */
  before(hash: string): Promise<Uint8Array | undefined>;
  /** The content that the turn left. */
  after(path: string, hash: string): Promise<Uint8Array | undefined>;
}

/** The budget of all line counts of a turn. */
const MAX_UNITS = 8 * 1024 * 1024;
const MAX_STEPS = 2_000_000;

export async function countedRecords(records: readonly FileRecord[], texts: CountedTexts): Promise<readonly FileRecord[]> {
  const budget: CountBudget = { units: MAX_UNITS, steps: MAX_STEPS };
  const counted: FileRecord[] = [];
  const pace = new Pace();
  for (const record of records) {
    counted.push({ ...record, ...(await countsOf(record, texts, budget)) });
    await pace.heavyStep();
  }
  return counted;
}

async function countsOf(
  { path, before, after, binary }: FileRecord,
  texts: CountedTexts,
  budget: CountBudget,
): Promise<LineCounts | object> {
  if (binary || before.kind === 'unknown' || after.kind === 'unknown' || before.kind === 'link' || after.kind === 'link') {
    return {};
  }
  if (before.kind === 'file' && after.kind === 'file' && before.hash === after.hash) {
    return { added: 0, removed: 0 };
  }
  const size = (before.kind === 'file' ? before.size : 0) + (after.kind === 'file' ? after.size : 0);
  if (budget.units < 0 || size / 4 > budget.units) {
    return {};
  }
  const old = before.kind === 'file' ? await texts.before(before.hash) : Buffer.alloc(0);
  const now = after.kind === 'file' ? await texts.after(path, after.hash) : Buffer.alloc(0);
  if (!old || !now) {
    return {};
  }
  const [oldText, newText] = [Buffer.from(old).toString(), Buffer.from(now).toString()];
  const steps = texts.stepsOf(path);
  const ofAgent = steps && replayTurn(oldText, texts.turnId, steps, newText);
  return (ofAgent ? hunkCounts(ofAgent, budget) : lineCounts(oldText, newText, budget)) ?? {};
}
