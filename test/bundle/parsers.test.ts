/** The parsers of command lines as they ship. Needs `dist/` (`npm run package`, or any build). */
import assert from 'node:assert/strict';
import path from 'node:path';
import { loadParser } from '../../src/policy/commands/treeSitter';

describe('the parsers that ship', () => {
  for (const [grammar, line] of [
    ['bash', 'npm test && ls'],
    ['powershell', 'Get-ChildItem; npm test'],
  ] as const) {
    it(`read a line of ${grammar}`, async () => {
      const { parse } = await loadParser(grammar, (name) => path.join(__dirname, '../../dist/tree-sitter', name));
      const root = parse(line)!;
      assert.equal(root.endIndex, line.length);
      assert.doesNotMatch(JSON.stringify(root), /"ERROR"/);
    });
  }
});
