/** Helpers for the suites about an agent's changes. */
import { strict as assert } from 'node:assert';

/** `count` lines, `0 same` and so on. The entries of `changed` replace the lines with their numbers. */
export function numberedLines(count: number, changed: readonly string[]): string {
  return (
    Array.from({ length: count }, (_, index) => changed.find((line) => line.startsWith(`${index} `)) ?? `${index} same`).join('\n') + '\n'
  );
}

/**
 * Waits for a value for which `holds` is true, and returns it.
 * @param seconds the limit
 * @throws AssertionError
 */
export async function until<T>(what: string, value: () => T | Promise<T>, holds: (value: T) => boolean, seconds = 8): Promise<T> {
  for (let tries = 0; ; tries++) {
    const now = await value();
    if (holds(now)) {
      return now;
    }
    assert.ok(tries < seconds * 10, `${what}: ${JSON.stringify(now)}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
