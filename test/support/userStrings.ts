/**
 * Every string that a user can read, from code (by its syntax tree) and the manifest: for `npm run strings`, and for the tests of the
 * wording.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

/**
 * The place where a string is read.
 * - `message`: through `t()`
 * - `own`: in VS Code, without translation
 * - `jsx`: on the page, without translation
 * - `demo`: in the demo agent's messages
 * - `log`: in the Output panel
 * - `fault`: by an agent, and in the protocol log
 * - `manifest`: in VS Code's own places
 */
export type StringKind = 'message' | 'own' | 'jsx' | 'demo' | 'log' | 'fault' | 'manifest';

export interface UserString {
  readonly kind: StringKind;
  /** `file:line`, or `file:key` of the manifest. */
  readonly place: string;
  /** An inserted expression is `{…}`. */
  readonly text: string;
}

/** Calls of `t(…)` whose text cannot be read from the source. */
export interface UnreadableCall {
  readonly place: string;
  readonly text: string;
}

export interface UserStrings {
  readonly strings: readonly UserString[];
  readonly unreadable: readonly UnreadableCall[];
}

const SHOWN_ATTRIBUTES = /^(title|placeholder|alt|label|hint|heading|aria-(label|description|roledescription|valuetext|placeholder))$/;
const SHOWN_IN_MANIFEST = /^(displayName|description|title|category|label|\w*[dD]escription|\w*[dD]escriptions|\w*Labels|\w*[mM]essage)$/;
const LEVELS = new Set(['trace', 'debug', 'info', 'warn', 'error']);
/** The only file that passes on third-party text. */
const PASSES_ON = 'src/workbench/shared/l10n.ts';

/** The results by root: several tests of a run use them. */
const known = new Map<string, UserStrings>();

/** @param root the absolute path of the repository */
export function userStrings(root: string): UserStrings {
  const found = known.get(root) ?? findStrings(root);
  known.set(root, found);
  return found;
}

/** A file without JSX can have a string only if it matches this: parsing its syntax takes a hundred times as long. */
const HINTS = /\b(?:t|own|trace|debug|info|warn|error)\s*(?:\?\.|!)?\s*[(<]|\bmessage\b/;

function findStrings(root: string): UserStrings {
  const strings: UserString[] = [];
  const unreadable: UnreadableCall[] = [];
  for (const file of sourceFiles(root)) {
    const text = readFileSync(path.join(root, file), 'utf8');
    if (!file.endsWith('x') && !file.startsWith('src/demo/') && !HINTS.test(text)) {
      continue;
    }
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.ESNext, true, file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS);
    stringsOf(source, file, strings, unreadable);
  }
  strings.push(...manifestStrings(root));
  return { strings, unreadable };
}

/** The relative paths, with `/`. */
function sourceFiles(root: string): string[] {
  return ['src', 'webview'].flatMap((top) =>
    readdirSync(path.join(root, top), { recursive: true, encoding: 'utf8' })
      .map((name) => `${top}/${name.replaceAll('\\', '/')}`)
      .filter((file) => /\.tsx?$/.test(file) && !file.startsWith('webview/playground/'))
      .sort(),
  );
}

function stringsOf(source: ts.SourceFile, file: string, strings: UserString[], unreadable: UnreadableCall[]): void {
  const isDemo = file.startsWith('src/demo/');
  const placeOf = (node: ts.Node): string => `${file}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
  const add = (kind: StringKind, node: ts.Node, text: string): void => {
    if (/\p{L}/u.test(text)) {
      strings.push({ kind, place: placeOf(node), text });
    }
  };
  const addAll = (kind: StringKind, node: ts.Node | undefined): void => {
    for (const [at, text] of literalsIn(node)) {
      add(kind, at, text);
    }
  };
  const visit = (node: ts.Node): void => {
    if (isDemo) {
      if (isText(node) && isWords(node)) {
        add('demo', node, textOf(node));
      }
    } else if (ts.isCallExpression(node)) {
      call(node);
    } else if (ts.isJsxText(node) && node.text.trim() !== '') {
      add('jsx', node, node.text.trim().replace(/\s+/g, ' '));
    } else if (ts.isJsxAttribute(node) && SHOWN_ATTRIBUTES.test(node.name.getText())) {
      addAll('jsx', node.initializer);
    } else if (ts.isPropertyAssignment(node) && node.name.getText() === 'message' && file.startsWith('src/')) {
      addAll('fault', node.initializer);
    }
    ts.forEachChild(node, visit);
  };
  const call = (node: ts.CallExpression): void => {
    const [first] = node.arguments;
    if (isTranslate(node.expression) && file !== PASSES_ON) {
      const passed = first && ts.isIdentifier(first) ? passedOn(first, source) : first && [first];
      if (passed?.length && passed.every(ts.isStringLiteralLike)) {
        passed.forEach((each) => add('message', each, each.text));
      } else {
        unreadable.push({ place: placeOf(node), text: node.getText() });
      }
    } else if (ts.isIdentifier(node.expression) && node.expression.text === 'own') {
      addAll('own', first);
    } else if (ts.isPropertyAccessExpression(node.expression) && LEVELS.has(node.expression.name.text) && /\blog$/.test(receiver(node))) {
      addAll('log', first);
    }
  };
  visit(source);
}

function receiver(node: ts.CallExpression): string {
  return ts.isPropertyAccessExpression(node.expression) ? node.expression.expression.getText() : '';
}

function isTranslate(callee: ts.Expression): boolean {
  return (
    (ts.isIdentifier(callee) && callee.text === 't') ||
    (ts.isPropertyAccessExpression(callee) && callee.name.text === 't' && /\bl10n$/.test(callee.expression.getText()))
  );
}

/** A function may pass its own parameter to `t`; then its calls in the same file contain the literal. */
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

type TextNode = ts.StringLiteralLike | ts.TemplateExpression;

function isText(node: ts.Node): node is TextNode {
  return ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);
}

function textOf(node: TextNode): string {
  return ts.isTemplateExpression(node)
    ? node.head.text + node.templateSpans.map(({ literal }) => `{…}${literal.text}`).join('')
    : node.text;
}

/** The texts in an expression, except those of other calls: the result of `t()` has its own entry. */
function literalsIn(node: ts.Node | undefined): [ts.Node, string][] {
  if (!node || ts.isCallExpression(node)) {
    return [];
  }
  if (isText(node)) {
    return [[node, textOf(node)]];
  }
  const found: [ts.Node, string][] = [];
  ts.forEachChild(node, (child) => {
    found.push(...literalsIn(child));
  });
  return found;
}

/** True for the demo agent's text, titles and names; false for ids and words of the protocol. */
function isWords(node: TextNode): boolean {
  if (ts.isImportDeclaration(node.parent)) {
    return false;
  }
  const named = ts.isPropertyAssignment(node.parent) && /^(name|title|description|hint|message|shown)$/.test(node.parent.name.getText());
  return named || /\S\s+\S/.test(textOf(node));
}

/** The manifest's texts: those from package.nls.json, and literal ones. */
function manifestStrings(root: string): UserString[] {
  const words = JSON.parse(readFileSync(path.join(root, 'package.nls.json'), 'utf8')) as Record<string, string>;
  const { displayName, description, capabilities, contributes } = JSON.parse(
    readFileSync(path.join(root, 'package.json'), 'utf8'),
  ) as Record<string, unknown>;
  const found: UserString[] = Object.entries(words).map(([key, text]) => ({ kind: 'manifest', place: `package.nls.json:${key}`, text }));
  const visit = (value: unknown, place: string): void => {
    if (typeof value !== 'object' || value === null) {
      return;
    }
    for (const [key, child] of Object.entries(value)) {
      const texts = SHOWN_IN_MANIFEST.test(key) ? [child].flat().filter((text) => typeof text === 'string') : [];
      for (const text of texts.filter((each) => !/^%[\w.]+%$/.test(each))) {
        found.push({ kind: 'manifest', place: `package.json:${place}.${key}`, text });
      }
      visit(child, `${place}.${key}`);
    }
  };
  visit({ displayName, description, capabilities, contributes }, '');
  return found;
}
