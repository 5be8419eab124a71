import assert from 'node:assert/strict';
import { targetOf } from '../../../../src/application/code/codeTarget';

describe('the file of a code block', () => {
  for (const [info, path] of [
    ['ts src/calc.ts', 'src/calc.ts'],
    ['src/calc.ts', 'src/calc.ts'],
    ['ts:src/calc.ts', 'src/calc.ts'],
    ['ts title="src/my file.ts"', 'src/my file.ts'],
    ["ts {filename='calc.ts'}", 'calc.ts'],
    ['js {path=src/calc.js}', 'src/calc.js'],
    ['make src/Makefile', 'src/Makefile'],
    ['C:\\work\\calc.ts', 'C:\\work\\calc.ts'],
    ['ts app/[id]/page.tsx', 'app/[id]/page.tsx'],
    ['12:15:src/calc.ts', 'src/calc.ts'],
  ] as const) {
    it(`is read from ${JSON.stringify(info)}`, () => {
      assert.deepEqual(targetOf(info, 'const a = 1;'), { path, inFirstLine: false });
    });
  }

  for (const line of [
    '// src/calc.ts',
    '# src/calc.ts',
    '<!-- src/calc.ts -->',
    '/* src/calc.ts */',
    '-- src/calc.ts',
    '// File: src/calc.ts',
    '  // filepath: src/calc.ts',
  ]) {
    it(`is read from a first line ${JSON.stringify(line)}`, () => {
      assert.deepEqual(targetOf('ts', `${line}\ncode`), { path: 'src/calc.ts', inFirstLine: true });
    });
  }

  for (const [info, code] of [
    ['', ''],
    ['ts', 'const a = 1;\n// src/calc.ts'],
    ['ts', '// See src/calc.ts for more'],
    ['ts', '// https://example.com/a.ts'],
    ['ts https://example.com/a.ts', ''],
    ['js {1,3-5} showLineNumbers', ''],
    ['c++', '#include <a/b.h>'],
    ['sh', '#!/bin/sh'],
    ['ts', '// eslint-disable-next-line'],
    ['ts', `// ${'a/'.repeat(2000)}b.ts`],
    ['python', '# 3.5'],
    ['diff', '--- a/calc.ts\n+++ b/calc.ts'],
  ] as const) {
    it(`is unknown for ${JSON.stringify(info)} and ${JSON.stringify(code.slice(0, 40))}`, () => {
      assert.equal(targetOf(info, code), undefined);
    });
  }
});
