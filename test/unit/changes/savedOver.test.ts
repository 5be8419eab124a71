/** A save of a document that never had the agent's write. */
import assert from 'node:assert/strict';
import { LiveHunks } from '../../../src/changes/hunks/liveHunks';

const BEFORE = 'one\ntwo\nthree\nfour\nfive\n';

describe('pending changes that the user saves over', () => {
  const saved = (agent: string, text: string): LiveHunks => {
    const hunks = LiveHunks.of(BEFORE);
    hunks.replace(agent, { type: 'agent', by: 'turn-1' });
    assert.equal(hunks.savedOver(text), true);
    assert.equal(hunks.text, text);
    return hunks;
  };
  const pending = (hunks: LiveHunks): string[] => hunks.hunks.map(({ start, end }) => hunks.text.slice(start, end));
  const aside = (hunks: LiveHunks): unknown[] => hunks.setAside.map(({ newText, status, byUser }) => [newText, status, byUser]);

  it('become the user’s when nothing of the agent’s is left, and the agent is notified', () => {
    const hunks = saved('one\n2\nzwei\nthree\nfour\nfive\n', 'one\nTWO\nthree\nfour\nfive\n');
    assert.deepEqual([pending(hunks), aside(hunks)], [[], [['2\nzwei\n', 'stale', true]]]);
    assert.equal(hunks.baseline, hunks.text);
  });

  it('are undone when the text equals the earlier one', () => {
    const hunks = saved('one\n2\nthree\nfour\n5\n', 'one\ntwo\nthree\nfour\nFIVE\n');
    assert.deepEqual(
      [pending(hunks), hunks.setAside.map(({ newText, status }) => [newText, status])],
      [
        [],
        [
          ['5\n', 'stale'],
          ['2\n', 'undone'],
        ],
      ],
    );
  });

  it('stay when the agent’s lines are left, without the lines of the user', () => {
    const hunks = saved('one\n2\nzwei\nthree\nfour\n5\n', 'one\nTWO\nzwei\nthree\nfour\n5\n');
    assert.deepEqual([pending(hunks), aside(hunks)], [['zwei\n', '5\n'], []]);
    assert.equal(hunks.baseline, 'one\nTWO\ntwo\nthree\nfour\nfive\n');
  });

  for (const [name, agent, text, baseline] of [
    ['after them', '1\neins\n', 'ONE\nUNO\n1\neins\n', 'ONE\nUNO\n'],
    ['at the end', 'one\n2\nzwei\n', 'one\n2\nTWO\n', 'one\ntwo\nTWO\n'],
    ['between them', 'one\n2\nzwei\ndeux\n', 'one\n2\nTWO\ndeux\n', 'one\ntwo\nTWO\n'],
  ] as const) {
    it(`do not remove the lines of the user: ${name}`, () => {
      const rest = 'three\nfour\nfive\n';
      const { baseline: undone } = saved(agent + rest, text + rest);
      baseline.split('\n').forEach((line) => assert.ok(undone.split('\n').includes(line), `${line} in ${undone}`));
    });
  }

  it('stay whole when only their old lines returned', () => {
    const hunks = saved('one\n2\nzwei\nthree\nfour\nfive\n', 'one\ntwo\nzwei\nthree\nfour\nfive\n');
    assert.deepEqual([pending(hunks), hunks.baseline], [['two\nzwei\n'], BEFORE]);
  });

  it('become the user’s when the agent had deleted the lines', () => {
    const hunks = saved('one\nthree\nfour\nfive\n', 'one\nTWO\nthree\nfour\nfive\n');
    assert.deepEqual([pending(hunks), aside(hunks)], [[], [['', 'stale', true]]]);
  });
});
