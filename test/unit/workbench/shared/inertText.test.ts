import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { root } from './inertChecks';

describe('text that is joined from inert parts', () => {
  it('contains nothing between the parts that could trigger an action', () => {
    const found = new Map<string, string[]>();
    const files = ['src/application', 'src/workbench'].flatMap((place) =>
      readdirSync(path.join(root, place), { recursive: true, encoding: 'utf8' }).map((name) => path.join(root, place, name)),
    );
    for (const file of files.filter((name) => name.endsWith('.ts') && path.basename(name) !== 'escape.ts')) {
      const text = readFileSync(file, 'utf8');
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
