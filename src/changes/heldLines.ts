/** Finds lines that a run removes from a file before the file that they come from gets them back. Pure, with pauses. */
import type { FileState } from '../core/fileChanges/records';
import { addTo, Pace } from './disk/pace';
import type { Origins } from './origins';

/** A file of a run, with its bytes on the disk and the wanted ones; undefined where there is no file, or no content. */
export interface RunContents {
  readonly path: string;
  readonly now: Uint8Array | undefined;
  readonly to: Uint8Array | undefined;
  /** True for a file that the run does not write: it keeps its lines, and misses those of `to`. */
  readonly isLeft?: boolean;
}

/** True for a state whose missing lines are known. A path that leads elsewhere, or cannot be read, counts as one without lines. */
export function isComparable(now: FileState): boolean {
  return now.kind !== 'unknown' || now.reason === 'unreadable';
}

/** Shorter lines, such as a brace, are in many files. */
const MIN_LINE = 3;
/** The share of the missing or removed lines from which on common lines are no coincidence. */
const MIN_SHARE = 0.2;

/**
 * Returns the files that hold lines of others, as a file does that was moved and then edited. Each of the others must get its lines back before the
 * holder is written. A line that stays in one of the files is no loss.
 */
export async function heldLines(files: readonly RunContents[]): Promise<Origins> {
  const pace = new Pace();
  const missing = new Map<string, string[]>();
  const sizes = new Map<string, number>();
  const going = new Map<string, ReadonlySet<string>>();
  const staying = new Set<string>();
  for (const { path, now, to, isLeft = false } of files) {
    const [present, wanted] = [linesIn(now), linesIn(to)];
    const gone = new Set<string>();
    for (const line of present) {
      (isLeft || wanted.has(line) ? staying : gone).add(line);
      await pace.step();
    }
    going.set(path, gone);
    for (const line of wanted) {
      if (!present.has(line)) {
        addTo(missing, line, path);
        sizes.set(path, (sizes.get(path) ?? 0) + line.length);
      }
      await pace.step();
    }
  }
  const held = new Map<string, (readonly string[])[]>();
  for (const [path, gone] of going) {
    const shares = new Map<string, number>();
    let size = 0;
    for (const line of gone) {
      size += line.length;
      for (const owner of staying.has(line) ? [] : (missing.get(line) ?? [])) {
        shares.set(owner, (shares.get(owner) ?? 0) + line.length);
      }
      await pace.step();
    }
    for (const [owner, share] of shares) {
      if (share >= MIN_SHARE * Math.min(size, sizes.get(owner)!)) {
        addTo(held, path, [owner]);
      }
    }
  }
  return held;
}

/** The lines of a file that are long enough, without the spaces around them. Bytes are read as Latin-1, so binary files have lines, too. */
function linesIn(bytes: Uint8Array | undefined): ReadonlySet<string> {
  const lines = bytes === undefined ? [] : Buffer.from(bytes).toString('latin1').split('\n');
  return new Set(lines.map((line) => line.trim()).filter((line) => line.length >= MIN_LINE));
}
