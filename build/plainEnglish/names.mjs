/** The names in comments and docs that do not exist. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { FOREIGN_NAMES } from './exceptions.mjs';
import { isCode, isMarkdown, isStyles, proseFiles, treeFiles } from './files.mjs';
import { linesOf, scan } from './scan.mjs';

/**
 * @typedef {{ file: string, line: number, what: 'file' | 'link' | 'name', name: string }} DeadName
 */

const FILE_NAME = /^(?:[\w@.-]+\/)*[\w@-][\w@.-]*\.(ts|tsx|mts|cts|js|jsx|mjs|cjs|css|json|jsonc|md|html)$/;
const BARE_FILE_NAME = /(?<![\w@./:<>*-])(?:[\w-]+\/)*[\w-]+(?:\.[\w-]+)*\.(?:tsx?|mts|mjs|cjs|css)\b(?![\w/:*])/g;
const PATH = /^[\w@.-]+(?:\/[\w@.-]+)+\/?$/;
const PACKAGE = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)+$/;
const IDENTIFIER = /^[A-Za-z_$][\w$]*(?:[.#][A-Za-z_$][\w$]*)*(?:\(\))?$/;
/** Names of any file, in an example. */
const EXAMPLE = /^@?(?:[a-z]|app|foo|bar|file|main|index|new|old|readme)\.\w+$/i;
/**
 * Returns the names in comments and Markdown that nothing in the tree has: files and folders, `{@link}` targets, packages, identifiers.
 * An identifier counts as known when the code, a string in it or a manifest contains it.
 * @param {string} root of the project
 * @param {readonly string[]} [paths] files and folders; all prose by default
 * @returns {DeadName[]}
 */
export function findDeadNames(root, paths) {
  const files = treeFiles(root);
  const tree = indexOf(files);
  const known = knownNames(root, files);
  const dead = [];
  for (const file of proseFiles(root, paths)) {
    const seen = new Set();
    for (const { name, line, link } of namesIn(file, readFileSync(path.join(root, file), 'utf8'))) {
      const what = link ? deadLink(name, known) : deadName(name, file, tree, known);
      if (what === undefined || seen.has(`${name} ${line}`)) continue;
      seen.add(`${name} ${line}`);
      dead.push({ file, line, what, name });
    }
  }
  return dead;
}

/** Returns the kind of a dead name. Undefined for an existing name, and for text that does not look like a name. */
function deadName(spelled, file, tree, known) {
  const name = spelled.replace(/^\$/, '');
  if (FOREIGN_NAMES.has(name) || /^(?:vs|dist|out|test-results|node_modules)\//.test(name)) return undefined;
  const extension = FILE_NAME.exec(name)?.[1];
  if (extension !== undefined) {
    if (tree.has(name, file) || EXAMPLE.test(name)) return undefined;
    return /^(?:tsx?|mts|cts|mjs|cjs|css)$/.test(extension) || !known.text.has(name.split('/').at(-1)) ? 'file' : undefined;
  }
  if (PATH.test(name))
    return tree.has(name.replace(/\/$/, ''), file) ||
      known.text.has(name) ||
      known.packages.has(name) ||
      known.packages.has(name.split('/')[0])
      ? undefined
      : 'file';
  if (PACKAGE.test(name)) return known.packages.has(name) || known.text.has(name) ? undefined : 'name';
  if (!IDENTIFIER.test(name) || !/[a-z][A-Z]|^[A-Z]\w*[a-z]|[._#]/.test(name) || known.text.has(name)) return undefined;
  const parts = name.replace('()', '').split(/[.#]/);
  if (parts.length > 1 && /^[A-Z]/.test(name)) return parts.every((part) => known.identifiers.has(part)) ? undefined : 'name';
  return parts.every((part) => known.identifiers.has(part) || known.text.has(part)) ? undefined : 'name';
}

function deadLink(target, known) {
  return target.split(/[.#]/).every((part) => known.identifiers.has(part.replace('()', ''))) ? undefined : 'link';
}

/** Backticked names, names of source files outside of backticks, and `{@link}` targets. */
function namesIn(file, text) {
  const found = [];
  const collect = (lines) => {
    let fence = false;
    for (const { text: content, line } of lines) {
      if (/^\s*(?:```|~~~)/.test(content)) fence = !fence;
      if (fence) continue;
      for (const [, name] of content.matchAll(/`([^`]+)`/g)) found.push({ name: name.trim(), line, link: false });
      for (const [, target] of content.matchAll(/\{@link\s+([^\s|}]+)/g))
        if (!/^https?:/.test(target)) found.push({ name: target, line, link: true });
      for (const [name] of content
        .replace(/`[^`]*`/g, '')
        .replace(/\]\([^)]*\)/g, ']')
        .replace(/https?:\S+/g, '')
        .matchAll(BARE_FILE_NAME))
        found.push({ name, line, link: false });
      for (const [, target] of content.matchAll(/\]\(([^)\s#]+)(?:#[^)]*)?\)/g))
        if (isMarkdown(file) && !/^[a-z]+:/.test(target)) found.push({ name: target, line, link: false });
    }
  };
  if (isMarkdown(file)) collect(text.split('\n').map((line, index) => ({ text: line, line: index + 1 })));
  else for (const comment of scan(text, isStyles(file)).comments) collect(linesOf(comment));
  return found;
}

/** Finds a file or folder by its whole path, by a path relative to the file that names it, or by the end of its path. */
function indexOf(files) {
  const paths = new Set(files);
  for (const file of files)
    for (let folder = path.posix.dirname(file); folder !== '.'; folder = path.posix.dirname(folder)) paths.add(folder);
  const ends = new Set();
  for (const path of paths) {
    const parts = path.split('/');
    for (let from = 0; from < parts.length; from++) {
      const end = parts.slice(from).join('/');
      ends.add(end);
      ends.add(end.replace(/(?:\.test|\.d)?\.\w+$/, ''));
    }
  }
  return {
    has: (name, from) => ends.has(name.replace(/^(?:\.{1,2}\/)+/, '')) || paths.has(path.posix.join(path.posix.dirname(from), name)),
  };
}

/**
 * Collects the known names. `identifiers`: of code outside of comments and strings. `text`: words and paths of code, strings and manifests.
 * `packages`: of the lock file.
 * @param {string} root
 * @param {readonly string[]} files
 */
function knownNames(root, files) {
  const identifiers = new Set();
  const text = new Set();
  const packages = new Set();
  const take = (/** @type {string} */ content) => {
    for (const [word] of content.matchAll(/[\w@$][\w@$./-]*[\w$]|[\w$]/g))
      for (const part of [word, word.split('/').at(-1), ...word.split(/[./]/)]) text.add(part);
  };
  for (const file of files.filter((name) => isCode(name) || isStyles(name) || /\.(?:json|jsonc|html)$/.test(name))) {
    // Generated texts and recorded data know every word.
    if (/^test\/(?:fixtures|golden)\//.test(file)) continue;
    const content = readFileSync(path.join(root, file), 'utf8');
    if (file.endsWith('package-lock.json')) {
      for (const [, name] of content.matchAll(/"(?:[^"]*node_modules\/)?((?:@[\w.-]+\/)?[\w.-]+)":/g)) packages.add(name);
    } else if (isCode(file) || isStyles(file)) {
      const { code, strings } = scan(content, isStyles(file));
      for (const [word] of code.matchAll(/[A-Za-z_$][\w$]*/g)) identifiers.add(word);
      take(code);
      take(strings);
    } else take(content);
  }
  return { identifiers, text, packages };
}
