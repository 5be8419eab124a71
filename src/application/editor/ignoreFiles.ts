/** Applies a folder's `.gitignore` and `.ignore` files to a search, because VS Code's search API for extensions does not read them. */
import ignore, { type Ignore } from 'ignore';
import { excludedByIgnoreFile } from './fileGlobs';

/** The later file has precedence. */
const NAMES = ['.gitignore', '.ignore'];
/** The number of UTF-16 units that are read of an ignore file. */
const MAX_TEXT = 256 * 1024;
const MAX_PATTERNS = 2000;
const MAX_PATTERN = 500;
/** A pattern becomes a regular expression. With many stars it is very slow on a long name, so a repository could block the window. */
const MAX_STARS = 3;

/** Reads a file by its path from the root of the search, with "/". Resolves to undefined when the file does not exist. */
export type ReadFile = (path: string) => Promise<string | undefined>;

interface Rules {
  readonly ignore: Ignore;
  /** The patterns that the search itself can exclude. */
  readonly globs: readonly string[];
}

/** The ignore files of one root. Each is read once, on demand. */
export class IgnoreFiles {
  /** The rules by folder, "" or with a trailing "/". */
  private readonly folders = new Map<string, Promise<Rules | undefined>>();

  /** @param names the names of ignore files; a later one has precedence */
  constructor(
    private readonly read: ReadFile,
    private readonly names: readonly string[] = NAMES,
  ) {}

  /** Returns the patterns that a search from the root can exclude, from the ignore files read so far. */
  async globs(): Promise<string[]> {
    await this.rulesOf('');
    const rules = await Promise.all(this.folders.values());
    return rules.flatMap((each) => each?.globs ?? []);
  }

  /**
   * Resolves to true when `path` (from the root, with "/") or one of its folders is ignored. The nearest ignore file with a matching pattern
   * decides.
   */
  async ignores(path: string): Promise<boolean> {
    const parts = path.split('/');
    for (let length = 1; length <= parts.length; length++) {
      const isFolder = length < parts.length;
      if (await this.ignoresOne(parts.slice(0, length), isFolder)) {
        return true;
      }
    }
    return false;
  }

  private async ignoresOne(parts: readonly string[], isFolder: boolean): Promise<boolean> {
    let ignored = false;
    for (let depth = 0; depth < parts.length; depth++) {
      const rules = await this.rulesOf(
        parts
          .slice(0, depth)
          .map((part) => `${part}/`)
          .join(''),
      );
      const verdict = rules?.ignore.test(parts.slice(depth).join('/') + (isFolder ? '/' : ''));
      ignored = verdict?.ignored ? true : verdict?.unignored ? false : ignored;
    }
    return ignored;
  }

  private rulesOf(folder: string): Promise<Rules | undefined> {
    const known = this.folders.get(folder);
    if (known) {
      return known;
    }
    const rules = this.readRules(folder);
    this.folders.set(folder, rules);
    return rules;
  }

  private async readRules(folder: string): Promise<Rules | undefined> {
    const texts = await Promise.all(this.names.map((name) => this.read(folder + name).catch(() => undefined)));
    const found = texts.flatMap((text) => (text === undefined ? [] : text.slice(0, MAX_TEXT)));
    if (found.length === 0) {
      return undefined;
    }
    const all = found
      .flatMap((text) => text.split(/\r?\n/))
      .filter((line) => line.length <= MAX_PATTERN && (line.match(/\*+/g)?.length ?? 0) <= MAX_STARS)
      .slice(0, MAX_PATTERNS)
      .join('\n');
    return { ignore: ignore().add(all), globs: excludedByIgnoreFile(all, folder) };
  }
}
