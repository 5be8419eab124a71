/** Locates mentions in a text, and converts between a text with mentions and the content of a message. Pure. */
import type { ContentBlock } from '../model/content';
import { resourceLabel } from '../model/contentNames';
import { type DraftBlock, isMention, knownContent, type Mention } from './mention';

export interface TokenRange {
  readonly token: string;
  /** UTF-16 units. */
  readonly start: number;
  readonly end: number;
}

/** Prevents "@a.ts" from matching in "@a.tsx", "@a.ts/b" and "@a.ts.map"; it matches in "@a.ts." and "@a.ts:". */
const GOES_ON = String.raw`(?![A-Za-z0-9_/\\]|[.:#~\-][A-Za-z0-9])`;
/** A text that would become part of the token before it. */
const JOINS = /^(?:[A-Za-z0-9_/\\]|[.:#~-][A-Za-z0-9])/;

/** Returns the tokens in `text` in its order. The longer of two that begin at the same offset counts. A token inside a longer word is not a match. */
export function findTokens(text: string, tokens: readonly string[]): TokenRange[] {
  const sorted = tokens.filter((token) => text.includes(token)).sort((a, b) => b.length - a.length);
  if (sorted.length === 0) {
    return [];
  }
  const anyOf = (some: readonly string[], behind: string): string[] =>
    some.length === 0 ? [] : [`(?:${some.map((token) => token.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')).join('|')})${behind}`];
  const closed = sorted.filter((token) => token.endsWith(']'));
  const open = sorted.filter((token) => !token.endsWith(']'));
  const pattern = new RegExp(`(?<![A-Za-z0-9_])(?:${[...anyOf(closed, ''), ...anyOf(open, GOES_ON)].join('|')})`, 'gu');
  return [...text.matchAll(pattern)].map((match) => ({ token: match[0], start: match.index, end: match.index + match[0].length }));
}

/** Returns the mentions whose tokens occur in `text`, in its order, each once. */
export function mentionsIn(text: string, mentions: readonly Mention[]): Mention[] {
  const byToken = new Map(mentions.map((mention) => [mention.token, mention]));
  const ranges = findTokens(text, [...byToken.keys()]);
  return [...new Set(ranges.map(({ token }) => byToken.get(token)!))];
}

/**
 * Splits a text into the blocks of a message: text, mention, text. A repeated mention stays text, because one copy is enough for the agent. Removes
 * the spaces at both ends.
 */
export function splitText(text: string, mentions: readonly Mention[]): DraftBlock[] {
  const byToken = new Map(mentions.map((mention) => [mention.token, mention]));
  const blocks: DraftBlock[] = [];
  const whole = text.trim();
  let from = 0;
  const addText = (end: number): void => {
    if (end > from) {
      blocks.push({ type: 'text', text: whole.slice(from, end) });
    }
  };
  for (const { token, start, end } of findTokens(whole, [...byToken.keys()])) {
    const mention = byToken.get(token)!;
    if (!blocks.includes(mention)) {
      addText(start);
      blocks.push(mention);
      from = end;
    }
  }
  addText(whole.length);
  return blocks;
}

/** The content of a message as a text with tokens, their mentions, and the other blocks with their indexes in `content`. */
export interface InlineContent {
  readonly text: string;
  readonly mentions: readonly Mention[];
  /** The index in `content` of each of `mentions`, by token. */
  readonly ranges: ReadonlyMap<string, number>;
  readonly others: readonly { readonly block: ContentBlock; readonly index: number }[];
}

/**
 * Reads the result of {@link splitText}, also after the host has replaced mentions by content. Blocks before or between texts are inline mentions. A
 * text directly after another text is an attachment.
 */
export function inlineContent(content: readonly DraftBlock[]): InlineContent {
  const end = inlineEnd(content);
  const ranges = new Map<string, number>();
  const mentions: Mention[] = [];
  let text = '';
  content.slice(0, end).forEach((block, index) => {
    if (block.type === 'text') {
      text += (index > 0 && JOINS.test(block.text) ? ' ' : '') + block.text;
      return;
    }
    const mention = isMention(block) ? block : mentionOf(block);
    const token = freeToken(mention, (taken) => ranges.has(taken));
    ranges.set(token, index);
    mentions.push({ ...mention, token });
    // A space before the token, so that `findTokens` finds it again.
    text += (/[A-Za-z0-9_]$/.test(text) ? ' ' : '') + token;
  });
  const others = content.slice(end).flatMap((each, index) => knownContent([each]).map((block) => ({ block, index: end + index })));
  return { text, mentions, ranges, others };
}

/** Returns the number of blocks that form one text with mentions. */
function inlineEnd(content: readonly DraftBlock[]): number {
  let end = 0;
  for (const [index, { type }] of content.entries()) {
    if (type === 'text' && content[index - 1]?.type === 'text') {
      break;
    }
    // A mention that the host has not replaced belongs to the text even at its end.
    end = type === 'text' || type === 'mention' ? index + 1 : end;
  }
  return end;
}

/** Returns the mention for a block in the middle of a text. A file is read again when the message is sent again. */
export function mentionOf(block: ContentBlock): Mention {
  const name = nameOf(block);
  const token = `@${name}`;
  const uri = 'uri' in block && block.uri?.startsWith('file:') ? block.uri : undefined;
  if (uri === undefined || (block.type !== 'resource' && block.type !== 'resource_link')) {
    return { type: 'mention', token, name, ref: { kind: 'content', block } };
  }
  const [, path, from, to] = /^(.*?)(?:#L(\d+)(?:-L?(\d+))?)?$/s.exec(uri)!;
  if (path!.includes('#') || path!.endsWith('/')) {
    return { type: 'mention', token, name, ref: { kind: 'content', block } };
  }
  const lines = from === undefined ? {} : { line: Number(from), endLine: Number(to ?? from) };
  return { type: 'mention', token, name, ref: { kind: 'file', uri: path!, ...lines } };
}

const MAX_NAME = 80;

function nameOf(block: ContentBlock): string {
  const said = block.type === 'resource_link' ? block.name : 'uri' in block && block.uri ? resourceLabel(block.uri) : block.type;
  // Removes line breaks and control characters, which must not get into the user's text.
  return (
    said
      .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
      .trim()
      .slice(0, MAX_NAME)
      .toWellFormed() || block.type
  );
}

/** Returns a free token for `mention`: its own, otherwise its long one, otherwise one with a number. */
export function freeToken({ token, longToken }: Pick<Mention, 'token' | 'longToken'>, isTaken: (token: string) => boolean): string {
  const own = longToken !== undefined && isTaken(token) ? longToken : token;
  for (let count = 1; ; count++) {
    const candidate = count === 1 ? own : own.endsWith(']') ? `${own.slice(0, -1)} (${count})]` : `${own}~${count}`;
    if (!isTaken(candidate)) {
      return candidate;
    }
  }
}

/**
 * Adds mentions to a draft that has the `known` ones. Returns each with a token that no known one has, unless it is the same mention, and `text` with
 * these tokens.
 */
export function joinMentions(
  known: readonly Mention[],
  text: string,
  mentions: readonly Mention[],
): { readonly text: string; readonly mentions: readonly Mention[] } {
  const all = [...known];
  const renamed = new Map<string, string>();
  for (const mention of mentions) {
    const same = all.find((each) => isSameMention(each, mention));
    const token = same?.token ?? freeToken(mention, (taken) => all.some((each) => each.token === taken));
    renamed.set(mention.token, token);
    if (!same) {
      all.push({ ...mention, token });
    }
  }
  let joined = '';
  let from = 0;
  for (const { token, start, end } of findTokens(text, [...renamed.keys()])) {
    joined += text.slice(from, start) + renamed.get(token)!;
    from = end;
  }
  return { text: joined + text.slice(from), mentions: all };
}

/** True when both refer to the same thing. Content is the same only as one object, because comparing large content is slow. */
export function isSameMention(one: Mention, other: Mention): boolean {
  const [a, b] = [one.ref, other.ref];
  return a.kind === 'content' || b.kind === 'content'
    ? a.kind === 'content' && b.kind === 'content' && a.block === b.block
    : JSON.stringify(one.ref) === JSON.stringify(other.ref);
}
