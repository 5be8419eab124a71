/** The wait for a page's first report of a card. */
import assert from 'node:assert/strict';
import { CardSights, REPORT_MS } from '../../../../src/session/permission/cardSights';
import { FakeClock } from './fakes';

describe('the reported cards of waiting requests', () => {
  let clock: FakeClock;
  let changes: number;
  let cards: CardSights;

  beforeEach(() => {
    clock = new FakeClock();
    changes = 0;
    cards = new CardSights(clock, () => changes++);
  });

  afterEach(() => {
    cards.dispose();
    assert.equal(clock.pending, 0);
  });

  it('awaits the report of a card, and takes the one that comes', () => {
    assert.equal(cards.sightOf('s', 'p'), 'awaited');
    cards.report('s', 'p', 'seen');
    assert.equal(cards.sightOf('s', 'p'), 'seen');
    cards.report('s', 'p', 'hidden');
    assert.equal(cards.sightOf('s', 'p'), 'hidden');
    clock.pass(REPORT_MS);
    assert.equal(changes, 0);
  });

  it('counts a card that is not reported in time as hidden, until it is', () => {
    cards.sightOf('s', 'p');
    clock.pass(REPORT_MS - 1);
    assert.deepEqual([cards.sightOf('s', 'p'), changes], ['awaited', 0]);
    clock.pass(1);
    assert.deepEqual([cards.sightOf('s', 'p'), changes], ['hidden', 1]);
    cards.report('s', 'p', 'focused');
    assert.equal(cards.sightOf('s', 'p'), 'focused');
  });

  it('awaits a new report once the page is gone', () => {
    cards.sightOf('s', 'q');
    cards.report('s', 'p', 'seen');
    cards.forget('s');
    clock.pass(REPORT_MS);
    assert.deepEqual([cards.sightOf('s', 'p'), changes], ['awaited', 0]);
  });
});
