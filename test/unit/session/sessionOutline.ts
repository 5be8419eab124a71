/** A short form of a session's entries. */
import type { EventInput } from '../../../src/core/model/event';
import type { Session } from '../../../src/session/session';

export const setup = { cwd: '/w', additionalDirectories: [], mcpServers: [] };

export const say = (text: string): EventInput => ({
  type: 'message_chunk',
  role: 'agent',
  messageId: 'm',
  content: { type: 'text', text },
});

export const outline = (session: Session): string[] =>
  [...session.store.state.entries].map((slot) => {
    const entry = slot as unknown as Record<string, unknown>;
    const content = entry.content as { text?: string }[] | undefined;
    return [
      entry.kind,
      entry.role ?? entry.title ?? entry.stopReason ?? '',
      content?.map((block) => block.text).join('|') ?? '',
      entry.status ?? '',
    ]
      .filter(Boolean)
      .join(' ');
  });
