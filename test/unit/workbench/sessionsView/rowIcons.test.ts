/** The icons of the sessions view. */
import assert from 'node:assert/strict';
import { stateIcon } from '../../../../src/workbench/sessionsView/rowIcons';

describe('icons of the sessions view', () => {
  it('have another shape for each state: high contrast themes drop the colors', () => {
    const standings = ['needsYou', 'working', 'done', 'resting', 'failed', 'interrupted'] as const;
    const icons = standings.map((standing) => stateIcon({ standing, pinned: false }).icon);
    assert.equal(new Set(icons).size, standings.length, icons.join());
    assert.ok(!icons.includes('settings-gear'));
  });

  it('show a pin for a resting session, and otherwise its state', () => {
    assert.equal(stateIcon({ standing: 'resting', pinned: true }).icon, 'pinned');
    assert.equal(stateIcon({ standing: 'failed', pinned: true }).icon, stateIcon({ standing: 'failed', pinned: false }).icon);
  });
});
