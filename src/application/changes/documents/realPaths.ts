/** Where the paths of documents really lead: looked up once each, because an editor's keystroke cannot wait for the disk. */
import path from 'node:path';
import { realPathOf } from '../../../util/realPath';

const MAX_KNOWN = 5000;

/** The path of a file, link or folder that may be gone: its folder's real path, and its own name. A link is a file of its own. */
export async function entryPathOf(name: string): Promise<string> {
  const folder = await realPathOf(path.dirname(name)).catch(() => path.dirname(name));
  return path.join(folder, path.basename(name));
}

export class RealPaths {
  private readonly known = new Map<string, string>();

  /** @param found a path turned out to lead elsewhere */
  constructor(private readonly found: (path: string, real: string) => void) {}

  /** The path itself until it is known better. */
  of(path: string): string {
    const real = this.known.get(path);
    if (real === undefined) {
      if (this.known.size >= MAX_KNOWN) {
        this.known.clear();
      }
      this.known.set(path, path);
      void this.learn(path);
    }
    return real ?? path;
  }

  async learn(path: string): Promise<string> {
    const real = await realPathOf(path).catch(() => path);
    const isNews = this.known.get(path) !== real;
    this.known.set(path, real);
    if (isNews && real !== path) {
      this.found(path, real);
    }
    return real;
  }
}
