import assert from 'node:assert/strict';
import { editorToolsModeOf } from '../../../../src/application/mcp/editorToolsSetting';
import { toolsFor } from '../../../../src/application/mcp/toolsFor';
import { dummyTools } from '../../mcp/support/dummyTools';

describe('the setting for the tools of the editor', () => {
  it('applies one value to all agents, or a value by the id or the name', () => {
    assert.deepEqual(
      [
        'off',
        'readOnly',
        'all',
        undefined,
        null,
        'ALL',
        5,
        [],
        {},
        { '*': 'all' },
        { Ada: 'all' },
        { ada: 'off', Ada: 'all' },
        { Ada: 'x', '*': 'off' },
      ].map((setting) => editorToolsModeOf(setting, 'ada', 'Ada')),
      ['off', 'readOnly', 'all', 'readOnly', 'readOnly', 'readOnly', 'readOnly', 'readOnly', 'readOnly', 'all', 'all', 'off', 'off'],
    );
  });

  it('does not read members that every object has', () => {
    assert.equal(editorToolsModeOf({ '*': 'all' }, 'constructor', 'toString'), 'all');
    assert.equal(editorToolsModeOf(JSON.parse('{"__proto__":{"*":"all"}}'), 'ada'), 'readOnly');
  });

  it('leaves out tools that change something, and groups that are switched off', () => {
    const { tools } = dummyTools();
    const names = (...args: [Parameters<typeof toolsFor>[1], unknown]): string[] => toolsFor(tools, ...args).map(({ name }) => name);
    assert.deepEqual(names('off', undefined), []);
    assert.equal(names('readOnly', undefined).includes('rename'), false);
    assert.equal(names('all', undefined).length, tools.length);
    assert.deepEqual(names('all', { information: false, problems: false, search: false, other: false, edits: 'false' }), [
      'references',
      'rename',
    ]);
    for (const broken of [null, 'all', 5, ['problems']]) {
      assert.equal(names('all', broken).length, tools.length);
    }
  });
});
