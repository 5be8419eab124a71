/** Edits a queued message: its text, the mentions in it, and its attachments. */
import { inlineContent, splitText } from '../mentions/tokens';
import { isMention } from '../mentions/mention';
import type { ContentBlock } from '../model/content';

/** Returns the text that the user typed, with tokens for the mentions and without the attachments. */
export function typedText(content: readonly ContentBlock[]): string {
  return inlineContent(content).text;
}

/** Returns the attachments of the typed text, each with its index in `content`. */
export function attachmentsOf(content: readonly ContentBlock[]): readonly { readonly block: ContentBlock; readonly index: number }[] {
  return inlineContent(content).others;
}

/**
 * Returns `content` with another text, and with the attachments at the indexes `kept`. A mention stays as long as its token is in the text. Empty
 * when nothing is left.
 */
export function editedContent(content: readonly ContentBlock[], text: string, kept: readonly number[]): ContentBlock[] {
  const { mentions, ranges, others } = inlineContent(content);
  const typed = splitText(text, mentions).map((block) => (isMention(block) ? content[ranges.get(block.token)!]! : block));
  return [...typed, ...others.filter(({ index }) => kept.includes(index)).map(({ block }) => block)];
}
