/** The sandbox's modes in a quick pick. */
import assert from 'node:assert/strict';
import { sandboxRows } from '../../../../src/application/sandbox/sandboxRows';
import { english } from '../english';

describe('the rows of the sandbox', () => {
  it('fit a quick pick of 600 px, also with a long name of an agent', () => {
    for (const { label, description = '', detail } of sandboxRows(
      'commands',
      'An agent with a name that does not end'.repeat(3),
      english,
    )) {
      assert.ok(`${label} ${description}`.length <= 76 && detail.length <= 80, detail);
    }
  });

  it('say what stays outside, and mark the current mode', () => {
    const row = sandboxRows('commands', 'Gemini CLI', english)[1]!;
    assert.deepEqual(
      [row.label, row.description, row.detail],
      ['Commands', 'those that run through VS Code · current', 'Not Gemini CLI itself, nor the commands that it starts.'],
    );
  });
});
