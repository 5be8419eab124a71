/** Two texts as the lines of a unified diff, for whoever reads it as text. Pure. */
import { diffLines, LINE_EDITS, linesOf } from './lines';

/** Unchanged lines around a change. */
const AROUND = 3;

/** Hunks with their `@@` lines, without the two lines that name the files; empty when the lines are the same. */
export function unifiedDiff(before: string, after: string): string {
  const [old, now] = [linesOf(before), linesOf(after)];
  const changes = diffLines(old, now, LINE_EDITS.merged);
  const lines: string[] = [];
  for (let index = 0; index < changes.length; ) {
    const first = index;
    // Those whose surroundings meet are in one hunk.
    while (changes[index + 1] && changes[index + 1]!.oldStart - changes[index]!.oldEnd <= 2 * AROUND) {
      index++;
    }
    const group = changes.slice(first, ++index);
    const [from, to] = [group[0]!, group.at(-1)!];
    const lead = Math.min(AROUND, from.oldStart);
    const tail = Math.min(AROUND, old.length - to.oldEnd);
    const [oldCount, newCount] = [to.oldEnd + tail - (from.oldStart - lead), to.newEnd + tail - (from.newStart - lead)];
    lines.push(`@@ -${range(from.oldStart - lead, oldCount)} +${range(from.newStart - lead, newCount)} @@`);
    let at = from.oldStart - lead;
    for (const { oldStart, oldEnd, newStart, newEnd } of group) {
      lines.push(...old.slice(at, oldStart).map((line) => ` ${line}`));
      lines.push(...old.slice(oldStart, oldEnd).map((line) => `-${line}`));
      lines.push(...now.slice(newStart, newEnd).map((line) => `+${line}`));
      at = oldEnd;
    }
    lines.push(...old.slice(at, at + tail).map((line) => ` ${line}`));
  }
  return lines.join('\n');
}

/** Lines count from 1; of none, the line before them is named. */
function range(start: number, count: number): string {
  return `${count === 0 ? start : start + 1},${count}`;
}
