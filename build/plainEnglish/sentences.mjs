/** Splits comments and Markdown into sentences. */

/** Replaces code, links and quotations, so that only our own prose is judged. */
export function plain(text) {
  return text
    .replace(/`[^`]*`/g, 'CODE')
    .replace(/\{@(?:link|code)\s+[^}]*\}/g, 'CODE')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\bhttps?:\/\/\S+/g, 'CODE')
    .replace(/“[^”]*”|"[^"]*"/g, 'CODE')
    .replace(/[*_]{1,3}(?=\S)|(?<=\S)[*_]{1,3}/g, '')
    .replace(/^[\s>(\[“"'‘-]+/, '')
    .trim();
}

export function countWords(text) {
  return text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

export function firstWords(text, count) {
  return text
    .split(/\s+/)
    .slice(0, count)
    .join(' ')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s’'-]/gu, '');
}

const TAG = /(?:^|\s)@(param|returns?|throws|template|see|deprecated|internal|default|example|typeParam|remarks)\b\s*/;
const ABBREVIATION = /(?:\b(?:e\.g|i\.e|etc|vs|cf|approx|resp|no)|\b[A-Z])\.$/;

/**
 * Splits prose into sentences.
 * @param lines `{ text, line }` per source line, without comment markers
 * @param markdown true for Markdown, whose headings, tables and fences are understood
 */
export function sentencesOf(lines, markdown) {
  const paragraphs = [];
  let current = [];
  let fence = false;
  const flush = () => {
    if (current.length > 0) paragraphs.push(current);
    current = [];
  };
  lines.forEach(({ text, line }, index) => {
    if (/^\s*(?:```|~~~)/.test(text)) {
      flush();
      fence = !fence;
      return;
    }
    if (fence || text.trim() === '' || (markdown && /^(?: {4}|\t)/.test(text) && current.length === 0)) return flush();
    if (markdown && /^\s*\|/.test(text)) {
      flush();
      if (/^[\s|:-]+$/.test(text) || /^\s*\|[\s|:-]+$/.test(lines[index + 1]?.text ?? '')) return;
      for (const cell of cellsOf(text)) if (cell.trim() !== '') paragraphs.push([{ text: cell.trim(), line, role: 'cell' }]);
      return;
    }
    if (markdown && /^#{1,6}\s/.test(text)) {
      flush();
      paragraphs.push([{ text: text.replace(/^#+\s*/, ''), line, role: 'heading' }]);
      return;
    }
    const item = /^\s*(?:[-*+•]|\d+[.)])\s+(?=\S)/.exec(text);
    if (item !== null) flush();
    current.push({ text: item === null ? text.trim() : text.slice(item[0].length).trim(), line });
  });
  flush();
  return paragraphs.flatMap(splitParagraph);
}

function cellsOf(row) {
  return row
    .replace(/`[^`]*`/g, (code) => code.replace(/\|/g, '\u0001'))
    .split(/(?<!\\)\||<br>/)
    .map((cell) => cell.replace(/\u0001/g, '|'));
}

function splitParagraph(paragraph) {
  const text = paragraph.map((part) => part.text).join('\n');
  const lineAt = (offset) => {
    let at = 0;
    for (const part of paragraph) {
      at += part.text.length + 1;
      if (offset < at) return part.line;
    }
    return paragraph.at(-1).line;
  };
  const found = [];
  let from = 0;
  let role = paragraph[0].role;
  let first = true;
  const push = (to) => {
    const raw = text.slice(from, to);
    const lead = raw.length - raw.trimStart().length;
    const body = raw.trim().replace(/\s*\n\s*/g, ' ');
    if (/\p{L}/u.test(body)) {
      found.push({ text: body, line: lineAt(from + lead), first, role });
      first = false;
    }
    from = to;
  };
  const boundary =
    /(?:[.!?…]["”’')\]`*_]*(?=\s+["“‘'(\[{`*_]*[\p{Lu}\p{N}`{])|(?=\s@(?:param|returns?|throws|template|see|deprecated|internal|default|example|typeParam|remarks)\b))/gu;
  if (TAG.test(text.slice(0, 12)) && text.trimStart().startsWith('@')) role = 'tag';
  for (let match; (match = boundary.exec(text)) !== null; ) {
    const end = match.index + match[0].length;
    if (match[0] !== '' && (ABBREVIATION.test(text.slice(0, match.index + 1)) || insideCode(text, match.index))) continue;
    push(end);
    if (match[0] === '') {
      role = 'tag';
      first = true;
      boundary.lastIndex = end + 2;
    }
  }
  push(text.length);
  return found;
}

function insideCode(text, offset) {
  let open = false;
  for (let at = 0; at < offset; at++) if (text[at] === '`') open = !open;
  return open;
}
