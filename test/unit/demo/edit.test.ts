import assert from 'node:assert/strict';
import { proposeEdit } from '../../../src/demo/edit';

const added = (path: string, text: string, comment?: string): string | undefined => proposeEdit(path, text, comment)?.newText;

describe('the demo agent proposes', () => {
  it('the operator that a function’s name implies, and no other change', () => {
    for (const [before, after] of [
      ['function add(a, b) {\n  return a - b;\n}', 'function add(a, b) {\n  return a + b;\n}'],
      [
        'export const subtract = (a: number, b: number): number => a + b;',
        'export const subtract = (a: number, b: number): number => a - b;',
      ],
      ['def multiply(a, b) -> int:\n    return a / b', 'def multiply(a, b) -> int:\n    return a * b'],
      [
        'export function sum(a: number, b: number): number {\n  return a * b;\n}',
        'export function sum(a: number, b: number): number {\n  return a + b;\n}',
      ],
    ] as const) {
      assert.equal(added('x.js', before), after);
    }
  });

  it('the line number of the change', () => {
    assert.equal(proposeEdit('calc.js', '// one\n\nfunction add(a, b) {\n  return a - b;\n}\n')?.line, 4);
  });

  it('a first line in the language of the file when there is nothing to fix', () => {
    assert.equal(
      added('/w/a.js', 'export function go() {}\nclass Car {}\n'),
      '// a.js: go and Car\nexport function go() {}\nclass Car {}\n',
    );
    assert.equal(added('/w/a.py', 'x = 1\n'), '# TODO: say in one line what a.py is for\nx = 1\n');
    assert.equal(added('/w/a.md', '# A\n'), '<!-- TODO: say in one line what a.md is for -->\n# A\n');
    assert.equal(added('C:\\w\\a.css', 'a{}'), '/* TODO: say in one line what a.css is for */\na{}');
  });

  it('a line after a line that must be first, with the line ends of the file', () => {
    assert.equal(added('a.sh', '#!/bin/sh\r\nls\r\n'), '#!/bin/sh\r\n# TODO: say in one line what a.sh is for\r\nls\r\n');
    assert.equal(
      added('a.xml', '<?xml version="1.0"?>\n<a/>\n'),
      '<?xml version="1.0"?>\n<!-- TODO: say in one line what a.xml is for -->\n<a/>\n',
    );
    assert.equal(added('a.js', '\uFEFFlet a;\n'), '\uFEFF// TODO: say in one line what a.js is for\nlet a;\n');
  });

  it('to remove its own line again', () => {
    const text = 'export function go() {}\n';
    assert.equal(added('a.js', added('a.js', text)!), text);
  });

  it("the user's words, which cannot end the comment", () => {
    assert.equal(added('a.css', 'a{}\n', 'see */ b'), '/* see  b */\na{}\n');
    assert.equal(added('a.js', 'a;\n', 'two\nlines'), '// two lines\na;\n');
  });

  it('no change for a file without comments', () => {
    assert.equal(proposeEdit('a.json', '{}\n'), undefined);
    assert.equal(proposeEdit('a.txt', 'text\n'), undefined);
  });
});
