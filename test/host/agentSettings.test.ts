/** What the user is told of settings that do not count. */
import assert from 'node:assert/strict';
import { readAgentSettings } from '../../src/workbench/agents/agentSettings';

describe('settings of agents', () => {
  it('has nothing to say of the defaults in our own manifest', () => {
    assert.deepEqual(readAgentSettings().ignored, []);
  });
});
