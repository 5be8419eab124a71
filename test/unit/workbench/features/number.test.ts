/** The number that a page requests. */
import assert from 'node:assert/strict';
import type { Showing } from '../../../../src/application/routing/feature';
import type { ToView } from '../../../../src/core/protocol/view';
import type { Session } from '../../../../src/session/session';
import number from '../../../../src/workbench/features/number';

describe('the request for a number', () => {
  it('is answered with a number below 100', () => {
    const sent: ToView[] = [];
    const showing: Showing = {
      disposed: false,
      add: (owned) => owned,
      send: (message) => void sent.push(message),
      onHide: () => undefined,
    };
    const { draw_number: draw } = number({ clock: { now: () => 1242 } });
    draw!({ type: 'draw_number' }, { session: {} as Session, showing, post: () => undefined });
    assert.deepEqual(sent, [{ type: 'number', value: 42 }]);
  });
});
