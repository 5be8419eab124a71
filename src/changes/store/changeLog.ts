/** The records of one session, one a line, only ever added to. A line begins with its line end, so that one that a crash cut costs only itself. */
import type { ChangeRecord } from '../../core/fileChanges/records';
import type { StoreFolder } from './storeFolder';

const NAME = 'records.jsonl';

export class ChangeLog {
  private readonly list: ChangeRecord[] = [];
  private order: Promise<void>;

  constructor(private readonly folder: StoreFolder) {
    this.order = this.load();
  }

  /** All so far, oldest first. */
  async records(): Promise<readonly ChangeRecord[]> {
    await this.order;
    return this.list;
  }

  /** It is on disk when this resolves. */
  append(record: ChangeRecord): Promise<void> {
    const added = this.order.then(async () => {
      this.list.push(record);
      await this.folder.append(NAME, Buffer.from(`\n${JSON.stringify(record)}`));
    });
    this.order = added.catch(() => undefined);
    return added;
  }

  /** All so far goes. */
  clear(): Promise<void> {
    const cleared = this.order.then(async () => {
      this.list.length = 0;
      await this.folder.remove(NAME);
    });
    this.order = cleared.catch(() => undefined);
    return cleared;
  }

  private async load(): Promise<void> {
    const bytes = await this.folder.readAll(NAME).catch(() => undefined);
    for (const line of bytes ? Buffer.from(bytes).toString().split('\n') : []) {
      try {
        this.list.push(JSON.parse(line) as ChangeRecord);
      } catch {
        // Cut by a crash, or the empty one at the beginning.
      }
    }
  }
}
