/** The user's draft: the text and its attachments. The host stores it across reloads and closed panels; only sending removes it. */
import { type DraftBlock, isMention, type Mention } from '../../src/core/mentions/mention';
import { inlineContent, isSameMention, joinMentions, mentionsIn, splitText } from '../../src/core/mentions/tokens';
import { withAttachments } from '../../src/core/model/attachment';
import type { ContentBlock } from '../../src/core/model/content';
import type { LiveMention, SendWith, UnsentPrompt } from '../../src/core/protocol/view';
import { MessageHistory } from './messageHistory';
import type { ViewHost } from '../base/host';
import { Saver } from '../typing/saver';

/** The user's input before the page had loaded, from the box in the page's HTML. */
export interface InitialInput {
  readonly text: string;
  /** True when the user has asked to send it. */
  readonly send: boolean;
}

export class Draft {
  text = '';
  attachments: readonly ContentBlock[] = [];
  /** Mentions that the prompt includes while their chip is shown. */
  live: readonly LiveMention[] = [];
  sendWith: SendWith = 'enter';
  /** Inserts a token at the caret, so that undo can revert it. Returns false without a text area. Set by the composer. */
  insert: (token: string) => boolean = () => false;
  /** The selected text, in UTF-16 units, while the session is not shown. */
  selection: readonly [start: number, end: number] | undefined;
  /** The user's position in the history of sent messages. */
  readonly history = new MessageHistory();
  /** The user's draft while an earlier message replaces it. The draft is what is stored. */
  private stashedDraft: string | undefined;
  /** The earlier message that the user edits, and the draft that it replaced, which is what is stored. */
  private edited: { readonly entryId: string; readonly text: string; readonly attachments: readonly ContentBlock[] } | undefined;
  private readonly listeners = new Set<() => void>();
  /** The mentions of tokens in the text. Includes removed ones, because undo may bring a token back. */
  private known: readonly Mention[] = [];
  private readonly saver = new Saver(() => this.flush());
  /** The time of the last change; 0: no change since the page was loaded. */
  private at = 0;
  private postedAt = 0;

  /** The draft in this page's own state, until the host has sent the draft that it stores. */
  private base: { readonly at: number; readonly text: string; readonly attachments: readonly ContentBlock[] } | undefined;

  constructor(
    private readonly host: ViewHost,
    private early: InitialInput = { text: '', send: false },
  ) {
    const kept = host.load();
    if (typeof kept === 'object' && kept !== null) {
      const { draft, attachments, mentions, at } = kept as Record<'draft' | 'attachments' | 'mentions' | 'at', unknown>;
      if (typeof at === 'number') {
        this.at = this.postedAt = at;
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
    // The early text does not count as a change, because the host's draft may be newer than this page's.
    this.append(early.text);
    this.adoptEdit();
  }

  /** Continues a stored edit of an earlier message, if there is one. */
  adoptEdit(): void {
    const { edit } = (this.host.load() ?? {}) as { readonly edit?: unknown };
    const { entryId, text, mentions, attachments } = (edit ?? {}) as Record<'entryId' | 'text' | 'mentions' | 'attachments', unknown>;
    if (typeof entryId === 'string' && typeof text === 'string' && Array.isArray(mentions) && Array.isArray(attachments)) {
      const content = [...(mentions as unknown[]).filter(isKeptMention), ...(attachments as unknown[]).filter(isBlock)];
      this.stashDraft(entryId, () => this.show(text, content));
    }
  }

  /** Called with each state. When the edited message no longer exists, its edited text moves into the draft. */
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
    this.stashedDraft = undefined;
    this.changed();
  }

  /** Shows an earlier message instead of the draft, or shows the draft again. The message becomes the draft only when the user edits it. */
  showEarlier(earlier: string, mentions: readonly Mention[] = []): void {
    const kept = this.kept;
    const text = this.join(earlier, mentions);
    this.text = text;
    this.stashedDraft = this.history.isBrowsing ? this.history.typed : undefined;
    if (this.kept === kept) {
      this.post();
    } else {
      this.changed();
    }
  }

  /** True while an earlier message is shown unchanged. */
  get isRecalled(): boolean {
    return this.stashedDraft !== undefined;
  }

  /** Puts `text` before the current text. */
  restore(text: string): void {
    this.besideEdit(() => this.setText(this.text.trim() === '' ? text : `${text}\n\n${this.text}`));
  }

  /** The entry of the earlier message that is being edited. */
  get editing(): string | undefined {
    return this.edited?.entryId;
  }

  /** Shows an earlier message to be edited and sent again. The draft comes back afterwards. */
  edit(entryId: string, content: readonly ContentBlock[]): void {
    const { text, mentions, others } = inlineContent(content);
    this.stashDraft(entryId, () => this.show(text, [...mentions, ...others.map(({ block }) => block)]));
  }

  /** Ends the edit of an earlier message and shows the draft again. */
  endEdit(): void {
    if (this.edited) {
      ({ text: this.text, attachments: this.attachments } = this.edited);
      this.edited = undefined;
      this.changed();
    }
  }

  /** Returns the edited message's content and shows the draft again. */
  takeEdit(): DraftBlock[] {
    const { content } = this;
    this.endEdit();
    return content;
  }

  /** Removes a prompt that was put back ({@link restore}, {@link attach}), because it is sent in another way. Other content stays. */
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

  /** Puts a message back unchanged, before the current text. */
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

  /** Registers a mention and returns the token that represents it in the text. */
  mention(mention: Mention): string {
    return this.join(mention.token, [mention]);
  }

  /** The mentions in the text, in order. */
  get mentions(): readonly Mention[] {
    return mentionsIn(this.text, this.known);
  }

  setLive(live: readonly LiveMention[]): void {
    this.live = live;
    this.post();
  }

  detach(index: number): void {
    this.attachments = this.attachments.filter((_, at) => at !== index);
    this.changed();
  }

  /**
   * Takes the draft that the host has stored, if it is newer than the one in this page's state. Called once, with an empty draft when none is stored.
   * Text and attachments that the user has added on this page are appended.
   */
  adopt(unsent: UnsentPrompt): void {
    const isNewer = unsent.at > (this.base?.at ?? this.at);
    this.besideEdit(() => this.adoptUnsent(unsent));
    if (isNewer && unsent.edit && !this.edited) {
      const [first, ...others] = unsent.edit.content;
      this.stashDraft(unsent.edit.entryId, () => this.show(first?.type === 'text' ? first.text : '', others));
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
      this.at = this.postedAt = at;
    }
  }

  /** True when the user has asked to send the draft before the page had loaded. Only the first call returns true. */
  takeSend(): boolean {
    const { send } = this.early;
    this.early = { ...this.early, send: false };
    return send;
  }

  get empty(): boolean {
    return this.text.trim() === '' && this.attachments.length === 0;
  }

  /** The content of a prompt made from the draft. */
  get content(): DraftBlock[] {
    const { mentions } = this;
    // The message shows each file once.
    const others = this.live.map(({ mention }) => mention).filter((mention) => !mentions.some((each) => isSameMention(each, mention)));
    return [...splitText(this.text, this.known), ...this.attachments, ...others];
  }

  /** Returns the prompt's content. The draft is then empty, or is the one that a message from history had replaced. */
  take(): DraftBlock[] {
    const { content } = this;
    this.text = this.history.sent();
    this.known = this.mentions;
    this.stashedDraft = undefined;
    this.attachments = [];
    this.changed();
    this.flush();
    return content;
  }

  /** Stores the draft now. */
  flush(): void {
    this.saver.done();
    const { at, kept: text, edited } = this;
    const { attachments } = edited ?? this;
    const mentions = mentionsIn(text, this.known);
    const edit = edited && { entryId: edited.entryId, text: this.text, mentions: this.mentions, attachments: this.attachments };
    this.host.save({ draft: text, attachments, mentions, at, edit });
    if (at !== this.postedAt) {
      this.postedAt = at;
      this.host.post({ type: 'draft', ...this.unsent });
    }
  }

  /** The draft in the host's format. */
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
    return this.edited?.text ?? this.stashedDraft ?? this.text;
  }

  /** Registers these mentions. Returns `text` with the tokens that they have in this draft. */
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

  /** Replaces the draft by an earlier message. The draft comes back afterwards. */
  private stashDraft(entryId: string, show: () => void): void {
    const { text, attachments } = this.edited ?? { text: this.kept, attachments: this.attachments };
    this.history.leave();
    this.stashedDraft = undefined;
    this.edited = { entryId, text, attachments };
    show();
    this.changed();
  }

  private show(text: string, content: readonly DraftBlock[]): void {
    this.text = this.join(text, content.filter(isMention));
    this.attachments = content.filter((block) => !isMention(block));
  }

  /** Changes the draft, even while an earlier message replaces it. */
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
    // A deletion is stored at once, so that the deleted text does not come back.
    this.saver.soon(this.empty);
    this.post();
  }

  private post(): void {
    for (const listener of [...this.listeners]) {
      listener();
    }
  }
}

/** The identity of an attachment among others of its type. Its data may not be loaded. */
function sourceOf(block: ContentBlock): unknown {
  return 'uri' in block && block.uri !== undefined ? block.uri : 'mimeType' in block ? block.mimeType : undefined;
}

function isBlock(value: unknown): value is ContentBlock {
  return typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';
}

/** Checks the shape of a mention that this page has stored. The host validates it when it is sent. */
function isKeptMention(value: unknown): value is Mention {
  const { type, token, name, ref } = (value ?? {}) as Partial<Record<keyof Mention, unknown>>;
  return (
    type === 'mention' && typeof token === 'string' && token !== '' && typeof name === 'string' && typeof ref === 'object' && ref !== null
  );
}
