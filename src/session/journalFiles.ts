/** Journals as files in one folder, readable by the user only (0600 in a 0700 folder). */
import type { JournalFile } from './journal';

/** A new journal file `<key>.jsonl` in `folder`, which is made on the first write. */
export function journalFile(folder: string, key: string): JournalFile {
  let made: Promise<unknown> | undefined;
  return {
    async append(text) {
      // Loaded at the first write: opening VS Code must not touch the disk for us.
      const [fs, path] = await Promise.all([import('node:fs/promises'), import('node:path')]);
      made ??= fs.mkdir(folder, { recursive: true, mode: 0o700 });
      await made;
      await fs.appendFile(path.join(folder, `${key}.jsonl`), text, { mode: 0o600 });
    },
  };
}
