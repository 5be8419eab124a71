/** Compares the result with a text file in `test/golden/`. `ACP_HOST_UPDATE_GOLDEN=1` rewrites the file instead. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.join(__dirname, '..', 'golden');

export const isUpdatingGoldens = process.env.ACP_HOST_UPDATE_GOLDEN === '1';

export function hasGolden(name: string): boolean {
  return existsSync(path.join(ROOT, name));
}

/** The lines of a golden text. */
export function readGolden(name: string): string[] {
  return readFileSync(path.join(ROOT, name), 'utf8').split('\n').slice(0, -1);
}

/**
 * @param name the file's path below `test/golden/`
 * @param lines the expected lines
 * @param select returns the lines that are compared, of either text
 */
export function assertGolden(
  name: string,
  lines: readonly string[],
  select: (lines: readonly string[]) => readonly string[] = (all) => all,
): void {
  const file = path.join(ROOT, name);
  const actual = lines.join('\n') + '\n';
  if (isUpdatingGoldens) {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, actual);
    return;
  }
  assert.ok(existsSync(file), `test/golden/${name} is missing; ACP_HOST_UPDATE_GOLDEN=1 writes it`);
  const compared = (text: string): string => select(text.split('\n')).join('\n');
  assert.equal(
    compared(actual),
    compared(readFileSync(file, 'utf8')),
    `differs from test/golden/${name}; ACP_HOST_UPDATE_GOLDEN=1 rewrites it`,
  );
}
