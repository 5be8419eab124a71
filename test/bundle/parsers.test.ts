/** The parsers of command lines in the built bundle. Needs `dist/` (`npm run package`, or any build). */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import type TreeSitter from '@vscode/tree-sitter-wasm';

const dist = path.join(__dirname, '../../dist');

describe('the parsers in the built bundle', () => {
  for (const [grammar, line] of [
    ['bash', 'npm test && ls'],
    ['powershell', 'Get-ChildItem; npm test'],
  ] as const) {
    it(`read a line of ${grammar}`, async () => {
      const chunk = readdirSync(path.join(dist, 'chunks')).find((name) => /^tree-sitter-.*\.js$/.test(name))!;
      const { default: runtime } = (await import(path.join(dist, 'chunks', chunk))) as { readonly default: typeof TreeSitter };
      const { Language, Parser } = 'Parser' in runtime ? runtime : (runtime as { readonly default: typeof TreeSitter }).default;
      const file = (name: string): string => path.join(dist, 'tree-sitter', name);
      await Parser.init({ locateFile: file });
      const parser = new Parser();
      parser.setLanguage(await Language.load(file(`tree-sitter-${grammar}.wasm`)));
      const root = parser.parse(line)!.rootNode;
      assert.deepEqual([root.hasError, root.endIndex], [false, line.length]);
    });
  }
});
