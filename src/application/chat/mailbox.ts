import type { ToView } from '../../core/protocol/view';

/**
 * Messages that a page must get exactly once, delivered when a page exists: a hidden webview drops messages, and a closed one has no page. Not
 * used for the conversation itself, which every page gets as a whole. Pure.
 */
export class Mailbox {
  private waiting: ToView[] = [];
  private deliver: ((message: ToView) => void) | undefined;

  post(message: ToView): void {
    if (this.deliver) {
      this.deliver(message);
    } else {
      // Only the newest focus target matters.
      this.waiting = [...this.waiting.filter(({ type }) => type !== 'focus' || message.type !== 'focus'), message];
    }
  }

  /** A page listens from now on. Delivers the waiting messages to it. */
  open(deliver: (message: ToView) => void): void {
    this.deliver = deliver;
    this.waiting.splice(0).forEach(deliver);
  }

  /** The page no longer exists. */
  close(): void {
    this.deliver = undefined;
  }
}
