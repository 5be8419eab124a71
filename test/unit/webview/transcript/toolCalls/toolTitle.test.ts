import assert from 'node:assert/strict';
import type { ToolCallEntry } from '../../../../../src/core/model/state';
import { titleOf, verbOf, withoutSigns } from '../../../../../webview/transcript/toolCalls/toolTitle';
import { stateOf, toolCall } from '../../../../support/events';

describe('the verb before a title', () => {
  const call = (toolKind: string, title: string, ...paths: string[]): ToolCallEntry => {
    const patch = { title, kind: toolKind, status: 'completed', locations: paths.map((path) => ({ path })) };
    return stateOf([toolCall('c', patch)]).entries.at(0) as ToolCallEntry;
  };
  const verb = (toolKind: string, title: string, ...paths: string[]) => {
    const entry = call(toolKind, title, ...paths);
    return verbOf(entry, withoutSigns(titleOf(entry, '/w'), toolKind), '/w');
  };

  it('names the kind when the title is only a path', () => {
    assert.equal(verb('read', 'src/cart.ts'), 'Read');
    assert.equal(verb('edit', 'hello.txt'), 'Edit');
    assert.equal(verb('delete', '/w/src/old.ts', '/w/src/old.ts'), 'Delete');
    assert.equal(verb('read', '`src/cart.ts`'), 'Read');
    assert.equal(verb('read', 'src\\cart.ts'), 'Read');
    assert.equal(verb('read', 'src/cart.ts:12-20'), 'Read');
    assert.equal(verb('read', 'src/cart.ts (1 - 20)'), 'Read');
    assert.equal(verb('read', 'docs/my notes.md', '/w/docs/my notes.md'), 'Read');
    assert.equal(verb('read', 'README', '/w/README'), 'Read');
    assert.equal(verb('move', 'a/b.ts'), 'Move');
  });

  it('names the kind before an address and a pattern', () => {
    assert.equal(verb('fetch', 'https://example.com/a?b=c'), 'Fetch');
    assert.equal(verb('search', '**/*.ts'), 'Search');
    assert.equal(verb('search', 'src/'), 'Search');
  });

  it('is left out when the title names the action, and for commands', () => {
    for (const title of [
      'Read src/cart.ts',
      'Edit file',
      'edit',
      'Reading 3 files',
      'Look at src/a.ts closely',
      'Searched for “x”',
      'v1.2 notes',
    ]) {
      assert.equal(verb('read', title, '/w/x.ts'), '', title);
    }
    assert.equal(verb('execute', './run.sh'), '');
    assert.equal(verb('think', 'src/cart.ts'), '');
    assert.equal(verb('other', 'src/cart.ts'), '');
    assert.equal(verb('search', 'grep'), '');
  });
});
