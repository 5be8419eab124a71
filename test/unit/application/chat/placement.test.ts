/** The surface that shows an opened session: every combination of its present place, the wanted place and the setting. */
import assert from 'node:assert/strict';
import { type Placement, type PlacementFacts, placementOf } from '../../../../src/application/chat/placement';

type Row = [shownIn: PlacementFacts['shownIn'], where: PlacementFacts['where'], location: 'editor' | 'sideBar', acts: string];

/** `open` and `look` (a preview), each without a preview panel and with one. `*`: closes the previous place. `?`: the panel is a preview. */
const TABLE: readonly Row[] = [
  [undefined, undefined, 'editor', 'panel, panel?, panel, reuse?'],
  [undefined, undefined, 'sideBar', 'sideBar, sideBar, sideBar, sideBar'],
  [undefined, 'editor', 'sideBar', 'panel, panel?, panel, reuse?'],
  [undefined, 'sideBar', 'editor', 'sideBar, sideBar, sideBar, sideBar'],
  [undefined, 'window', 'editor', 'panel, panel, panel, panel'],
  [undefined, 'window', 'sideBar', 'panel, panel, panel, panel'],
  // The present place overrides the setting.
  ['editor', undefined, 'sideBar', 'reveal, reveal?, reveal, reveal?'],
  ['editor', undefined, 'editor', 'reveal, reveal?, reveal, reveal?'],
  ['sideBar', undefined, 'editor', 'reveal, reveal?, reveal, reveal?'],
  ['sideBar', undefined, 'sideBar', 'reveal, reveal?, reveal, reveal?'],
  ['editor', 'editor', 'sideBar', 'reveal, reveal?, reveal, reveal?'],
  ['sideBar', 'sideBar', 'editor', 'reveal, reveal?, reveal, reveal?'],
  ['editor', 'window', 'sideBar', 'reveal, reveal, reveal, reveal'],
  ['editor', 'sideBar', 'editor', 'sideBar*, sideBar*, sideBar*, sideBar*'],
  ['sideBar', 'editor', 'sideBar', 'panel*, panel*, panel*, panel*'],
  ['sideBar', 'window', 'sideBar', 'panel*, panel*, panel*, panel*'],
];

const said = ({ act, preview, leaves }: Placement): string => `${act}${leaves ? '*' : ''}${preview ? '?' : ''}`;

describe('the place of an opened session', () => {
  for (const [shownIn, where, location, acts] of TABLE) {
    it(`shown in ${shownIn ?? 'nothing'}, wanted ${where ?? 'anywhere'}, setting ${location}`, () => {
      const all = [false, true].flatMap((hasPreview) =>
        [false, true].map((preview) => said(placementOf({ shownIn, location, hasPreview, preview, ...(where && { where }) }))),
      );
      assert.equal(all.join(', '), acts);
    });
  }

  it('has a row for each case', () => {
    const cases = new Set(TABLE.map(([shownIn, where]) => `${shownIn} ${where}`));
    assert.equal(cases.size, 3 * 4);
  });
});
