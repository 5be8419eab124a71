import assert from 'node:assert/strict';
import { askBeforeCommandsOf } from '../../../src/policy/askBeforeCommands';

describe('the setting for questions about commands', () => {
  it('prefers the id of the agent to its name, and both to all others', () => {
    const setting = { ada: 'always', Ada: 'never', '*': 'unlessPermitted' };
    assert.equal(askBeforeCommandsOf(setting, 'ada', 'Ada'), 'always');
    assert.equal(askBeforeCommandsOf(setting, 'ada-2', 'Ada'), 'never');
    assert.equal(askBeforeCommandsOf(setting, 'bob', 'Bob'), 'unlessPermitted');
  });

  it('ignores a value that is not valid', () => {
    assert.equal(askBeforeCommandsOf({ ada: 'sometimes', '*': 'never' }, 'ada', 'Ada'), 'never');
  });
});
