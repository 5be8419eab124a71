/** The flagged sentences of comments, test titles and Markdown. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { isMarkdown, isStyles, proseFiles } from './files.mjs';
import { judge } from './rules.mjs';
import { linesOf, scan } from './scan.mjs';
import { sentencesOf } from './sentences.mjs';

/**
 * A flagged sentence. `reasons`: `headless`, `word`, `long` or `title`, with the word or the length behind a colon.
 * @typedef {{ file: string, line: number, kind: 'comment' | 'title' | 'markdown', reasons: string[], text: string }} Finding
 */

/**
 * @param {string} root of the project
 * @param {readonly string[]} [paths] files and folders; all prose by default
 * @returns {Finding[]}
 */
export function findProse(root, paths) {
  return proseFiles(root, paths).flatMap((file) =>
    proseOf(file, readFileSync(path.join(root, file), 'utf8')).flatMap(({ kind, sentences }) =>
      sentences.flatMap((sentence) => {
        const reasons = judge(sentence, kind);
        return reasons.length === 0 ? [] : [{ file, line: sentence.line, kind, reasons, text: sentence.text }];
      }),
    ),
  );
}

/**
 * Returns every comment, title and Markdown sentence of a file.
 * @param {string} file
 * @param {string} text
 */
function proseOf(file, text) {
  if (isMarkdown(file)) {
    const lines = text.split('\n').map((content, index) => ({ text: content, line: index + 1 }));
    return [{ kind: /** @type {const} */ ('markdown'), sentences: sentencesOf(lines, true) }];
  }
  const { comments, titles } = scan(text, isStyles(file));
  return [
    ...comments.map((comment) => ({ kind: /** @type {const} */ ('comment'), sentences: sentencesOf(linesOf(comment), false) })),
    ...titles.map(({ text: title, line }) => ({
      kind: /** @type {const} */ ('title'),
      sentences: [{ text: title, line, first: true, role: undefined }],
    })),
  ];
}
