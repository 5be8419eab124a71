/** The warnings about settings that are ignored. */
import assert from 'node:assert/strict';
import { readAgentSettings } from '../../src/workbench/settings/agentSettings';

describe('settings of agents', () => {
  it('accept the defaults in our own manifest without a warning', () => {
    assert.deepEqual(readAgentSettings().ignored, []);
  });
});
