import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { root } from './inertChecks';

describe('text that is joined from inert parts', () => {
  it('contains nothing between the parts that could trigger an action', () => {
    const found = new Map<string, string[]>();
    const folder = path.join(root, 'src/workbench');
    for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
      (name) => name.endsWith('.ts') && path.basename(name) !== 'escape.ts',
    )) {
      const text = readFileSync(path.join(folder, file), 'utf8');
      if (!text.includes("/escape'")) {
        continue;
      }
      const source = ts.createSourceFile(file, text, ts.ScriptTarget.ESNext, true);
      const visit = (node: ts.Node): void => {
        if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && ['own', 'joined', 'withIcon'].includes(node.expression.text)) {
          const callee = node.expression.text;
          const argument = node.arguments[callee === 'joined' ? 1 : 0];
          assert.ok(argument && ts.isStringLiteralLike(argument), `${file}: ${node.getText()}`);
          found.set(callee, [...(found.get(callee) ?? []), argument.text]);
        }
        ts.forEachChild(node, visit);
      };
      visit(source);
    }
    assert.deepEqual([...found.keys()].sort(), ['joined', 'own', 'withIcon']);
    for (const text of [...found.get('own')!, ...found.get('joined')!]) {
      assert.doesNotMatch(text, /[[\]()$]/, text);
    }
    for (const icon of found.get('withIcon')!) {
      assert.match(icon, /^[a-z-]+$/);
    }
  });
});
