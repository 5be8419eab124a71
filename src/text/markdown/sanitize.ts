/**
 * Markdown of somebody else among that of others: it reads as its author wrote it, and what follows is not swallowed. An open block of code is
 * closed, HTML is text, as it is in the conversation, and no link leads anywhere but to the web, to a mailbox or to a file. Pure.
 */

/** A line that begins or ends a block of code: what is before it, and the fence. */
const FENCE = /^((?:[ \t]|>|(?:[-*+]|\d{1,9}[.)])[ \t])*)(`{3,}|~{3,})(.*)$/;
/** A fence that begins what a task says: to some readers a block of code, to others words. */
const TASK = /^((?:[ \t]|>|(?:[-*+]|\d{1,9}[.)])[ \t])*(?:[-*+]|\d{1,9}[.)])[ \t]+)(\[[ xX]\])[ \t]+((?:`{3,}[^`]*|~{3,}.*))$/;
/** An empty line; escaped backticks; code in a line (one over several could be parted by what begins there); backticks that have no end in their line. */
const CODE_SPAN = /\n[ \t>]*\n|\\`+|(?<!`)(`{1,8})(?!`)[^\n]{0,2000}?(?<!`)\1(?!`)|`+/g;
/** What HTML could begin with; an address in angle brackets, and the target of a link, are none. */
const TAG = /(?<!(?<!\\)(?:\\\\)*\\|\]\(\s{0,4}|^ {0,3}\[[^\]\n]{0,200}\]:\s{0,4})<(?=[A-Za-z/!?])(?!(?:https?:\/\/|mailto:)[^\s<>]*>)/gm;
/** The target of a link, from its scheme on. Editors allow any number of blanks before it. */
const TARGET = /(\]\(\s*<?)(?!https?:|mailto:|file:)([A-Za-z][A-Za-z0-9+.-]{0,60}):/gi;
/** The same in a definition of a link. Its label can be of any length and over several lines, so only its end is read. */
const DEFINITION = /(\]:\s*<?)(?!https?:|mailto:|file:)([A-Za-z][A-Za-z0-9+.-]{0,60}):(?=\S)/gi;

/** The attributes of HTML that editors make links of, where the HTML is escaped as well, and in code: the beginning of the value. */
const VALUE = String.raw`\b(?:href|src|placeholder)\s*=\s*(?:["']\s*)?`;
/** The value of an attribute, from its scheme on. */
const ATTRIBUTE = new RegExp(`(${VALUE})(?!https?:|mailto:|file:)([A-Za-z][A-Za-z0-9+.-]{0,60}):`, 'gi');
/** An entity in the scheme of an attribute's value. Editors decode it. */
const ENTITY = new RegExp(`(${VALUE}[A-Za-z0-9+.-]*)&`, 'gi');

/** A scheme that would run something, as a target or an address in angle brackets. */
const DANGEROUS = /(\]\(\s*<?|\]:\s*<?|<)(command|javascript|vbscript|data|vscode[a-z-]{0,20}|ms-[a-z-]{1,20}):/gi;

/** The beginning of a link at the end of a text: the text that follows it would be the target. */
const UNFINISHED = /\]([(:])(\s*<?\s*)$/;

/** `text` as it can stand between others. */
export function sanitizeMarkdown(text: string): string {
  const result: string[] = [];
  const places = new Places();
  let prose: string[] = [];
  let open: { readonly before: string; readonly inside: number; readonly fence: string } | undefined;
  const endProse = (): void => {
    if (prose.length > 0) {
      result.push(neutralize(prose.join('\n')));
      prose = [];
    }
  };
  // An editor ends a line at a carriage return too.
  for (let line of text.split(/\r\n?|\n/)) {
    if (open && endsWithout(open, line)) {
      open = undefined;
    }
    const [, item, box, code] = (open ? undefined : TASK.exec(line)) ?? [];
    if (item !== undefined) {
      // On a line of its own it is one to all.
      prose.push(item + box!);
      places.at(item + box!);
      line = item.replace(/[^\s>]/g, ' ') + code!;
    }
    const [, before = '', fence, rest = ''] = FENCE.exec(line) ?? [];
    if (open) {
      const isOutside = before.replace(open.before.includes('>') ? /[\s>]/g : /\s/g, '') !== '';
      if (fence?.startsWith(open.fence) && rest.trim() === '' && !isOutside && indentOf(before, open) < 4) {
        open = undefined;
      }
      // Some readers see no end in a fence that a tab follows.
      result.push(open ? line : line.trimEnd());
      continue;
    }
    const inside = places.at(line);
    if (fence && !(fence.startsWith('`') && rest.includes('`')) && widthOf(before) < inside + 4) {
      endProse();
      result.push(line);
      open = { before, inside, fence };
    } else {
      prose.push(line);
    }
  }
  endProse();
  if (open) {
    // As far in as it began: it may be part of a list. A quote is one on each of its lines.
    result.push(open.before.replace(/[^\s>]/g, ' ') + open.fence);
  }
  // Editors can see code elsewhere than the lines show, so links that run something are removed everywhere.
  return withoutRunningLinks(result.join('\n')).replace(UNFINISHED, ']\\$1$2');
}

/** `text` without links that run something, also in code. For texts that are joined of sanitized ones: a link can begin in one and end in another. */
export function withoutRunningLinks(text: string): string {
  return text.replace(DANGEROUS, '$1$2%3A').replace(ENTITY, '$1&amp;').replace(ATTRIBUTE, '$1$2%3A');
}

/** What ends a paragraph that it follows. */
const BEGINS = /^\s*(?:[-*+](?:\s|$)|\d{1,9}[.)](?:\s|$)|>|#{1,6}(?:\s|$)|`{3}|~{3}|[-*_=])/;

/** How far in what belongs to the items of the lists stands that go on. */
class Places {
  private readonly widths: number[] = [];
  /** The line before is one of text, which goes on however far out the next one begins. */
  private isText = false;
  /** The line before begins an item and says nothing in it: with an empty line after it, nothing more belongs to the item. */
  private isBare = false;

  /** Of the innermost item that this line is part of; 0: none. */
  at(line: string): number {
    if (line.trim() === '') {
      this.isText = false;
      if (this.isBare) {
        this.isBare = false;
        this.widths.pop();
      }
      return this.widths.at(-1) ?? 0;
    }
    this.isBare = false;
    let indent = widthOf(/^\s*/.exec(line)![0]);
    const goesOn = this.isText && !BEGINS.test(line);
    this.isText = !/^\s*(?:`{3}|~{3}|#{1,6}(?:\s|$))/.test(line);
    if (goesOn) {
      return this.widths.at(-1) ?? 0;
    }
    while (this.widths.length > 0 && indent < this.widths.at(-1)!) {
      this.widths.pop();
    }
    if (indent >= (this.widths.at(-1) ?? 0) + 4) {
      return this.widths.at(-1) ?? 0;
    }
    for (let rest = line; ; ) {
      const [marker] = /^\s*(?:[-*+]|\d{1,9}[.)])(?:\s{1,4}|$)/.exec(rest) ?? [];
      if (marker === undefined) {
        return this.widths.at(-1) ?? 0;
      }
      indent = (rest === line ? 0 : indent) + widthOf(marker);
      this.widths.push(indent);
      rest = rest.slice(marker.length);
      this.isBare = rest.trim() === '';
    }
  }
}

/** In columns, a tab as four. */
function widthOf(space: string): number {
  return space.replace(/\t/g, '    ').length;
}

/** How far in a fence stands in the quote or the item that the block of code began in: four columns in, it ends nothing. */
function indentOf(before: string, open: { readonly before: string; readonly inside: number }): number {
  return open.before.includes('>')
    ? widthOf(before.slice(before.lastIndexOf('>') + 1).replace(/^[ \t]/, ''))
    : widthOf(before) - open.inside;
}

/** True when `line` is outside of the quote or the item of a list that a block of code began in, which ends the block. */
function endsWithout({ before, inside }: { readonly before: string; readonly inside: number }, line: string): boolean {
  if (before.includes('>') && !/^[\s\d.)*+-]{0,20}>/.test(line)) {
    return true;
  }
  return line.trim() !== '' && widthOf(/^\s*/.exec(line)![0]) < inside;
}

/** An address for the target of a link; one that we would not open is none. */
export function linkTarget(uri: string): string {
  return `<${uri.replace(/[<>\s]/g, encodeURIComponent).replace(/^(?!https?:|mailto:|file:)([A-Za-z][A-Za-z0-9+.-]*):/i, '$1%3A')}>`;
}

/** Markdown without blocks of code: what is no code in it loses its HTML and its commands. */
function neutralize(text: string): string {
  let result = '';
  let from = 0;
  let isLoose = false;
  for (const span of text.matchAll(CODE_SPAN)) {
    const [whole, mark] = span;
    if (mark === undefined) {
      // Backticks without an end in their line may have one in another: what is code after them in the paragraph cannot be told by lines.
      isLoose = !whole.startsWith('\n');
    }
    if (isLoose || mark === undefined) {
      continue;
    }
    result += inProse(text.slice(from, span.index)) + span[0];
    from = span.index + span[0].length;
  }
  return result + inProse(text.slice(from));
}

function inProse(text: string): string {
  return text.replace(TARGET, '$1$2%3A').replace(DEFINITION, '$1$2%3A').replace(TAG, '\\<');
}
