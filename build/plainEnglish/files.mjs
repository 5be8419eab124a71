/** The files that the check reads. Paths are relative to the root of the project, with forward slashes. */
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';

/** Files and folders with prose. Those that do not exist are left out. */
export const PROSE_PATHS = [
  'src',
  'webview',
  'test',
  'docs',
  'build',
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'esbuild.mjs',
  'oxlint.config.mjs',
];

/** Folders without prose of ours, by name. */
const WITHOUT_PROSE = new Set(['node_modules', 'dist', 'out', 'coverage', 'test-results', 'golden', 'fixtures']);
/** Folders that are no part of the tree, by name. */
const OUTSIDE = new Set(['.git', 'node_modules', 'dist', 'out', 'test-results']);

const CODE = /\.(?:ts|tsx|mts|cts|js|jsx|mjs|cjs)$/;
const STYLES = /\.css$/;
const MARKDOWN = /\.md$/;

export const isCode = (/** @type {string} */ file) => CODE.test(file);
export const isStyles = (/** @type {string} */ file) => STYLES.test(file);
export const isMarkdown = (/** @type {string} */ file) => MARKDOWN.test(file);

/**
 * Returns the files with comments, titles or text.
 * @param {string} root
 * @param {readonly string[]} paths
 */
export function proseFiles(root, paths = PROSE_PATHS) {
  return filesUnder(root, paths, WITHOUT_PROSE, false).filter((file) => isCode(file) || isStyles(file) || isMarkdown(file));
}

/**
 * Returns every file of the tree, hidden ones included.
 * @param {string} root
 */
export function treeFiles(root) {
  return filesUnder(root, ['.'], OUTSIDE, true);
}

/**
 * @param {string} root
 * @param {readonly string[]} paths
 * @param {ReadonlySet<string>} skipped
 * @param {boolean} hidden
 */
function filesUnder(root, paths, skipped, hidden) {
  /** @type {string[]} */
  const files = [];
  const visit = (/** @type {string} */ file) => {
    const stat = statSync(path.join(root, file), { throwIfNoEntry: false });
    if (stat?.isFile()) files.push(file);
    if (!stat?.isDirectory()) return;
    for (const name of readdirSync(path.join(root, file)).sort()) {
      if (!skipped.has(name) && (hidden || !name.startsWith('.'))) visit(path.posix.join(file, name));
    }
  };
  paths.forEach(visit);
  return files;
}
