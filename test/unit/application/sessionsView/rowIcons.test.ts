/** The icons of the sessions view. */
import assert from 'node:assert/strict';
import { stateIcon } from '../../../../src/application/sessionsView/rowIcons';

describe('icons of the sessions view', () => {
  it('have another shape for each state: high contrast themes drop the colors', () => {
    const standings = ['needsYou', 'working', 'done', 'resting', 'failed', 'limited', 'interrupted'] as const;
    const icons = standings.map((status) => stateIcon({ status, pinned: false }).icon);
    assert.equal(new Set(icons).size, standings.length, icons.join());
    assert.ok(!icons.includes('settings-gear'));
  });

  it('show a clock for a session at its limit', () => {
    assert.equal(stateIcon({ status: 'limited', pinned: false }).icon, 'clock');
  });

  it('show a pin for a resting session, and otherwise its state', () => {
    assert.equal(stateIcon({ status: 'resting', pinned: true }).icon, 'pinned');
    assert.equal(stateIcon({ status: 'failed', pinned: true }).icon, stateIcon({ status: 'failed', pinned: false }).icon);
  });
});
