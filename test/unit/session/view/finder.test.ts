import assert from 'node:assert/strict';
import type { Found } from '../../../../src/core/protocol/messages/findQuery';
import { Finder } from '../../../../src/session/view/finder';
import { SessionStore } from '../../../../src/session/state/store';
import { FakeClock } from '../permission/fakes';
import { chunk } from '../../../support/events';

describe('finder', () => {
  const clock = new FakeClock();
  let store: SessionStore;
  let reported: [number, Found][];
  let finder: Finder;
  const say = (text: string, messageId: string) => store.append(chunk(text, messageId));
  const query = (text: string) => ({ text, caseSensitive: false, wholeWord: false });

  beforeEach(() => {
    store = new SessionStore(clock);
    reported = [];
    finder = new Finder(store, clock, (findId, found) => reported.push([findId, found]));
  });

  it('answers at once when there is little to search, and again when the answer changes', () => {
    say('a needle', '1');
    finder.find(7, query('needle'));
    assert.deepEqual(reported, [[7, { count: 1, capped: false, hits: [['agent:1', 1]] }]]);
    say(' in hay', '1');
    clock.pass(1000);
    assert.equal(reported.length, 1);
    say('needle', '2');
    clock.pass(1000);
    assert.deepEqual(reported[1], [
      7,
      {
        count: 2,
        capped: false,
        hits: [
          ['agent:1', 1],
          ['agent:2', 1],
        ],
      },
    ]);
  });

  it('searches a long conversation in portions, and stops for a newer search', () => {
    for (let index = 0; index < 20; index++) {
      say('hay '.repeat(20_000) + 'needle', String(index));
    }
    finder.find(1, query('needle'));
    assert.equal(reported.length, 0);
    finder.find(2, query('absent'));
    finder.find(3, query('needle'));
    clock.pass(1000);
    assert.deepEqual(
      reported.map(([findId, { count }]) => [findId, count]),
      [[3, 20]],
    );
  });

  it('finds messages that arrived during the search', () => {
    for (let index = 0; index < 20; index++) {
      say('hay '.repeat(20_000) + 'needle', String(index));
    }
    finder.find(1, query('needle'));
    say('needle', 'late');
    clock.pass(5000);
    assert.equal(reported.at(-1)![1].count, 21);
  });

  it('reports nothing after it was stopped', () => {
    say('needle', '1');
    finder.find(1, query('needle'));
    finder.find(2, query(''));
    say('needle', '2');
    clock.pass(5000);
    assert.equal(reported.length, 1);
    finder.find(3, query('  '));
    assert.deepEqual(reported[1], [3, { count: 0, capped: false, hits: [] }]);
  });
});
