/** Returns a refused message to the composer. A message with inline mentions is restored as written; any other as text and attachments. */
import { inlineContent } from '../../core/mentions/tokens';
import type { ContentBlock } from '../../core/model/content';
import type { Mailbox } from './mailbox';

export function returnPrompt(mailbox: Pick<Mailbox, 'post'>, content: readonly ContentBlock[]): void {
  if (inlineContent(content).mentions.length > 0) {
    mailbox.post({ type: 'restore_message', content });
    return;
  }
  const text = content.flatMap((block) => (block.type === 'text' ? block.text : [])).join('\n');
  const others = content.filter((block) => block.type !== 'text');
  if (text) {
    mailbox.post({ type: 'restore_text', text });
  }
  if (others.length > 0) {
    mailbox.post({ type: 'attach', blocks: others });
  }
}
