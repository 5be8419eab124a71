/** Removes Markdown signs from a text, for search. Far cheaper than parsing it, and exact enough to read. Code is not changed. Pure. */

/** A text without any of these has no Markdown. */
const SIGN = /[*_`~[\]#>|<]|^[ \t]{0,12}(?:[-+]|-{3,})(?:[ \t]|$)/m;
const FENCE = /^[ \t]{0,12}(?:[-*+>][ \t]+|\d{1,9}[.)][ \t]+){0,4}(`{3,}|~{3,})/;
/** The signs before a line's text: quotes, list markers, checkboxes of tasks, headings. */
const LINE_START = /^[ \t]{0,12}(?:>[ \t]?|[-*+][ \t]+|#{1,6}[ \t]+|\[[ xX]\][ \t]+){1,6}/;
const RULE = /^[ \t]{0,3}(?:(?:\*[ \t]*){3,60}|(?:-[ \t]*){3,60}|(?:_[ \t]*){3,60}|={3,60})$/;
const TABLE_RULE = /^[ \t]{0,3}\|?(?:[ \t]{0,9}:?-{2,60}:?[ \t]{0,9}(?:\||$)){1,60}[ \t]{0,9}$/;
const CODE = /(`{1,3})(?!`)([^`]{1,500}|.{1,500}?[^`])\1(?!`)/g;
const LINK =
  /!?\[([^[\]]{0,500})\](?:\([^()\s]{0,2000}(?:\([^()\s]{0,200}\)[^()\s]{0,2000})?(?:\s{1,5}["'(][^"')]{0,200}["')])?\)|\[[^[\]]{0,200}\])/g;
const ADDRESS = /<((?:https?|mailto):[^<>\s]{1,2000})>/g;
const TAG =
  /<\/?(?:details|summary|kbd|sub|sup|br|b|i|em|strong|u|s|del|ins|code|pre|p|div|span|h[1-6]|ul|ol|li|a|img)(?:\s[^<>]{0,500})?\/?>/gi;
const EMPHASIS = /\*{1,3}|_{1,3}|~~/g;
const BEFORE_EMPHASIS = /[\s([{"'>_*~\u2013\u2014-]/;
const BEHIND_EMPHASIS = /[\s.,;:!?)\]}"'<_*~\u2013\u2014-]/;
const ESCAPE = /\\([*_`~[\]#>|])/g;
/** The most signs of one kind that may be open at once. */
const MAX_OPEN = 10;
/** Replaces code while the rest of its line is read. Control characters are not text. */
const CODE_MARK = '\u0000';

/** Returns the words of `markdown`, with its line breaks. */
export function quickPlain(markdown: string): string {
  if (!SIGN.test(markdown)) {
    return markdown;
  }
  let fence: string | undefined;
  const lines: string[] = [];
  for (const line of markdown.split('\n')) {
    const mark = line.includes('```') || line.includes('~~~') ? FENCE.exec(line)?.[1] : undefined;
    if (fence !== undefined) {
      if (mark?.startsWith(fence) && line.trim() === mark) {
        fence = undefined;
      } else {
        lines.push(line);
      }
    } else if (mark !== undefined && !line.slice(line.indexOf(mark) + mark.length).includes('`')) {
      fence = mark;
    } else if (!SIGN.test(line)) {
      lines.push(line);
    } else if (!RULE.test(line) && !(line.includes('--') && TABLE_RULE.test(line))) {
      lines.push(plainLine(line));
    }
  }
  return lines.join('\n');
}

function plainLine(line: string): string {
  const codes: string[] = [];
  const marked = line.includes('`') ? withoutCode(line, codes) : line;
  const isRow = marked.includes('|') && /^[ \t]{0,3}\|.*\|[ \t]*$/.test(marked);
  let text = isRow
    ? marked
        .trim()
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim())
        .join(' ')
    : marked.replace(LINE_START, '');
  if (text.includes('[')) {
    text = text.replace(LINK, '$1');
  }
  if (text.includes('<')) {
    text = text.replace(ADDRESS, '$1').replace(TAG, '');
  }
  if (/[*_~]/.test(text)) {
    text = withoutEmphasis(text);
  }
  if (text.includes('\\')) {
    text = text.replace(ESCAPE, '$1');
  }
  let index = 0;
  return codes.length === 0 ? text : text.replaceAll(CODE_MARK, () => codes[index++] ?? '');
}

/** Replaces each piece of code by a mark, and adds the code to `codes`. */
function withoutCode(line: string, codes: string[]): string {
  return line.replaceAll(CODE_MARK, ' ').replace(CODE, (_, _ticks, code: string) => {
    codes.push(code.length > 2 && /^ .*[^ ].* $/.test(code) ? code.slice(1, -1) : code);
    return CODE_MARK;
  });
}

/** Removes pairs of the same signs around words. Signs inside a word, and single ones, are text. */
function withoutEmphasis(text: string): string {
  const open = new Map<string, number[]>();
  const left = new Map<number, number>();
  const close = (sign: string, end: number): boolean => {
    const start = open.get(sign)?.pop();
    if (start === undefined) {
      return false;
    }
    left.set(start, sign.length).set(end, sign.length);
    return true;
  };
  for (const { 0: sign, index } of text.matchAll(EMPHASIS)) {
    const before = text[index - 1] ?? ' ';
    const behind = text[index + sign.length] ?? ' ';
    const isEscaped = before === '\\';
    const closes = !/\s/.test(before) && !isEscaped && BEHIND_EMPHASIS.test(behind);
    // Three signs may also end bold text and the italics in it.
    const isClosed =
      closes && (close(sign, index) || (sign.length === 3 && close(sign.slice(0, 1), index) && close(sign.slice(0, 2), index + 1)));
    if (!isClosed && !isEscaped && BEFORE_EMPHASIS.test(before) && !/\s/.test(behind)) {
      open.set(sign, [...(open.get(sign)?.slice(-MAX_OPEN) ?? []), index]);
    }
  }
  let plain = '';
  let from = 0;
  for (const [index, length] of [...left].sort(([a], [b]) => a - b)) {
    plain += text.slice(from, index);
    from = index + length;
  }
  return plain + text.slice(from);
}
