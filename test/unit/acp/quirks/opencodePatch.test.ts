import assert from 'node:assert/strict';
import { decodePermission } from '../../../../src/acp/v1/client';

const path = '/w/calc.js';
const hunks = '@@ -9,3 +9,3 @@\n add() {\n-  a;\n+  b;\n \n }\n@@ -40 +40,2 @@\n-c\n+c\n+d\n\\ No newline at end of file\n';
const diff = `Index: ${path}\n=====\n--- ${path}\n+++ ${path}\n${hunks}`;
const contentOf = (toolCall: object): unknown =>
  decodePermission({ options: [{ optionId: 'once' }], toolCall: { toolCallId: 't', kind: 'edit', ...toolCall } }).subject.content;

describe('quirk: a patch in the raw input of a request', () => {
  it('is the content of a request without any, as OpenCode 1.18 sends it for indented lines', () => {
    assert.deepEqual(contentOf({ rawInput: { filepath: path, diff } }), [
      {
        type: 'diff',
        changes: [
          { operation: 'modify', path, oldText: 'add() {\n  a;\n\n}\n', newText: 'add() {\n  b;\n\n}\n', line: 9 },
          { operation: 'modify', path, oldText: 'c\n', newText: 'c\nd\n', line: 40 },
        ],
      },
    ]);
  });

  it('changes nothing for a request with a diff, and for another input', () => {
    const sent = [{ type: 'diff', path, oldText: 'a', newText: 'b' }];
    assert.deepEqual(contentOf({ rawInput: { filepath: path, diff }, content: sent }), [
      { type: 'diff', changes: [{ operation: 'modify', path, oldText: 'a', newText: 'b' }] },
    ]);
    for (const rawInput of [
      undefined,
      'text',
      { filepath: path },
      { diff },
      { filepath: path, diff: 'no hunk' },
      { filepath: 1, diff: 2 },
    ]) {
      assert.equal(contentOf({ rawInput }), undefined);
    }
  });
});
