/**
 * The HTML that answers may use: `kbd`, `sub`, `sup`, `br`, and `details` with its `summary`, without attributes except for `open` of `details`. They
 * become tokens, from which the page makes its own elements. All other HTML, and a tag without its counterpart, is shown as written.
 */
import type { Token } from 'marked';

/** The most levels of tags on a line. */
const MAX_TAGS = 8;
const LINE_TAG = /^<(?:br *\/?|(\/?)(kbd|sub|sup) *)>$/i;
const LINE_TAG_START = /^ {0,3}<(?:br *\/?|\/?(?:kbd|sub|sup) *)>/i;

type LineTag = 'kbd' | 'sub' | 'sup';

/** An inline element. */
export interface TagToken {
  readonly type: 'tag';
  readonly raw: string;
  readonly tag: LineTag;
  readonly tokens: Token[];
}

/** A block that the user can open and close. */
export interface DetailsToken {
  readonly type: 'details';
  readonly raw: string;
  /** True with the attribute `open`, and without an end tag, so that nothing is hidden. */
  readonly open: boolean;
  /** Undefined when there is none. */
  readonly summary: Token[] | undefined;
  readonly tokens: Token[];
}

/** True for a line that begins with an inline tag: a paragraph, not a block of HTML. */
export function startsWithLineTag(source: string): boolean {
  return LINE_TAG_START.test(source);
}

/** Replaces the inline tags among the tokens, and the tokens between them, by elements. */
export function groupTags(tokens: Token[]): void {
  if (!tokens.some(({ type, raw }) => type === 'html' && LINE_TAG.test(raw))) {
    return;
  }
  const grouped: Token[] = [];
  let open: { readonly tag: string; readonly at: number }[] = [];
  for (const token of tokens) {
    const match = token.type === 'html' ? LINE_TAG.exec(token.raw) : null;
    if (!match) {
      grouped.push(token);
      continue;
    }
    const tag = match[2]?.toLowerCase() as LineTag | undefined;
    if (tag === undefined) {
      grouped.push({ type: 'br', raw: token.raw });
      continue;
    }
    grouped.push(token);
    if (match[1] === '') {
      open = [...open.slice(1 - MAX_TAGS), { tag, at: grouped.length - 1 }];
      continue;
    }
    const index = open.findLastIndex((each) => each.tag === tag);
    if (index >= 0) {
      const inside = grouped.splice(open[index]!.at);
      open.length = index;
      grouped.push({ type: 'tag', tag, raw: inside.map(({ raw }) => raw).join(''), tokens: inside.slice(1, -1) } satisfies TagToken);
    }
  }
  tokens.length = 0;
  for (const token of grouped) {
    tokens.push(token);
  }
}

const DETAILS = /^ {0,3}<details(\s+open(?:=(?:""|''|open|"open"|'open'))?)?\s*>/i;
const DETAILS_TAG = /<(\/?)details(?=[\s/>])[^>\n]*>/gi;
/** A summary of limited length. */
const SUMMARY = /^\s*<summary\s*>([^]{0,2000}?)<\/summary\s*>/i;
const FENCE = /^(?:\s|>|[-*+]\s|\d{1,9}[.)]\s)*(`{3,}|~{3,})/;

/** The parts of a text that begins with a `details` element, as written. */
interface DetailsText {
  readonly raw: string;
  readonly open: boolean;
  readonly summary: string | undefined;
  readonly body: string;
}

/** Returns the `details` element at the start of `source`. Without an end tag it extends to the end of the text. */
export function detailsAt(source: string): DetailsText | undefined {
  const [start, attribute] = DETAILS.exec(source) ?? [];
  if (start === undefined) {
    return undefined;
  }
  const end = endOfDetails(source, start.length);
  const inside = source.slice(start.length, end?.from);
  const [head = '', summary] = SUMMARY.exec(inside) ?? [];
  return {
    raw: end ? source.slice(0, end.to) : source,
    open: attribute !== undefined || end === undefined,
    summary: summary?.trim(),
    body: inside.slice(head.length),
  };
}

/** Returns the range of the end tag for the start tag before `from`. Tags in code do not count. Takes time linear in the text. */
function endOfDetails(source: string, from: number): { readonly from: number; readonly to: number } | undefined {
  let depth = 1;
  let fence = '';
  for (let start = from; start < source.length; ) {
    const lineEnd = source.indexOf('\n', start);
    const end = lineEnd < 0 ? source.length : lineEnd;
    const line = source.slice(start, end);
    const [, mark] = FENCE.exec(line) ?? [];
    if (fence !== '') {
      fence = mark?.startsWith(fence) && line.trim().endsWith(mark) ? '' : fence;
    } else if (mark !== undefined && start > from) {
      fence = mark;
    } else {
      for (const { 0: tag, 1: slash, index } of line.matchAll(DETAILS_TAG)) {
        depth += isInCode(line, index) ? 0 : slash === '' ? 1 : -1;
        if (depth === 0) {
          const to = start + index + tag.length;
          return { from: start + index, to: to + /^[^\S\n]*/.exec(source.slice(to, end))![0].length };
        }
      }
    }
    start = end + 1;
  }
  return undefined;
}

/** UTF-16 units before a tag that are searched for the beginning of code. */
const MAX_CODE = 1000;

function isInCode(line: string, index: number): boolean {
  return (line.slice(Math.max(0, index - MAX_CODE), index).match(/`+/g)?.length ?? 0) % 2 === 1;
}
