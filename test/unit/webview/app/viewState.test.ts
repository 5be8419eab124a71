import assert from 'node:assert/strict';
import type { Search } from '../../../../webview/state/search';
import { DisclosureState } from '../../../../webview/state/disclosureState';
import { parseViewState, captureViewState } from '../../../../webview/app/viewState';

const search = (isOpen: boolean) => ({ isOpen, query: { text: 'x', caseSensitive: true, wholeWord: false } }) as Search;

describe('the view state of a session', () => {
  it('is unchanged after it was saved and restored', () => {
    const disclosures = new DisclosureState();
    disclosures.set('a', true);
    disclosures.set('b', false);
    const looks = captureViewState({ disclosures, scrollPosition: { entryId: 'e', offset: -3 }, search: search(true) });
    assert.deepEqual(parseViewState(JSON.parse(JSON.stringify(looks))), looks);
    const plain = captureViewState({ disclosures: new DisclosureState(), scrollPosition: undefined, search: search(false) });
    assert.deepEqual(parseViewState(JSON.parse(JSON.stringify(plain))), { folds: [], place: undefined, find: undefined });
  });

  it('is empty when the saved state is malformed', () => {
    const nothing = { folds: [], place: undefined, find: undefined };
    for (const kept of [
      undefined,
      null,
      3,
      'x',
      [],
      {},
      { folds: {}, place: 'e', find: [] },
      { folds: [['a'], 'b', ['c', 1]], place: {} },
    ]) {
      assert.deepEqual(parseViewState(kept), nothing, JSON.stringify(kept));
    }
    assert.deepEqual(parseViewState({ place: { entryId: 'e', offset: 'x' }, find: { text: 'x' } }), nothing);
  });

  it('keeps the newest of very many disclosures', () => {
    const disclosures = new DisclosureState();
    for (let index = 0; index < 5000; index++) {
      disclosures.set(`f${index}`, true);
    }
    const { folds: kept } = captureViewState({ disclosures, scrollPosition: undefined, search: search(false) });
    assert.equal(kept.length, 2000);
    assert.deepEqual(kept.at(-1), ['f4999', true]);
  });
});
