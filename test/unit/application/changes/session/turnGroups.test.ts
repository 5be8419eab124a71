/** Pending changes, grouped by the turn that made them. */
import assert from 'node:assert/strict';
import { LiveHunks } from '../../../../../src/changes/hunks/liveHunks';
import type { ReviewFile } from '../../../../../src/changes/review/review';
import { turnGroups } from '../../../../../src/application/changes/session/turnGroups';

describe('changes by turn', () => {
  const order = (one: string, other: string): number => Number(one.slice(5)) - Number(other.slice(5));
  const lines = (...changed: readonly string[]): string =>
    Array.from({ length: 9 }, (_, index) => changed.find((line) => line.startsWith(`${index} `)) ?? `${index} same`).join('\n') + '\n';
  const file = (path: string, turns: readonly string[], hunks?: LiveHunks): { readonly file: ReviewFile } => ({
    file: { path, before: { kind: 'none' }, after: { kind: 'none' }, isDeleted: false, turns, ...(hunks && { hunks }) },
  });
  const shown = (pending: readonly { readonly file: ReviewFile }[]): unknown =>
    turnGroups(pending, order).map(({ turnId, parts }) => [
      turnId,
      ...parts.map(({ pending: each, hunkIds }) => [each.file.path, hunkIds]),
    ]);

  it("contain a file in each turn that changed it, with that turn's changes only", () => {
    const hunks = LiveHunks.of(lines());
    hunks.replace(lines('1 first'), { type: 'agent', by: 'turn-1' });
    hunks.replace(lines('1 first', '7 second'), { type: 'agent', by: 'turn-2' });
    const [first, second] = hunks.hunks.map(({ hunkId }) => hunkId);
    assert.deepEqual(shown([file('b', ['turn-10']), file('a', ['turn-1', 'turn-2'], hunks)]), [
      ['turn-1', ['a', [first]]],
      ['turn-2', ['a', [second]]],
      ['turn-10', ['b', undefined]],
    ]);
  });

  it('assign a change of two turns to the later one, and take a file of one turn as a whole', () => {
    const hunks = LiveHunks.of(lines());
    hunks.replace(lines('1 first'), { type: 'agent', by: 'turn-1' });
    hunks.replace(lines('1 second'), { type: 'agent', by: 'turn-2' });
    assert.deepEqual(shown([file('a', ['turn-1', 'turn-2'], hunks)]), [['turn-2', ['a', undefined]]]);
  });
});
