/** Shows text that is not lexed yet as written, at its probable position. */
import type { Token, Tokens } from 'marked';

/** Returns `blocks` with `text` at the end of the last one's text. */
export function withUnread(blocks: readonly Token[], text: string): Token[] {
  const last = blocks.at(-1);
  const more = last && withMore(last, text);
  return more ? [...blocks.slice(0, -1), more] : [...blocks, { type: 'part', raw: text, text, tokens: [textToken(text)] }];
}

function withMore(token: Token, text: string): Token | undefined {
  switch (token.type) {
    case 'paragraph':
    case 'part':
    case 'text':
      return { ...token, tokens: [...((token as Tokens.Paragraph).tokens ?? [textToken(token.raw)]), textToken(text)] } as Token;
    case 'blockquote':
    case 'details':
    case 'list_item':
      return { ...token, tokens: withUnread((token as Tokens.Blockquote).tokens, text) } as Token;
    case 'list': {
      const list = token as Tokens.List;
      const item = list.items.at(-1);
      return item && { ...list, items: [...list.items.slice(0, -1), withMore(item, text) as Tokens.ListItem] };
    }
    default:
      return undefined;
  }
}

function textToken(text: string): Tokens.Text {
  return { type: 'text', raw: text, text, escaped: false };
}
