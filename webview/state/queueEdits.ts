/**
 * The user's edits of queued messages, until each is saved or cancelled. The host holds the messages meanwhile. The edits are stored, because VS Code
 * destroys the page of a hidden panel.
 */
import type { QueuedMessage } from '../../src/core/model/queuedMessage';
import { attachmentsOf, typedText } from '../../src/core/queue/queuedContent';
import type { SessionState } from '../../src/core/model/state';
import type { ViewHost } from '../base/host';
import { Saver } from '../typing/saver';

/** The edited state of a message. */
export interface QueueEdit {
  readonly text: string;
  /** The remaining attachments, by their indices in the message's content. */
  readonly kept: readonly number[];
}

/** saved: stored by an earlier page; asked: the host was asked to hold the message again; open: the host holds it. */
type Phase = 'saved' | 'asked' | 'open';

export class QueueEdits {
  private readonly edits = new Map<string, QueueEdit & { readonly phase: Phase }>();
  private readonly listeners = new Set<() => void>();
  private readonly saver = new Saver(() => this.flush());
  /** The message whose text gets the focus when its editor opens. */
  private focusOn: string | undefined;
  /** The message that was edited last. When its editor closes, its button gets the focus back. */
  private returnTo: string | undefined;

  constructor(private readonly host: Pick<ViewHost, 'load' | 'save' | 'post'>) {
    savedIn(host.load()).forEach(([queueId, edit]) => this.edits.set(queueId, { ...edit, phase: 'saved' }));
  }

  /** The view's stored state was replaced. Its edits override the ones here. */
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

  /** Starts the edit of a message. */
  begin({ queueId }: QueuedMessage): void {
    this.focusOn = queueId;
    this.host.post({ type: 'edit_queued', queueId });
  }

  /** True once, for the message whose edit the user has started. */
  takeFocus({ queueId }: QueuedMessage): boolean {
    const isWanted = this.focusOn === queueId;
    this.focusOn = isWanted ? undefined : this.focusOn;
    return isWanted;
  }

  /** True once, for the message whose edit the user has saved or cancelled. */
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

  /** The edit stays open until the host confirms it. */
  save(message: QueuedMessage): void {
    const { text, kept } = this.of(message);
    this.returnTo = message.queueId;
    this.host.post({ type: 'save_queued', queueId: message.queueId, text, kept });
  }

  giveUp({ queueId }: QueuedMessage): void {
    this.returnTo = queueId;
    this.host.post({ type: 'cancel_queued_edit', queueId });
  }

  /** Called with each state: forgets finished edits, and asks the host to hold messages whose edits an earlier page has stored. */
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

  /** Stores the edits now. */
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
