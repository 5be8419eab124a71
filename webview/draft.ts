/** What the user is about to say: text and what goes with it. Kept by the host across reloads and closed panels, and given up only by a send. */
import { type DraftBlock, isMention, type Mention } from '../src/core/mentions/mention';
import { inlineContent, isSameMention, joinMentions, mentionsIn, splitText } from '../src/core/mentions/tokens';
import { withAttachments } from '../src/core/model/attachment';
import type { ContentBlock } from '../src/core/model/content';
import type { LiveMention, SendWith, UnsentPrompt } from '../src/core/protocol/view';
import { MessageHistory } from './composer/history';
import type { ViewHost } from './host';
import { Saver } from './typing/saver';

/** What was done before there was a draft: in the box that the page's document brings along. */
export interface Early {
  readonly text: string;
  /** It shall be sent. */
  readonly send: boolean;
}

export class Draft {
  text = '';
  attachments: readonly ContentBlock[] = [];
  /** What goes along as long as its chip is there. */
  live: readonly LiveMention[] = [];
  sendWith: SendWith = 'enter';
  /** Puts a token at the caret, so that it can be undone; false when nobody could. Set by the composer. */
  insert: (token: string) => boolean = () => false;
  /** What of the text is selected, in UTF-16 units, while its session is not shown. */
  selection: readonly [start: number, end: number] | undefined;
  /** Where in the messages that were sent the user looks back. */
  readonly history = new MessageHistory();
  /** What was typed, while an earlier message is in its place; it is what is kept. */
  private aside: string | undefined;
  /** The earlier message that the user edits, and what was in the box before, which is what is kept. */
  private edited: { readonly entryId: string; readonly text: string; readonly attachments: readonly ContentBlock[] } | undefined;
  private readonly listeners = new Set<() => void>();
  /** Whose tokens are in the text, or were: an undo may bring one back. */
  private known: readonly Mention[] = [];
  private readonly saver = new Saver(() => this.flush());
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
      const { draft, attachments, mentions, at } = kept as Record<'draft' | 'attachments' | 'mentions' | 'at', unknown>;
      if (typeof at === 'number') {
        this.at = this.toldAt = at;
      }
      if (typeof draft === 'string') {
        this.text = draft;
      }
      if (Array.isArray(attachments)) {
        this.attachments = (attachments as unknown[]).filter(isBlock);
      }
      if (Array.isArray(mentions)) {
        this.known = (mentions as unknown[]).filter(isKeptMention);
      }
    }
    this.base = { at: this.at, text: this.text, attachments: this.attachments };
    // Not a change yet: what the host keeps may be newer than what it stands behind here.
    this.append(early.text);
    this.adoptEdit();
  }

  /** Goes on with the edit of an earlier message that was saved, if there is one. */
  adoptEdit(): void {
    const { edit } = (this.host.load() ?? {}) as { readonly edit?: unknown };
    const { entryId, text, mentions, attachments } = (edit ?? {}) as Record<'entryId' | 'text' | 'mentions' | 'attachments', unknown>;
    if (typeof entryId === 'string' && typeof text === 'string' && Array.isArray(mentions) && Array.isArray(attachments)) {
      const content = [...(mentions as unknown[]).filter(isKeptMention), ...(attachments as unknown[]).filter(isBlock)];
      this.putAside(entryId, () => this.show(text, content));
    }
  }

  /** Told of each state: what is edited of a message that is gone becomes part of the draft. */
  keepEdit(isThere: (entryId: string) => boolean): void {
    if (this.edited && !isThere(this.edited.entryId)) {
      const { text, attachments } = this;
      this.endEdit();
      this.attach(attachments);
      this.restore(text);
    }
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
  showEarlier(earlier: string, mentions: readonly Mention[] = []): void {
    const kept = this.kept;
    const text = this.join(earlier, mentions);
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
    this.besideEdit(() => this.setText(this.text.trim() === '' ? text : `${text}\n\n${this.text}`));
  }

  /** The entry of the earlier message that is being edited. */
  get editing(): string | undefined {
    return this.edited?.entryId;
  }

  /** Puts an earlier message into the box to be edited and sent again; what was there comes back afterwards. */
  edit(entryId: string, content: readonly ContentBlock[]): void {
    const { text, mentions, others } = inlineContent(content);
    this.putAside(entryId, () => this.show(text, [...mentions, ...others.map(({ block }) => block)]));
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
  takeEdit(): DraftBlock[] {
    const { content } = this;
    this.endEdit();
    return content;
  }

  /** Takes a prompt out again that was given back ({@link restore}, {@link attach}): it is sent by other means. What else is there stays. */
  withdraw(content: readonly ContentBlock[]): void {
    this.besideEdit(() => this.takeOut(content));
  }

  private takeOut(content: readonly ContentBlock[]): void {
    const { text: given, mentions, others } = inlineContent(content);
    const text = this.join(given, mentions);
    if (text === '' || this.text === text || this.text.startsWith(`${text}\n\n`)) {
      this.setText(this.text.slice(text.length).trimStart());
      const isSame = (one: ContentBlock, other: ContentBlock): boolean => one.type === other.type && sourceOf(one) === sourceOf(other);
      const left = others.map(({ block }) => block);
      this.attachments = this.attachments.filter((block) => {
        const at = left.findIndex((each) => isSame(each, block));
        return at < 0 || left.splice(at, 1).length === 0;
      });
      this.changed();
    }
  }

  /** Puts a message back as it was, before what is there. */
  restoreMessage(content: readonly DraftBlock[]): void {
    const { text, mentions, others } = inlineContent(content);
    const joined = this.join(text, mentions);
    if (others.length > 0) {
      this.besideEdit(() => this.attach(others.map(({ block }) => block)));
    }
    this.restore(joined);
  }

  attach(blocks: readonly DraftBlock[]): void {
    const attached = blocks.filter((block) => !isMention(block));
    if (attached.length > 0) {
      this.attachments = withAttachments(this.attachments, attached);
      this.changed();
    }
    for (const mention of blocks.filter(isMention)) {
      const token = this.mention(mention);
      if (!this.insert(token)) {
        this.setText(`${this.text}${/(?:^|\s)$/.test(this.text) ? '' : ' '}${token} `);
      }
    }
  }

  /** From now on the token that comes back stands for this. */
  mention(mention: Mention): string {
    return this.join(mention.token, [mention]);
  }

  /** The mentions that the text holds, in its order. */
  get mentions(): readonly Mention[] {
    return mentionsIn(this.text, this.known);
  }

  setLive(live: readonly LiveMention[]): void {
    this.live = live;
    this.tell();
  }

  detach(index: number): void {
    this.attachments = this.attachments.filter((_, at) => at !== index);
    this.changed();
  }

  /**
   * What the host kept, when it is newer than what this page's own state held. Comes once, with an empty one where nothing is kept; what was typed or
   * attached on this page before that goes behind it.
   */
  adopt(unsent: UnsentPrompt): void {
    const isNewer = unsent.at > (this.base?.at ?? this.at);
    this.besideEdit(() => this.adoptUnsent(unsent));
    if (isNewer && unsent.edit && !this.edited) {
      const [first, ...others] = unsent.edit.content;
      this.putAside(unsent.edit.entryId, () => this.show(first?.type === 'text' ? first.text : '', others));
    }
  }

  private adoptUnsent({ at, content }: UnsentPrompt): void {
    const base = this.base ?? { at: this.at, text: this.text, attachments: this.attachments };
    this.base = undefined;
    const { early } = this;
    this.early = { ...early, text: '' };
    if (at <= base.at) {
      return early.text === '' ? undefined : this.changed();
    }
    const typed = this.text.startsWith(base.text) ? this.text.slice(base.text.length) : this.text;
    const attached = this.attachments.slice(base.attachments.length);
    const [first, ...behind] = content;
    this.text = first?.type === 'text' ? first.text : '';
    const others = first && first.type !== 'text' ? content : behind;
    this.known = [...others.filter(isMention), ...this.known];
    this.attachments = [...others.filter((block) => !isMention(block)), ...attached];
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
  get content(): DraftBlock[] {
    const { mentions } = this;
    // The message shows each file once.
    const others = this.live.map(({ mention }) => mention).filter((mention) => !mentions.some((each) => isSameMention(each, mention)));
    return [...splitText(this.text, this.known), ...this.attachments, ...others];
  }

  /** The prompt's content; the draft is empty afterwards, or the one that was put aside for an earlier message. */
  take(): DraftBlock[] {
    const { content } = this;
    this.text = this.history.sent();
    this.known = this.mentions;
    this.aside = undefined;
    this.attachments = [];
    this.changed();
    this.flush();
    return content;
  }

  /** Keeps it now. */
  flush(): void {
    this.saver.done();
    const { at, kept: text, edited } = this;
    const { attachments } = edited ?? this;
    const mentions = mentionsIn(text, this.known);
    const edit = edited && { entryId: edited.entryId, text: this.text, mentions: this.mentions, attachments: this.attachments };
    this.host.save({ draft: text, attachments, mentions, at, edit });
    if (at !== this.toldAt) {
      this.toldAt = at;
      this.host.post({ type: 'draft', ...this.unsent });
    }
  }

  /** As the host keeps it. */
  get unsent(): UnsentPrompt {
    const { at, kept: text, edited } = this;
    const { attachments } = edited ?? this;
    const isNothing = text === '' && attachments.length === 0;
    return {
      at,
      content: isNothing ? [] : [{ type: 'text', text }, ...mentionsIn(text, this.known), ...attachments],
      ...(edited && {
        edit: { entryId: edited.entryId, content: [{ type: 'text', text: this.text }, ...this.mentions, ...this.attachments] },
      }),
    };
  }

  private get kept(): string {
    return this.edited?.text ?? this.aside ?? this.text;
  }

  /** Knows these mentions from now on; returns `text` with the tokens that they have here. */
  private join(text: string, mentions: readonly Mention[]): string {
    const joined = joinMentions(this.known, text, mentions);
    this.known = joined.mentions;
    return joined.text;
  }

  private append(text: string): void {
    if (text.trim() !== '') {
      this.text = this.text.trim() === '' ? text : `${this.text}\n\n${text}`;
    }
  }

  /** An earlier message takes the place of what is in the box, which comes back afterwards. */
  private putAside(entryId: string, show: () => void): void {
    const { text, attachments } = this.edited ?? { text: this.kept, attachments: this.attachments };
    this.history.leave();
    this.aside = undefined;
    this.edited = { entryId, text, attachments };
    show();
    this.changed();
  }

  private show(text: string, content: readonly DraftBlock[]): void {
    this.text = this.join(text, content.filter(isMention));
    this.attachments = content.filter((block) => !isMention(block));
  }

  /** Does something to the draft, also while it is put aside for an earlier message. */
  private besideEdit(work: () => void): void {
    const { edited, text, attachments } = this;
    if (!edited) {
      return work();
    }
    ({ text: this.text, attachments: this.attachments } = edited);
    this.edited = undefined;
    work();
    this.edited = { entryId: edited.entryId, text: this.text, attachments: this.attachments };
    Object.assign(this, { text, attachments });
  }

  private changed(): void {
    this.at = Math.max(Date.now(), this.at + 1);
    // What was deleted must not come back.
    this.saver.soon(this.empty);
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

/** What this page has kept itself: the host checks it when it is sent. */
function isKeptMention(value: unknown): value is Mention {
  const { type, token, name, ref } = (value ?? {}) as Partial<Record<keyof Mention, unknown>>;
  return (
    type === 'mention' && typeof token === 'string' && token !== '' && typeof name === 'string' && typeof ref === 'object' && ref !== null
  );
}
