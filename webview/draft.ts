/** What the user is about to say: text and what goes with it. Kept by the host across reloads and closed panels, and given up only by a send. */
import { withAttachments } from '../src/core/model/attachment';
import type { ContentBlock } from '../src/core/model/content';
import type { UnsentPrompt } from '../src/core/protocol/view';
import { MessageHistory } from './composer/history';
import type { ViewHost } from './host';

/** ms; a page can vanish without notice, so a draft is kept soon after it changed. */
const SAVE_AFTER = 150;

/** What was done before there was a draft: in the box that the page's document brings along. */
export interface Early {
  readonly text: string;
  /** It shall be sent. */
  readonly send: boolean;
}

export class Draft {
  text = '';
  attachments: readonly ContentBlock[] = [];
  /** What of the text is selected, in UTF-16 units, while its session is not shown. */
  selection: readonly [start: number, end: number] | undefined;
  /** Where in the messages that were sent the user looks back. */
  readonly history = new MessageHistory();
  /** What was typed, while an earlier message is in its place; it is what is kept. */
  private aside: string | undefined;
  /** The earlier message that the user edits, and what was in the box before, which is what is kept. */
  private edited: { readonly entryId: string; readonly text: string; readonly attachments: readonly ContentBlock[] } | undefined;
  private readonly listeners = new Set<() => void>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** When it last changed; 0: not since there is a page. */
  private at = 0;
  private toldAt = 0;

  /** What this page's own state held, until the host has said what it keeps. */
  private base: { readonly at: number; readonly text: string; readonly attachments: readonly ContentBlock[] } | undefined;

  constructor(
    private readonly host: ViewHost,
    private early: Early = { text: '', send: false },
  ) {
    const kept = host.load();
    if (typeof kept === 'object' && kept !== null) {
      const { draft, attachments, at } = kept as { draft?: unknown; attachments?: unknown; at?: unknown };
      if (typeof at === 'number') {
        this.at = this.toldAt = at;
      }
      if (typeof draft === 'string') {
        this.text = draft;
      }
      if (Array.isArray(attachments)) {
        this.attachments = (attachments as unknown[]).filter(isBlock);
      }
    }
    this.base = { at: this.at, text: this.text, attachments: this.attachments };
    // Not a change yet: what the host keeps may be newer than what it stands behind here.
    this.append(early.text);
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  setText(text: string): void {
    if (text === this.text) {
      return;
    }
    this.text = text;
    this.aside = undefined;
    this.changed();
  }

  /** Puts an earlier message in the place of what was typed, or brings that back; it is the draft only when the user edits it. */
  showEarlier(text: string): void {
    const kept = this.kept;
    this.text = text;
    this.aside = this.history.isBrowsing ? this.history.typed : undefined;
    if (this.kept === kept) {
      this.tell();
    } else {
      this.changed();
    }
  }

  /** True while an earlier message is there as it was. */
  get isRecalled(): boolean {
    return this.aside !== undefined;
  }

  /** Puts `text` before what is there. */
  restore(text: string): void {
    this.endEdit();
    this.setText(this.text.trim() === '' ? text : `${text}\n\n${this.text}`);
  }

  /** The entry of the earlier message that is being edited. */
  get editing(): string | undefined {
    return this.edited?.entryId;
  }

  /** Puts an earlier message into the box to be edited and sent again; what was there comes back afterwards. */
  edit(entryId: string, content: readonly ContentBlock[]): void {
    const { text, attachments } = this.edited ?? { text: this.kept, attachments: this.attachments };
    this.history.leave();
    this.aside = undefined;
    this.edited = { entryId, text, attachments };
    this.text = content.flatMap((block) => (block.type === 'text' ? block.text : [])).join('\n\n');
    this.attachments = content.filter(({ type }) => type !== 'text');
    this.tell();
  }

  /** What was in the box before an earlier message was edited comes back. */
  endEdit(): void {
    if (this.edited) {
      ({ text: this.text, attachments: this.attachments } = this.edited);
      this.edited = undefined;
      this.changed();
    }
  }

  /** The content of the earlier message as it is now; what was in the box before comes back. */
  takeEdit(): ContentBlock[] {
    const { content } = this;
    this.endEdit();
    return content;
  }

  /** Takes a prompt out again that was given back ({@link restore}, {@link attach}): it is sent by other means. What else is there stays. */
  withdraw(content: readonly ContentBlock[]): void {
    const text = content.flatMap((block) => (block.type === 'text' ? block.text : [])).join('\n');
    if (text === '' || this.text === text || this.text.startsWith(`${text}\n\n`)) {
      this.setText(this.text.slice(text.length).trimStart());
      const isSame = (one: ContentBlock, other: ContentBlock): boolean => one.type === other.type && sourceOf(one) === sourceOf(other);
      const left = content.filter(({ type }) => type !== 'text');
      this.attachments = this.attachments.filter((block) => {
        const at = left.findIndex((each) => isSame(each, block));
        return at < 0 || left.splice(at, 1).length === 0;
      });
      this.changed();
    }
  }

  attach(blocks: readonly ContentBlock[]): void {
    this.attachments = withAttachments(this.attachments, blocks);
    this.changed();
  }

  detach(index: number): void {
    this.attachments = this.attachments.filter((_, at) => at !== index);
    this.changed();
  }

  /**
   * What the host kept, when it is newer than what this page's own state held. Comes once, with an empty one where nothing is kept; what was typed or
   * attached on this page before that goes behind it.
   */
  adopt({ at, content }: UnsentPrompt): void {
    const base = this.base ?? { at: this.at, text: this.text, attachments: this.attachments };
    this.base = undefined;
    const { early } = this;
    this.early = { ...early, text: '' };
    if (at <= base.at) {
      return early.text === '' ? undefined : this.changed();
    }
    const typed = this.text.startsWith(base.text) ? this.text.slice(base.text.length) : this.text;
    const attached = this.attachments.slice(base.attachments.length);
    const [first, ...others] = content;
    this.text = first?.type === 'text' ? first.text : '';
    this.attachments = [...(first && first.type !== 'text' ? content : others), ...attached];
    this.append(typed.trimStart());
    this.at = Math.max(this.at, at);
    this.changed();
    if (typed === '' && attached.length === 0) {
      this.at = this.toldAt = at;
    }
  }

  /** True when the user has asked for it to be sent before there was anybody to send it; once. */
  takeSend(): boolean {
    const { send } = this.early;
    this.early = { ...this.early, send: false };
    return send;
  }

  get empty(): boolean {
    return this.text.trim() === '' && this.attachments.length === 0;
  }

  /** What a prompt of it would carry. */
  get content(): ContentBlock[] {
    const text = this.text.trim();
    return [...(text ? [{ type: 'text' as const, text }] : []), ...this.attachments];
  }

  /** The prompt's content; the draft is empty afterwards, or the one that was put aside for an earlier message. */
  take(): ContentBlock[] {
    const { content } = this;
    this.text = this.history.sent();
    this.aside = undefined;
    this.attachments = [];
    this.changed();
    this.flush();
    return content;
  }

  /** Keeps it now. */
  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const { at, kept: text } = this;
    const { attachments } = this.edited ?? this;
    this.host.save({ draft: text, attachments, at });
    if (at !== this.toldAt) {
      this.toldAt = at;
      this.host.post({
        type: 'draft',
        at,
        content: text === '' && attachments.length === 0 ? [] : [{ type: 'text', text }, ...attachments],
      });
    }
  }

  private get kept(): string {
    return this.edited?.text ?? this.aside ?? this.text;
  }

  private append(text: string): void {
    if (text.trim() !== '') {
      this.text = this.text.trim() === '' ? text : `${this.text}\n\n${text}`;
    }
  }

  private changed(): void {
    this.at = Math.max(Date.now(), this.at + 1);
    this.timer ??= setTimeout(() => this.flush(), SAVE_AFTER);
    this.tell();
  }

  private tell(): void {
    for (const listener of [...this.listeners]) {
      listener();
    }
  }
}

/** What tells an attachment from others of its type; the data itself need not be here. */
function sourceOf(block: ContentBlock): unknown {
  return 'uri' in block && block.uri !== undefined ? block.uri : 'mimeType' in block ? block.mimeType : undefined;
}

function isBlock(value: unknown): value is ContentBlock {
  return typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';
}
