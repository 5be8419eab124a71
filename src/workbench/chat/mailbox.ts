import type { ToView } from '../../core/protocol/view';

/**
 * Messages that a page must get once, whenever it is there: a hidden webview drops what it is sent, and a closed one has no page. Not for the
 * conversation itself, which every page gets whole. Pure.
 */
export class Mailbox {
  private waiting: ToView[] = [];
  private deliver: ((message: ToView) => void) | undefined;

  post(message: ToView): void {
    if (this.deliver) {
      this.deliver(message);
    } else {
      // Only the newest place of the focus means anything.
      this.waiting = [...this.waiting.filter(({ type }) => type !== 'focus' || message.type !== 'focus'), message];
    }
  }

  /** A page listens from now on; gets what waited. */
  open(deliver: (message: ToView) => void): void {
    this.deliver = deliver;
    this.waiting.splice(0).forEach(deliver);
  }

  /** The page is gone. */
  close(): void {
    this.deliver = undefined;
  }
}
