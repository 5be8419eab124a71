/** The storage of a scenario's sessions, in memory. */
import type { JournalFile } from '../../../src/session/journal/journal';
import type { JournalHeader } from '../../../src/session/journal/journalHeader';
import type { Journals } from '../../../src/session/journal/journals';

export class MemoryJournals implements Journals {
  private readonly texts = new Map<string, string>();
  private readonly queues = new Map<string, string>();

  /** @param onFirst called with the first write to a journal */
  constructor(private readonly onFirst: (key: string) => void) {}

  text(key: string): string {
    return this.texts.get(key) ?? '';
  }

  file({ key }: JournalHeader): JournalFile {
    return {
      append: async (text) => {
        const isFirst = !this.texts.has(key);
        this.texts.set(key, this.text(key) + text);
        if (isFirst) {
          this.onFirst(key);
        }
      },
      replace: async (text) => void this.texts.set(key, text),
      describe: async () => undefined,
    };
  }

  async *portions(key: string): AsyncIterable<readonly string[]> {
    yield this.text(key).split('\n');
  }

  async remove(): Promise<void> {
    // Scenarios remove nothing.
  }

  acquire(): Promise<boolean> {
    return Promise.resolve(true);
  }

  async release(): Promise<void> {
    // A scenario has one window only.
  }

  isTaken(): boolean {
    return false;
  }

  onRequested(): void {
    // A scenario has no other owner.
  }

  async readQueue(key: string): Promise<string | undefined> {
    return this.queues.get(key);
  }

  async writeQueue(key: string, text: string | undefined): Promise<void> {
    if (text === undefined) {
      this.queues.delete(key);
    } else {
      this.queues.set(key, text);
    }
  }
}
