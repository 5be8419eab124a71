/** The records of one session, one per line. A line begins with its line feed, so that a torn line costs only itself. */
import type { ChangeRecord } from '../../core/fileChanges/records';
import { linesIn } from './objectIndex';
import type { StoreFolder } from './storeFolder';
import { storedRecord } from './storedStates';
import { TimeSlices } from './timeSlices';

const NAME = 'records.jsonl';

/** The most files of a record that are written at once. */
const FILES_AT_ONCE = 1000;

export class ChangeLog {
  /** The known records; undefined until the file was read. */
  private list: ChangeRecord[] | undefined;
  /** The length of the file that `list` covers, in bytes. */
  private length = 0;
  private order: Promise<unknown> = Promise.resolve();

  constructor(private readonly folder: StoreFolder) {
    void this.records().catch(() => undefined);
  }

  /**
   * Returns all records on disk, oldest first.
   * @throws the disk's error when the file cannot be read; the next call tries again
   */
  records(): Promise<readonly ChangeRecord[]> {
    return this.inOrder(async () => {
      // The user may have deleted the file, and another window may have added to it.
      const isCurrent = this.list !== undefined && ((await this.folder.length(NAME)) ?? 0) === this.length;
      return isCurrent ? this.list! : (this.list = await this.load());
    });
  }

  /**
   * Resolves when the record is on disk, flushed.
   * @throws the disk's error; the record is not in {@link records} then
   */
  append(record: ChangeRecord): Promise<void> {
    return this.inOrder(async () => {
      const line = await lineOf(record);
      const { length } = await this.folder.append(NAME, line);
      if (this.list && length === this.length + line.length) {
        this.list.push(record);
        this.length = length;
      } else {
        this.list = undefined;
      }
    });
  }

  /**
   * Deletes all records except for the returned ones. Records that another window adds meanwhile stay.
   * @throws the disk's error; the records are unchanged then
   */
  keepOnly(choose: (records: readonly ChangeRecord[]) => readonly ChangeRecord[]): Promise<void> {
    return this.inOrder(async () => {
      if ((await this.folder.length(NAME)) !== undefined) {
        await this.folder.exclusive(async () => this.replaceBy(choose));
      }
      this.list = undefined;
    });
  }

  private async replaceBy(choose: (records: readonly ChangeRecord[]) => readonly ChangeRecord[]): Promise<void> {
    const file = await this.folder.readFrom(NAME, 0);
    const bytes = file?.bytes ?? Buffer.alloc(0);
    const lines = await Promise.all(choose(await recordsIn(bytes)).map(lineOf));
    await this.folder.replaceAppended(NAME, Buffer.concat(lines), file && { length: bytes.length, id: file.id });
  }

  private inOrder<T>(run: () => Promise<T>): Promise<T> {
    const result = this.order.then(run);
    this.order = result.catch(() => undefined);
    return result;
  }

  private async load(): Promise<ChangeRecord[]> {
    const bytes = (await this.folder.readAll(NAME)) ?? Buffer.alloc(0);
    const records = await recordsIn(bytes);
    this.length = bytes.length;
    return records;
  }
}

async function recordsIn(bytes: Uint8Array): Promise<ChangeRecord[]> {
  const records: ChangeRecord[] = [];
  for await (const line of linesIn(bytes, new TimeSlices())) {
    const record = recordIn(line);
    if (record) {
      records.push(record);
    }
  }
  return records;
}

/** Formats the line of a record in parts, because formatting ten thousand files at once would block the event loop. */
async function lineOf(record: ChangeRecord): Promise<Buffer> {
  if (!('files' in record) || record.files.length <= FILES_AT_ONCE) {
    return Buffer.from(`\n${JSON.stringify(record)}`);
  }
  const { files, ...others } = record;
  const pieces = [Buffer.from(`\n${JSON.stringify(others).slice(0, -1)},"files":[`)];
  for (let from = 0; from < files.length; from += FILES_AT_ONCE) {
    const part = JSON.stringify(files.slice(from, from + FILES_AT_ONCE)).slice(1, -1);
    pieces.push(Buffer.from(from === 0 ? part : `,${part}`));
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
  return Buffer.concat([...pieces, Buffer.from(']}')]);
}

/** Returns undefined for a torn line, or an invalid record. */
function recordIn(line: string): ChangeRecord | undefined {
  try {
    return storedRecord(JSON.parse(line));
  } catch {
    return undefined;
  }
}
