/** What the user is about to say: text and what goes with it. Kept by the host of the page across reloads, and given up only by a send. */
import type { ContentBlock } from '../src/core/content';
import type { ViewHost } from './host';

/** ms; a page can vanish without notice, so a draft is kept soon after it changed. */
const SAVE_AFTER = 150;

export class Draft {
  text = '';
  attachments: readonly ContentBlock[] = [];
  private readonly listeners = new Set<() => void>();
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly host: ViewHost) {
    const kept = host.load();
    if (typeof kept === 'object' && kept !== null) {
      const { draft, attachments } = kept as { draft?: unknown; attachments?: unknown };
      if (typeof draft === 'string') this.text = draft;
      if (Array.isArray(attachments)) this.attachments = (attachments as unknown[]).filter(isBlock);
    }
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  setText(text: string): void {
    if (text === this.text) return;
    this.text = text;
    this.changed();
  }

  /** Puts `text` before what is there. */
  restore(text: string): void {
    this.setText(this.text.trim() === '' ? text : `${text}\n\n${this.text}`);
  }

  attach(blocks: readonly ContentBlock[]): void {
    this.attachments = [...this.attachments, ...blocks];
    this.changed();
  }

  detach(index: number): void {
    this.attachments = this.attachments.filter((_, at) => at !== index);
    this.changed();
  }

  get empty(): boolean {
    return this.text.trim() === '' && this.attachments.length === 0;
  }

  /** The prompt's content; the draft is empty afterwards. */
  take(): ContentBlock[] {
    const text = this.text.trim();
    const content: ContentBlock[] = [...(text ? [{ type: 'text' as const, text }] : []), ...this.attachments];
    this.text = '';
    this.attachments = [];
    this.changed();
    this.flush();
    return content;
  }

  /** Keeps it now. */
  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.host.save({ draft: this.text, attachments: this.attachments });
  }

  private changed(): void {
    this.timer ??= setTimeout(() => this.flush(), SAVE_AFTER);
    for (const listener of [...this.listeners]) listener();
  }
}

function isBlock(value: unknown): value is ContentBlock {
  return typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';
}
