import type { ComponentChildren } from 'preact';
import { escapeMisleading } from '../../../src/text/characters/textSafety';
import type { LineTokens } from './highlight/messages';

/** Renders a part of a line, from the UTF-16 unit `from` on, in the styles of its tokens. Plain without tokens. */
export function codeSpans(
  part: string,
  tokens: LineTokens | undefined,
  classOf: (style: number) => string | undefined,
  from = 0,
): ComponentChildren {
  if (!tokens || tokens.length === 0) {
    return escapeMisleading(part);
  }
  const end = from + part.length;
  const spans: ComponentChildren[] = [];
  const add = (start: number, stop: number, style: number) => {
    if (stop <= start) {
      return;
    }
    const text = escapeMisleading(part.slice(start - from, stop - from));
    spans.push(style === 0 ? text : <span class={classOf(style)}>{text}</span>);
  };
  add(from, Math.min(tokens[0]!, end), 0);
  for (let at = 0; at < tokens.length && tokens[at]! < end; at += 2) {
    add(Math.max(tokens[at]!, from), Math.min(tokens[at + 2] ?? end, end), tokens[at + 1]!);
  }
  return spans;
}
