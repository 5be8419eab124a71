import assert from 'node:assert/strict';
import { own } from '../../../../src/application/shared/escape';
import { StableRows } from '../../../../src/workbench/shared/stableRows';
import type { Item } from '../../../../src/workbench/shared/window';

interface Row extends Item {
  readonly id?: string;
}

const rowsOf = (...ids: string[]): Row[] => ids.map((id) => ({ label: own(''), id }));

describe('rows of a quick pick that is being filled', () => {
  let pick: { items: readonly Row[] };
  let rows: StableRows<Row>;

  beforeEach(() => {
    pick = { items: [] };
    rows = new StableRows<Row>(
      pick,
      () => ({ label: own('') }),
      ({ id }) => id,
    );
  });

  const idsOf = (items: readonly Row[]): string[] => items.flatMap(({ id }) => id ?? []);
  /** Simulates VS Code, which reports the index of the row that it has drawn. */
  const click = (drawn: readonly Row[], id: string): string | undefined =>
    rows.rowOf(pick.items[drawn.findIndex((row) => row.id === id)])?.id;

  it('are found by the index that VS Code reports', () => {
    rows.show(rowsOf('a', 'b'));
    assert.deepEqual(idsOf(pick.items), ['a', 'b']);
    assert.equal(click(pick.items, 'b'), 'b');
    assert.equal(rows.rowOf(undefined), undefined);
    assert.equal(rows.rowOf(rowsOf('a')[0]), undefined);
  });

  it('stay in place while others are added after them', () => {
    rows.show(rowsOf('a', 'b'));
    const drawn = pick.items;
    rows.show(rowsOf('a', 'b', 'c'));
    assert.equal(pick.items.length, 3);
    assert.equal(click(drawn, 'b'), 'b');
  });

  it('are the clicked ones, even if rows are added, removed or moved at that moment', () => {
    const history = [
      ['a', 'z'],
      ['a', 'b', 'c', 'z'],
      ['a', 'b', 'c', 'd', 'e', 'f', 'z'],
      ['z'],
      ['z', 'y'],
      ['a', 'z', 'y'],
      ['y'],
      ['a', 'b', 'y'],
    ];
    for (const ids of history) {
      const drawn = pick.items;
      rows.show(rowsOf(...ids));
      assert.deepEqual(idsOf(pick.items), ids, 'in their order');
      for (const id of idsOf(drawn)) {
        assert.equal(click(drawn, id), id, `${id}, drawn as ${idsOf(drawn).join(' ')}, while ${ids.join(' ')} came`);
      }
      for (const id of ids) {
        assert.equal(click(pick.items, id), id);
      }
    }
  });

  it('use a limited number of objects, however often they change', () => {
    for (let round = 0; round < 1000; round++) {
      rows.show(rowsOf(...(round % 2 === 0 ? ['a', 'b', 'c'] : ['c', 'b'])));
    }
    assert.ok(pick.items.length <= 10, `${pick.items.length} places`);
  });
});
