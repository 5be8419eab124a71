import assert from 'node:assert/strict';
import { folderName, free, slug } from '../../../src/worktree/names';

describe('names of worktrees', () => {
  it('are valid folder names on every system, and unique', () => {
    const cases: [branch: string, folder: string][] = [
      ['agent/try', 'agent-try'],
      ['con', 'worktree-con'],
      ['COM1.txt', 'worktree-COM1.txt'],
      ['a:b*c?"<>|', 'a-b-c'],
      ['.hidden', 'hidden'],
      ['dots...', 'dots'],
      ['日本', 'worktree'],
      ['x'.repeat(200), 'x'.repeat(60)],
    ];
    assert.deepEqual(
      cases.map(([branch]) => folderName(branch)),
      cases.map(([, folder]) => folder),
    );
    assert.equal(folderName('Agent', ['agent', 'AGENT-2']), 'Agent-3');
    assert.equal(free('a', []), 'a');
  });

  it('have slugs of letters, digits and hyphens', () => {
    assert.deepEqual(['Claude Code', 'Ünï code!', '日本', '--x--'].map(slug), ['claude-code', 'uni-code', '', 'x']);
    assert.match(slug('Fix the bug in add() '.repeat(10)), /^[a-z0-9-]{1,40}$/);
  });
});
