/**
 * Sanitizes Markdown for embedding in a larger document: it renders as its author wrote it and does not affect the text after it. An open code block
 * is closed, HTML becomes text, as in the conversation, and links lead only to the web, to a mailbox or to a file. Pure.
 */

/** A line that begins or ends a code block: the text before the fence, and the fence. */
const FENCE = /^((?:[ \t]|>|(?:[-*+]|\d{1,9}[.)])[ \t])*)(`{3,}|~{3,})(.*)$/;
/** A fence at the beginning of a task's text. Some readers treat it as a code block, others as words. */
const TASK = /^((?:[ \t]|>|(?:[-*+]|\d{1,9}[.)])[ \t])*(?:[-*+]|\d{1,9}[.)])[ \t]+)(\[[ xX]\])[ \t]+((?:`{3,}[^`]*|~{3,}.*))$/;
/**
 * An empty line; escaped backticks; inline code on one line, since block starts could split a longer one; or backticks without an end on their line.
 */
const CODE_SPAN = /\n[ \t>]*\n|\\`+|(?<!`)(`{1,8})(?!`)[^\n]{0,2000}?(?<!`)\1(?!`)|`+/g;
/** A possible beginning of HTML, but not an address in angle brackets or the target of a link. */
const TAG = /(?<!(?<!\\)(?:\\\\)*\\|\]\(\s{0,4}|^ {0,3}\[[^\]\n]{0,200}\]:\s{0,4})<(?=[A-Za-z/!?])(?!(?:https?:\/\/|mailto:)[^\s<>]*>)/gm;
/** The target of a link, from its scheme on. Editors allow any number of spaces before it. */
const TARGET = /(\]\(\s*<?)(?!https?:|mailto:|file:)([A-Za-z][A-Za-z0-9+.-]{0,60}):/gi;
/** The target in a link definition. Its label can be of any length and over several lines, so only its end is read. */
const DEFINITION = /(\]:\s*<?)(?!https?:|mailto:|file:)([A-Za-z][A-Za-z0-9+.-]{0,60}):(?=\S)/gi;

/** The beginning of the value of an HTML attribute that editors turn into a link, even where the HTML is escaped or in code. */
const VALUE = String.raw`\b(?:href|src|placeholder)\s*=\s*(?:["']\s*)?`;
/** The value of an attribute, from its scheme on. */
const ATTRIBUTE = new RegExp(`(${VALUE})(?!https?:|mailto:|file:)([A-Za-z][A-Za-z0-9+.-]{0,60}):`, 'gi');
/** An entity in the scheme of an attribute's value. Editors decode it. */
const ENTITY = new RegExp(`(${VALUE}[A-Za-z0-9+.-]*)&`, 'gi');

/** A scheme that would run something, as a target or an address in angle brackets. */
const DANGEROUS = /(\]\(\s*<?|\]:\s*<?|<)(command|javascript|vbscript|data|vscode[a-z-]{0,20}|ms-[a-z-]{1,20}):/gi;

/** The beginning of a link at the end of a text: the text that follows it would be the target. */
const UNFINISHED = /\]([(:])(\s*<?\s*)$/;

/** Returns `text` in a form that can be embedded between other texts. */
export function sanitizeMarkdown(text: string): string {
  const result: string[] = [];
  const indents = new ListIndents();
  let prose: string[] = [];
  let open: { readonly before: string; readonly inside: number; readonly fence: string } | undefined;
  const endProse = (): void => {
    if (prose.length > 0) {
      result.push(neutralize(prose.join('\n')));
      prose = [];
    }
  };
  // An editor also ends a line at a carriage return.
  for (let line of text.split(/\r\n?|\n/)) {
    if (open && endsWithout(open, line)) {
      open = undefined;
    }
    const [, item, box, code] = (open ? undefined : TASK.exec(line)) ?? [];
    if (item !== undefined) {
      // A fence on a line of its own is a code block to all readers.
      prose.push(item + box!);
      indents.at(item + box!);
      line = item.replace(/[^\s>]/g, ' ') + code!;
    }
    const [, before = '', fence, rest = ''] = FENCE.exec(line) ?? [];
    if (open) {
      const isOutside = before.replace(open.before.includes('>') ? /[\s>]/g : /\s/g, '') !== '';
      if (fence?.startsWith(open.fence) && rest.trim() === '' && !isOutside && indentOf(before, open) < 4) {
        open = undefined;
      }
      // Some readers ignore the end of a fence that a tab follows.
      result.push(open ? line : line.trimEnd());
      continue;
    }
    const inside = indents.at(line);
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
    // The fence is indented as it began, because it may be part of a list. In a quote, each line has its own sign.
    result.push(open.before.replace(/[^\s>]/g, ' ') + open.fence);
  }
  // Editors may see code at other lines than this function, so links that run something are removed everywhere.
  return withoutRunningLinks(result.join('\n')).replace(UNFINISHED, ']\\$1$2');
}

/** Removes links that run something from `text`, also in code. For sanitized texts that were joined: a link can begin in one and end in another. */
export function withoutRunningLinks(text: string): string {
  return text.replace(DANGEROUS, '$1$2%3A').replace(ENTITY, '$1&amp;').replace(ATTRIBUTE, '$1$2%3A');
}

/** The beginning of a line that ends the paragraph before it. */
const BEGINS = /^\s*(?:[-*+](?:\s|$)|\d{1,9}[.)](?:\s|$)|>|#{1,6}(?:\s|$)|`{3}|~{3}|[-*_=])/;

/** The indentation that lines need to belong to the open list items. */
class ListIndents {
  private readonly widths: number[] = [];
  /** True when the previous line is text, which continues at any indentation. */
  private isText = false;
  /** True when the previous line begins an item without text: after a blank line, nothing more belongs to the item. */
  private isBare = false;

  /** Returns the indentation of the innermost item that contains this line; 0 when there is none. */
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

/** Returns the width in columns, with four for a tab. */
function widthOf(space: string): number {
  return space.replace(/\t/g, '    ').length;
}

/** Returns the indentation of a fence in the quote or item that contains the code block. From four columns on, it ends nothing. */
function indentOf(before: string, open: { readonly before: string; readonly inside: number }): number {
  return open.before.includes('>')
    ? widthOf(before.slice(before.lastIndexOf('>') + 1).replace(/^[ \t]/, ''))
    : widthOf(before) - open.inside;
}

/** True when `line` is outside the quote or list item in which a code block began, which ends the block. */
function endsWithout({ before, inside }: { readonly before: string; readonly inside: number }, line: string): boolean {
  if (before.includes('>') && !/^[\s\d.)*+-]{0,20}>/.test(line)) {
    return true;
  }
  return line.trim() !== '' && widthOf(/^\s*/.exec(line)![0]) < inside;
}

/** Returns an address as the target of a link. An address that we would not open becomes invalid. */
export function linkTarget(uri: string): string {
  return `<${uri.replace(/[<>\s]/g, encodeURIComponent).replace(/^(?!https?:|mailto:|file:)([A-Za-z][A-Za-z0-9+.-]*):/i, '$1%3A')}>`;
}

/** Neutralizes Markdown without code blocks: text that is not code loses its HTML and its commands. */
function neutralize(text: string): string {
  let result = '';
  let from = 0;
  let isLoose = false;
  for (const span of text.matchAll(CODE_SPAN)) {
    const [whole, mark] = span;
    if (mark === undefined) {
      // Backticks without an end on their line may have one on another. The rest of the paragraph is then treated as text, because lines alone do not
      // show what is code.
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
