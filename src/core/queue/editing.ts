/** What of a queued message can be changed: its text, what the text mentions, and which attachments go with it. */
import { inlineContent, splitText } from '../mentions/tokens';
import { isMention } from '../mentions/mention';
import type { ContentBlock } from '../model/content';

/** The text of a message that the user typed, with a token for what it mentions, without what went with it. */
export function typedText(content: readonly ContentBlock[]): string {
  return inlineContent(content).text;
}

/** What went with the typed text, each with its place in `content`. */
export function attachmentsOf(content: readonly ContentBlock[]): readonly { readonly block: ContentBlock; readonly index: number }[] {
  return inlineContent(content).others;
}

/**
 * `content` with another text, and of what went with it those at the places `kept`. What the text mentions goes as long as its token is there. Empty when
 * nothing is left.
 */
export function editedContent(content: readonly ContentBlock[], text: string, kept: readonly number[]): ContentBlock[] {
  const { mentions, places, others } = inlineContent(content);
  const typed = splitText(text, mentions).map((block) => (isMention(block) ? content[places.get(block.token)!]! : block));
  return [...typed, ...others.filter(({ index }) => kept.includes(index)).map(({ block }) => block)];
}
