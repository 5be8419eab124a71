/** Results of a search as they arrive, and their texts. */
import assert from 'node:assert/strict';
import type { KeptSessionHit } from '../../../../src/session/journal/sessionCatalog';
import { hitRow, SearchRun } from '../../../../src/application/sessionsView/searchRun';
import { english } from '../english';
import { settled, summary } from './fakes';

const hit = (over: Partial<KeptSessionHit> = {}): KeptSessionHit => ({
  key: 'a',
  summary: summary('a', { title: 'Calculator', cwd: '/x/web', turnEndedAt: 1_000 }),
  entryId: 'message:m',
  excerpt: 'We add the numbers',
  from: 3,
  to: 6,
  ...over,
});

describe('a search over sessions', () => {
  it('shows results as they are found, and reports the end', async () => {
    let next: (hit: KeptSessionHit | undefined) => void = () => {};
    const told: [number, boolean][] = [];
    const search = async function* () {
      for (;;) {
        const found = await new Promise<KeptSessionHit | undefined>((resolve) => (next = resolve));
        if (!found) {
          return;
        }
        yield found;
      }
    };
    const run = new SearchRun({ search }, 'add', 10, () => told.push([run.hits.length, run.done]));
    await settled();
    next(hit());
    await settled();
    next(hit());
    await settled();
    next(undefined);
    await settled();
    assert.deepEqual(told, [
      [1, false],
      [2, false],
      [2, true],
    ]);
  });

  it('ends when there are too many, when it is stopped, and when it fails', async () => {
    let signal: AbortSignal | undefined;
    const search = async function* (_: string, given: AbortSignal) {
      signal = given;
      for (let count = 0; count < 100; count++) {
        await Promise.resolve();
        yield hit();
      }
    };
    const many = new SearchRun({ search }, 'add', 3, () => {});
    await settled();
    assert.deepEqual([many.hits.length, many.more, many.done, signal?.aborted], [3, true, true, true]);
    const stopped = new SearchRun({ search }, 'add', 99, () => {});
    stopped.stop();
    await settled();
    assert.deepEqual([stopped.hits.length, signal?.aborted], [0, true]);
    const failing = async function* () {
      yield hit();
      await Promise.reject(new Error('disk'));
    };
    const failed = new SearchRun({ search: failing }, 'add', 9, () => {});
    await settled();
    assert.deepEqual([failed.hits.length, failed.done], [1, true]);
  });

  it('shows title, place and excerpt, with the words visible', () => {
    assert.deepEqual(hitRow(hit(), 61_000, 'en', english), {
      label: 'Calculator',
      description: 'Codex in web · 1m ago',
      detail: 'We add the numbers',
    });
    const { entryId: _, ...title } = hit();
    assert.ok(!('detail' in hitRow(title, 61_000, 'en', english)));
    assert.equal(hitRow(hit({ summary: summary('a', { marks: { name: 'Mine' } }) }), 0, 'en', english).label, 'Mine');
    const long = `${'before '.repeat(100)}needle${' after'.repeat(100)}`;
    const from = long.indexOf('needle');
    const { detail } = hitRow(hit({ excerpt: long, from, to: from + 6 }), 0, 'en', english);
    assert.match(detail!, /^….*needle.*…$/);
    assert.ok(detail!.length < 250);
    assert.ok(!/\$\(|\]\(|\n/.test(hitRow(hit({ excerpt: '$(x) [a](command:b)\nnext', from: 0, to: 1 }), 0, 'en', english).detail!));
  });

  it('starts an excerpt with a whole word, or inside a word that is longer than the excerpt', () => {
    const shown = (before: string): string => {
      const excerpt = `${before}needle`;
      const from = before.length;
      return hitRow(hit({ excerpt, from, to: from + 6 }), 0, 'en', english).detail!;
    };
    assert.equal(shown(`${'before '.repeat(9)}of the `), '…before before before before of the needle');
    assert.equal(shown(`${'x'.repeat(30)} ${'y'.repeat(39)} `), `…${'y'.repeat(39)} needle`);
    assert.equal(shown('x'.repeat(80)), `…${'x'.repeat(40)}needle`);
    assert.equal(shown('short words before '), 'short words before needle');
  });
});
