/** The unsent prompt of each session, stored on disk beside the journals. It survives closing the panel and the window. */
import { parseIntent } from '../../core/protocol/intent';
import type { Disposable } from '../../core/platform/disposable';
import type { Log } from '../../core/platform/log';
import type { UnsentPrompt } from '../../core/protocol/view';
import { Listeners } from '../../core/platform/listeners';
import { emptiedDraft } from './emptiedDraft';

/** The storage of the drafts. */
export interface DraftFiles {
  /** Replaces the stored draft of this key; deletes it when `text` is undefined. */
  writeDraft(key: string, text: string | undefined): Promise<void>;
  readDraft(key: string): Promise<string | undefined>;
}

export class Drafts {
  private readonly drafts = new Map<string, UnsentPrompt>();
  /** Keys whose newest draft is waiting to be written. */
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

  /** Deletes the draft of this key. */
  forget(key: string): void {
    if (this.drafts.delete(key)) {
      this.writing = this.writing.then(() => this.write(key));
    }
  }

  /** Reads the draft from disk, unless one is in memory. Never rejects. */
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

  /** Resolves when all drafts are on disk. */
  flush(): Promise<void> {
    return this.writing;
  }

  private async write(key: string): Promise<void> {
    this.unwritten.delete(key);
    const draft = this.drafts.get(key);
    try {
      await this.files.writeDraft(key, draft && textOf(draft));
    } catch (error) {
      this.log.error(`The draft of ${key} cannot be written: ${String(error)}`);
    }
  }
}

function textOf(draft: UnsentPrompt): string {
  return draft.content.length > 0 || draft.edit ? JSON.stringify(draft) : emptiedDraft(draft.at);
}
