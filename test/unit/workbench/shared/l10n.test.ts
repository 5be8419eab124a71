/** Every string a user reads is in l10n/bundle.l10n.json, the file that translators start from. `ACP_HOST_UPDATE_GOLDEN=1` rewrites it. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

const root = path.resolve(__dirname, '../../../..');
const bundleFile = path.join(root, 'l10n/bundle.l10n.json');

/**
 * Calls of `t(…)` and `l10n.t(…)`: their first argument, or where it is not a literal. A function may pass on a parameter of its own; then
 * its calls in the same file hold the literal.
 */
function messagesIn(file: string): { messages: string[]; unreadable: string[] } {
  const source = ts.createSourceFile(
    file,
    readFileSync(file, 'utf8'),
    ts.ScriptTarget.ESNext,
    true,
    file.endsWith('x') ? ts.ScriptKind.TSX : undefined,
  );
  const messages: string[] = [];
  const unreadable: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && isTranslate(node.expression)) {
      const [first] = node.arguments;
      const passed = first && ts.isIdentifier(first) ? passedOn(first, source) : first && [first];
      if (passed?.length && passed.every(ts.isStringLiteralLike)) {
        messages.push(...passed.map(({ text }) => text));
      } else {
        unreadable.push(`${path.relative(root, file)}:${source.getLineAndCharacterOfPosition(node.pos).line + 1}: ${node.getText()}`);
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return { messages, unreadable };
}

/** What the calls of the function around `name` give for its parameter `name`. */
function passedOn(name: ts.Identifier, source: ts.SourceFile): ts.Expression[] {
  const around = ts.findAncestor(name, ts.isFunctionDeclaration);
  const index = around?.parameters.findIndex((parameter) => parameter.name.getText() === name.text) ?? -1;
  const given: ts.Expression[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === around?.name?.text) {
      given.push(...node.arguments.slice(index, index + 1));
    }
    ts.forEachChild(node, visit);
  };
  if (index >= 0) {
    visit(source);
  }
  return given;
}

function isTranslate(callee: ts.Expression): boolean {
  return (
    (ts.isIdentifier(callee) && callee.text === 't') ||
    (ts.isPropertyAccessExpression(callee) && callee.name.text === 't' && /\bl10n$/.test(callee.expression.getText()))
  );
}

const files = ['src/text', 'src/workbench', 'src/extension.ts', 'webview'].flatMap((place) =>
  place.endsWith('.ts')
    ? [path.join(root, place)]
    : readdirSync(path.join(root, place), { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.tsx?$/.test(name) && !name.startsWith('playground'))
        .map((name) => path.join(root, place, name)),
);
// The one place that passes on what others wrote.
const found = files.filter((file) => file !== path.join(root, 'src/workbench/shared/l10n.ts')).map(messagesIn);
const messages = [...new Set(found.flatMap((each) => each.messages))].sort();

describe('words in the user’s language', () => {
  it('are found where they are used', () => {
    assert.deepEqual(
      found.flatMap((each) => each.unreadable),
      [],
    );
    assert.ok(messages.includes('Select an agent') && messages.includes('Pending'), 'host and view are both read');
  });

  it('are all in the bundle, and nothing else is', () => {
    const wanted = Object.fromEntries(messages.map((message) => [message, message]));
    if (process.env['ACP_HOST_UPDATE_GOLDEN'] === '1') {
      writeFileSync(bundleFile, JSON.stringify(wanted, null, 2) + '\n');
    }
    const bundle = JSON.parse(readFileSync(bundleFile, 'utf8')) as Record<string, string>;
    assert.deepEqual(bundle, wanted, 'run: ACP_HOST_UPDATE_GOLDEN=1 npm run test:unit -- --grep "user’s language"');
  });
});
