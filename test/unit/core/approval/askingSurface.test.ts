/** The place that shows a permission request depends on the setting, the focus and the visibility of the card. */
import assert from 'node:assert/strict';
import { askingSurface, type PermissionPresent, type Surroundings } from '../../../../src/core/approval/askingSurface';

describe('the place of a permission request', () => {
  const FOCI: readonly Surroundings['focus'][] = ['page', 'otherPage', 'editor', 'typing', undefined];
  const CARDS: readonly Surroundings['card'][] = ['hidden', 'seen', 'focused', 'awaited'];
  const PLACES = { P: 'pick', C: 'card', '-': undefined } as const;
  /** A group for each of {@link FOCI}, with a place for each of {@link CARDS}. */
  const table: readonly (readonly [PermissionPresent, isInFront: boolean, places: string])[] = [
    ['auto', true, 'PCC- PPPP PPPP ---- ----'],
    ['auto', false, 'PCC- PPPP PPPP ---- ----'],
    ['both', true, 'PPCP ---- PPPP PPPP ----'],
    ['both', false, '--C- ---- ---- ---- ----'],
    ['quickPick', true, 'PPCP ---- PPPP PPPP ----'],
    ['quickPick', false, '--C- ---- ---- ---- ----'],
    ['card', true, 'CCCC CCCC CCCC CCCC CCCC'],
    ['card', false, 'CCCC CCCC CCCC CCCC CCCC'],
  ];
  for (const [present, isInFront, places] of table) {
    for (const [row, focus] of FOCI.entries()) {
      for (const [column, card] of CARDS.entries()) {
        const place = PLACES[places.split(' ')[row]![column] as keyof typeof PLACES];
        const where = focus === undefined ? 'the focus is unknown' : `the focus is in ${focus}`;
        it(`is ${place ?? 'none'} with ${present} when ${where}, the card is ${card} and the session is ${isInFront ? '' : 'not '}in front`, () =>
          assert.equal(askingSurface(present, { focus, isInFront, card }), place));
      }
    }
  }
});
