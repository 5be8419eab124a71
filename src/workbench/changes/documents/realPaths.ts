/** Where the paths of documents really lead: looked up once each, because an editor's keystroke cannot wait for the disk. */
import { realPathOf } from '../../../util/realPath';

const MOST = 5000;

export class RealPaths {
  private readonly known = new Map<string, string>();

  /** @param found a path turned out to lead elsewhere */
  constructor(private readonly found: (path: string, real: string) => void) {}

  /** The path itself until it is known better. */
  of(path: string): string {
    const real = this.known.get(path);
    if (real === undefined) {
      if (this.known.size >= MOST) {
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
