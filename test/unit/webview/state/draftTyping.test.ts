/** Messages of the host that arrive while the user types. */
import assert from 'node:assert/strict';
import { MemoryHost } from '../../../../webview/base/host';
import { Draft } from '../../../../webview/state/draft';

describe('typing in a draft', () => {
  /** A generator of numbers in `[0, below)` that repeats for each seed. */
  const numbers = (seed: number) => {
    let state = seed;
    return (below: number): number => (state = (state * 1_103_515_245 + 12_345) % 2 ** 31) % below;
  };
  const text = (words: string) => [{ type: 'text' as const, text: words }];

  it('is never lost to a message of the host that arrives late', () => {
    for (let seed = 1; seed <= 300; seed++) {
      const next = numbers(seed);
      let stored: unknown;
      const host = new MemoryHost(() => undefined, { read: () => stored, write: (state) => void (stored = state) });
      const early = next(2) === 0 ? { text: 'early', send: false } : undefined;
      const typed = early ? ['early'] : [];
      const done: string[] = [];
      let draft = new Draft(host, early);
      // The first message may be newer than this page's own state. The later ones are older than what the user typed meanwhile.
      let firstAt = next(2) === 0 ? 0 : 7;
      for (let step = 0; step < 20; step++) {
        const act = next(8);
        done.push(String(act));
        if (act < 3) {
          typed.push(`w${step}w`);
          draft.setText(`${draft.text} w${step}w`);
        } else if (act === 3) {
          draft.adopt({ at: firstAt, content: text(`stored${step}`) });
          firstAt = 0;
        } else if (act === 4) {
          draft.restore(`returned${step}`);
        } else if (act === 5) {
          draft.restoreMessage(text(`message${step}`));
        } else if (act === 6) {
          draft.attach([{ type: 'resource_link', uri: `file:///${step}`, name: 'a' }]);
        } else {
          draft.flush();
          draft = new Draft(host);
          firstAt = 0;
        }
        const lost = typed.filter((word) => !draft.text.includes(word));
        assert.deepEqual(lost, [], `seed ${seed}, steps ${done.join(' ')}: ${draft.text}`);
        assert.deepEqual(
          typed.filter((word, index) => index > 0 && draft.text.indexOf(word) < draft.text.indexOf(typed[index - 1]!)),
          [],
          'the order of typing',
        );
      }
    }
  });
});
