/** What of a queued message can be changed: its text, and which attachments go with it. */
import type { ContentBlock } from '../model/content';

/** The text of a message that the user typed, without what went with it. */
export function typedText([first]: readonly ContentBlock[]): string {
  return first?.type === 'text' ? first.text : '';
}

/** What went with the typed text, each with its place in `content`. */
export function attachmentsOf(content: readonly ContentBlock[]): { readonly block: ContentBlock; readonly index: number }[] {
  const all = content.map((block, index) => ({ block, index }));
  return content[0]?.type === 'text' ? all.slice(1) : all;
}

/** `content` with another text, and of what went with it those at the places `kept`. Empty when nothing is left. */
export function editedContent(content: readonly ContentBlock[], text: string, kept: readonly number[]): ContentBlock[] {
  const attachments = attachmentsOf(content).filter(({ index }) => kept.includes(index));
  const typed = text.trim();
  return [...(typed === '' ? [] : [{ type: 'text' as const, text: typed }]), ...attachments.map(({ block }) => block)];
}
