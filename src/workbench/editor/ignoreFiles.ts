/** What a folder's `.gitignore` and `.ignore` files leave out of a search: VS Code's search for extensions does not read them. */
import ignore, { type Ignore } from 'ignore';
import { excludedByIgnoreFile } from './fileGlobs';

/** The later one counts more. */
const NAMES = ['.gitignore', '.ignore'];
/** UTF-16 units of an ignore file that are read. */
const MAX_TEXT = 256 * 1024;
const MAX_PATTERNS = 2000;
const MAX_PATTERN = 500;
/** A pattern becomes a regular expression, and one with many stars takes ages on a long name: a repository could hold up the window by it. */
const MAX_STARS = 3;

/** Reads a file, by its path from the root of the search with "/"; undefined when there is none. */
export type ReadFile = (path: string) => Promise<string | undefined>;

interface Rules {
  readonly ignore: Ignore;
  /** What a search need not go into. */
  readonly globs: readonly string[];
}

/** The ignore files of one root, read as they are needed, each once. */
export class IgnoreFiles {
  /** By folder, "" or with a "/" at its end. */
  private readonly folders = new Map<string, Promise<Rules | undefined>>();

  /** @param names what ignore files are called here; a later one counts more */
  constructor(
    private readonly read: ReadFile,
    private readonly names: readonly string[] = NAMES,
  ) {}

  /** What a search from the root need not go into, as far as is known by now. */
  async globs(): Promise<string[]> {
    await this.rulesOf('');
    const rules = await Promise.all(this.folders.values());
    return rules.flatMap((each) => each?.globs ?? []);
  }

  /** Whether `path` (from the root, with "/") or a folder that it is in is ignored; the nearest file that says something about it counts. */
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
