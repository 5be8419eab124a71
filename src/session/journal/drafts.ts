/**
 * What the user was about to say in each session, kept on disk beside the journals: it outlives a panel that is closed and a window that goes.
 */
import { parseIntent } from '../../core/protocol/intent';
import type { Disposable, Log } from '../../core/model/ports';
import type { UnsentPrompt } from '../../core/protocol/view';
import { Listeners } from '../../util/listeners';

/** Where drafts are kept. */
export interface DraftFiles {
  /** Replaces what is kept for this key; without `text` nothing is kept any more. */
  writeDraft(key: string, text: string | undefined): Promise<void>;
  readDraft(key: string): Promise<string | undefined>;
}

export class Drafts {
  private readonly drafts = new Map<string, UnsentPrompt>();
  /** Keys whose newest draft is not being written yet. */
  private readonly unwritten = new Set<string>();
  private writing: Promise<void> = Promise.resolve();
  private readonly listeners = new Listeners<[key: string]>();

  constructor(
    private readonly files: DraftFiles,
    private readonly log: Log,
  ) {}

  get(key: string): UnsentPrompt | undefined {
    return this.drafts.get(key);
  }

  set(key: string, { at, content, edit }: UnsentPrompt): void {
    this.drafts.set(key, { at, content, ...(edit && { edit }) });
    if (!this.unwritten.has(key)) {
      this.unwritten.add(key);
      this.writing = this.writing.then(() => this.write(key));
    }
    this.listeners.call(key);
  }

  /** The listener gets the key of the session whose draft the user has changed. */
  onDidChange(listener: (key: string) => void): Disposable {
    return this.listeners.add(listener);
  }

  /** Nothing is kept for this key any more. */
  forget(key: string): void {
    if (this.drafts.delete(key)) {
      this.writing = this.writing.then(() => this.write(key));
    }
  }

  /** Reads what is on disk, unless something is known already. Never rejects. */
  async load(key: string): Promise<void> {
    try {
      const text = this.drafts.has(key) ? undefined : await this.files.readDraft(key);
      const draft = text === undefined ? undefined : parseIntent({ ...(JSON.parse(text) as object), type: 'draft' });
      if (draft?.type === 'draft' && !this.drafts.has(key)) {
        const { at, content, edit } = draft;
        this.drafts.set(key, { at, content, ...(edit && { edit }) });
      }
    } catch (error) {
      this.log.warn(`The draft of ${key} cannot be read: ${String(error)}`);
    }
  }

  /** All drafts are on disk when this resolves. */
  flush(): Promise<void> {
    return this.writing;
  }

  private async write(key: string): Promise<void> {
    this.unwritten.delete(key);
    const draft = this.drafts.get(key);
    try {
      await this.files.writeDraft(key, draft && (draft.content.length > 0 || draft.edit) ? JSON.stringify(draft) : undefined);
    } catch (error) {
      this.log.error(`The draft of ${key} cannot be written: ${String(error)}`);
    }
  }
}
