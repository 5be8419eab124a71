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

  it('are the user’s where nothing of the agent’s is left, and the agent is notified', () => {
    const hunks = saved('one\n2\nzwei\nthree\nfour\nfive\n', 'one\nTWO\nthree\nfour\nfive\n');
    assert.deepEqual([pending(hunks), aside(hunks)], [[], [['2\nzwei\n', 'stale', true]]]);
    assert.equal(hunks.baseline, hunks.text);
  });

  it('are undone where the text is the earlier one', () => {
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

  it('stay where the agent’s lines are left', () => {
    const hunks = saved('one\n2\nzwei\nthree\nfour\n5\n', 'one\nTWO\nzwei\nthree\nfour\n5\n');
    assert.deepEqual([pending(hunks), aside(hunks)], [['TWO\nzwei\n', '5\n'], []]);
  });

  it('are the user’s where the agent had deleted the lines', () => {
    const hunks = saved('one\nthree\nfour\nfive\n', 'one\nTWO\nthree\nfour\nfive\n');
    assert.deepEqual([pending(hunks), aside(hunks)], [[], [['', 'stale', true]]]);
  });
});
