/** Markdown that is still being written, as it would be read out: how much of it is finished, and its words without the signs. */
import { withoutReferences } from '../../src/text/markdown/references';
import { t } from '../l10n';

/** Where a block of code or a formula begins or ends, in a list too. */
const FENCE = /^[^\S\n]*(?:(?:[-*+>]|\d{1,9}[.)])[^\S\n]+)*(`{3,}|~{3,}|\$\$)(.*)\r?$/;
/** A sentence's end; what closes a quotation goes with it. Chinese and Japanese put no space behind it. */
const END = /[.!?…؟۔।]+["'”’»)\]*_]*(?=\s)|[。！？｡]+["'”’」』）*_]*/gu;
/** Points that end no sentence: a number that counts, a letter that stands for a name, and words cut short. */
const NO_END =
  /(?:^|\n)\s*(?:\d{1,9}|[a-z])\.$|(?:^|[\s("'“‘*_])(?:\p{L}|[a-z]\.[a-z]|Mrs?|Ms|Dr|Prof|St|vs|cf|ca|approx|fig|figs|no|vol|pp|incl|resp|etc|al|Inc|Ltd|Co|Corp|Jr|Sr|Jan|Feb|Aug|Sept?|Oct|Nov|Dec|bzw|ggf|usw|Nr)\.$/iu;

/** Where the last finished sentence or paragraph in `text` ends; 0 when none does. A block of code, a formula or a table that goes on is one unfinished sentence. */
export function sentencesEnd(text: string): number {
  let end = 0;
  let fence: string | undefined;
  for (let start = 0; start < text.length; ) {
    const at = text.indexOf('\n', start);
    const next = at < 0 ? text.length : at + 1;
    const line = text.slice(start, at < 0 ? next : at);
    const sign = FENCE.exec(line)?.[1];
    if (fence !== undefined) {
      if (sign?.startsWith(fence) && line.trim().endsWith(sign)) {
        fence = undefined;
        if (at >= 0) {
          end = next;
        }
      }
    } else if (sign !== undefined && !(sign === '$$' && /\$\$\s*$/.test(line.slice(line.indexOf('$$') + 2)))) {
      fence = sign;
    } else if (line.trim() === '') {
      if (at >= 0 && start > 0) {
        end = next;
      }
    } else if (!/^\s*\|/.test(line)) {
      end = Math.max(end, sentenceEnd(text, start, at < 0 ? next : at));
    }
    start = next;
  }
  return end;
}

/** Where the last sentence that ends in this line ends; 0 when none does. */
function sentenceEnd(text: string, start: number, end: number): number {
  let found = 0;
  // With the line break: it is space behind a point, too.
  for (const match of text.slice(start, end + 1).matchAll(END)) {
    const to = start + match.index + match[0].length;
    if (to <= end && !(match[0].startsWith('.') && NO_END.test(text.slice(Math.max(start, to - 24), to)))) {
      found = to;
    }
  }
  return found;
}

/** Markdown as it would be read out: without its signs, code and formulas only named. */
export function plainWords(markdown: string): string {
  return withoutReferences(withoutBlocks(markdown))
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/^\s*\|?(?:\s*:?-{2,}:?\s*\|)+\s*:?-*:?\s*$/gm, '')
    .replace(
      /^\s*\|(.*?)\|?\s*$/gm,
      (_, cells: string) =>
        `${cells
          .split('|')
          .map((cell) => cell.trim())
          .filter(Boolean)
          .join(', ')}. `,
    )
    .replace(/\[([^[\]\n]+)\]\[[^[\]\n]*\]/g, '$1')
    .replace(/^.*$/gm, (line) => (ITEM.test(line) ? ended(line) : line))
    .replace(/^(.*\S.*)\n {0,3}(?:=+|-{2,})[^\S\n]*$/gm, (_, title: string) => ended(title))
    .replace(/^\s*[-*+]\s+\[[ xX]\]\s+/gm, '')
    .replace(/^\s{0,3}(#{1,6}|>|[-*+]|\d+[.)])\s+/gm, '')
    .replace(/[*_`~|]+/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/ (?=[.,;:!?](?:\s|$))/g, '')
    .trim();
}

/** A line that is a title, or begins what is listed. */
const ITEM = /^[^\S\n]*(?:#{1,6}|[-*+]|\d{1,9}[.)])[^\S\n]+\S/;

/** `line` with a pause behind it: it is heard as one, and the next begins anew. */
function ended(line: string): string {
  return /[.!?…:;,。！？：；、؟۔।]["'”’»)\]*_`]*\s*$/u.test(line) ? line : `${line.trimEnd()}.`;
}

function withoutBlocks(markdown: string): string {
  const kept: string[] = [];
  let fence: string | undefined;
  for (const line of markdown.split('\n')) {
    const sign = FENCE.exec(line)?.[1];
    if (fence !== undefined) {
      if (sign?.startsWith(fence) && line.trim().endsWith(sign)) {
        fence = undefined;
      }
    } else if (sign === undefined) {
      kept.push(line);
    } else {
      kept.push(sign === '$$' ? t('Formula.') : t('Code block.'));
      if (!(sign === '$$' && /\$\$\s*$/.test(line.slice(line.indexOf('$$') + 2)))) {
        fence = sign;
      }
    }
  }
  return kept.join('\n');
}
