/** A message that was not taken goes back to the composer: as it was written, where something stands between its texts. */
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
