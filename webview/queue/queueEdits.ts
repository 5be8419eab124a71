/**
 * Queued messages that the user is changing, until each is saved or given up. The host holds them meanwhile; what is typed outlives the page, which goes when
 * its panel is hidden.
 */
import type { QueuedMessage } from '../../src/core/queue/queuedMessage';
import { attachmentsOf, typedText } from '../../src/core/queue/editing';
import type { SessionState } from '../../src/core/model/state';
import type { ViewHost } from '../host';
import { Saver } from '../typing/saver';

/** A message as the user has it now. */
export interface QueueEdit {
  readonly text: string;
  /** Of the attachments those that stay, by their places in the message's content. */
  readonly kept: readonly number[];
}

/** saved: an earlier page kept it; asked: the host was asked to hold the message again; open: the host holds it. */
type Phase = 'saved' | 'asked' | 'open';

export class QueueEdits {
  private readonly edits = new Map<string, QueueEdit & { readonly phase: Phase }>();
  private readonly listeners = new Set<() => void>();
  private readonly saver = new Saver(() => this.flush());
  /** The message whose text is to get the focus when it can be changed. */
  private focusOn: string | undefined;
  /** The message that was changed last: what it was changed with goes, and its button gets the focus back. */
  private returnTo: string | undefined;

  constructor(private readonly host: Pick<ViewHost, 'load' | 'save' | 'post'>) {
    savedIn(host.load()).forEach(([queueId, edit]) => this.edits.set(queueId, { ...edit, phase: 'saved' }));
  }

  /** What the host of the view keeps is another: what is being changed there goes before what is being changed here. */
  adopt(): void {
    savedIn(this.host.load()).forEach(([queueId, edit]) => this.edits.set(queueId, { ...edit, phase: 'saved' }));
    this.listeners.forEach((listener) => listener());
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  of({ queueId, content }: QueuedMessage): QueueEdit {
    const edit = this.edits.get(queueId);
    return edit
      ? { text: edit.text, kept: edit.kept }
      : { text: typedText(content), kept: attachmentsOf(content).map(({ index }) => index) };
  }

  /** The user wants to change it. */
  begin({ queueId }: QueuedMessage): void {
    this.focusOn = queueId;
    this.host.post({ type: 'edit_queued', queueId });
  }

  /** True once, for the message that the user wanted to change. */
  takeFocus({ queueId }: QueuedMessage): boolean {
    const isWanted = this.focusOn === queueId;
    this.focusOn = isWanted ? undefined : this.focusOn;
    return isWanted;
  }

  /** True once, for the message that the user has saved or given up. */
  takeReturn({ queueId }: QueuedMessage): boolean {
    const isWanted = this.returnTo === queueId;
    this.returnTo = isWanted ? undefined : this.returnTo;
    return isWanted;
  }

  set(message: QueuedMessage, edit: Partial<QueueEdit>): void {
    this.edits.set(message.queueId, { ...this.of(message), ...edit, phase: 'open' });
    this.saver.soon();
    this.listeners.forEach((listener) => listener());
  }

  /** Until the host says so, it is still being changed. */
  save(message: QueuedMessage): void {
    const { text, kept } = this.of(message);
    this.returnTo = message.queueId;
    this.host.post({ type: 'save_queued', queueId: message.queueId, text, kept });
  }

  giveUp({ queueId }: QueuedMessage): void {
    this.returnTo = queueId;
    this.host.post({ type: 'cancel_queued_edit', queueId });
  }

  /** Told of each state: what is over is forgotten, and the host is asked to hold what an earlier window held. */
  keep({ queue }: Pick<SessionState, 'queue'>): void {
    let isChanged = false;
    for (const [queueId, edit] of this.edits) {
      const message = queue.find((each) => each.queueId === queueId);
      if (message?.editing) {
        this.edits.set(queueId, { ...edit, phase: 'open' });
      } else if (message && edit.phase === 'saved') {
        this.edits.set(queueId, { ...edit, phase: 'asked' });
        this.host.post({ type: 'edit_queued', queueId });
      } else if (message ? edit.phase === 'open' : edit.phase !== 'saved') {
        isChanged = this.edits.delete(queueId);
      }
    }
    if (isChanged) {
      this.flush();
    }
  }

  /** Keeps it now. */
  flush(): void {
    this.saver.done();
    this.host.save({ queueEdits: [...this.edits].map(([queueId, { text, kept }]) => [queueId, { text, kept }]) });
  }
}

function savedIn(state: unknown): [string, QueueEdit][] {
  const saved = typeof state === 'object' && state !== null ? (state as { queueEdits?: unknown }).queueEdits : undefined;
  return Array.isArray(saved) ? (saved as unknown[]).filter(isSaved) : [];
}

function isSaved(value: unknown): value is [string, QueueEdit] {
  if (!Array.isArray(value) || typeof value[0] !== 'string' || typeof value[1] !== 'object' || value[1] === null) {
    return false;
  }
  const { text, kept } = value[1] as { text?: unknown; kept?: unknown };
  return typeof text === 'string' && Array.isArray(kept) && kept.every((index) => typeof index === 'number');
}
