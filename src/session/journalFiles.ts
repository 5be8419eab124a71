/** Journals as files in one folder, readable by the user only (0600 in a 0700 folder). */
import type { JournalFile } from './journal';
import type { Journals } from './sessions';

export class JournalFiles implements Journals {
  constructor(
    /** Absolute; made on the first write. */
    private readonly folder: string,
  ) {}

  file(key: string): JournalFile {
    let made: Promise<unknown> | undefined;
    return {
      append: async (text) => {
        const { fs, path } = await files(key);
        made ??= fs.mkdir(this.folder, { recursive: true, mode: 0o700 });
        await made;
        await fs.appendFile(path.join(this.folder, `${key}.jsonl`), text, { mode: 0o600 });
      },
    };
  }

  async read(key: string): Promise<string | undefined> {
    const { fs, path } = await files(key);
    try {
      return await fs.readFile(path.join(this.folder, `${key}.jsonl`), 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
        return undefined;
      }
      throw error;
    }
  }
}

/** Loaded at the first use: opening VS Code must not touch the disk for us. A key comes back from a panel's saved state, so it is checked. */
async function files(key: string): Promise<{ fs: typeof import('node:fs/promises'); path: typeof import('node:path') }> {
  if (!/^[a-z0-9-]{1,64}$/.test(key)) {
    throw new RangeError(`not a session key: ${key}`);
  }
  const [fs, path] = await Promise.all([import('node:fs/promises'), import('node:path')]);
  return { fs, path };
}
