/** The files that the user has agreed to show to the agent of one session. */
import type { Disposable } from '../core/platform/disposable';
import { identityOf, isSameFile, type FileIdentity } from '../util/checkedFiles';
import { realPathOf } from '../util/realPath';

/** Consents to reading. Each belongs to a file, by real path, device and inode: another file that takes the path has none. */
export class Consents {
  /** The files that the user has agreed to, by real path. */
  private readonly files = new Map<string, FileIdentity>();
  private readonly listeners = new Set<() => void>();

  constructor(private readonly identify: (path: string) => Promise<FileIdentity | undefined> = identityOf) {}

  /** Records that the user agreed to this file being read for the rest of the session. */
  agree(file: FileIdentity): void {
    this.files.set(file.real, file);
    this.listeners.forEach((listener) => listener());
  }

  /** True when the user has agreed to this very file. */
  has(file: FileIdentity): boolean {
    const agreed = this.files.get(file.real);
    return agreed !== undefined && isSameFile(agreed, file);
  }

  /** True when the user has agreed to the file that is at this real path now. Never rejects. */
  async mayRead(real: string): Promise<boolean> {
    const file = this.files.has(real) ? await this.identify(real) : undefined;
    return file?.real === real && this.has(file);
  }

  /** Resolves to the real path that `path` leads to now, when the user has agreed to that very file. Undefined for other files. Never rejects. */
  async agreedFile(path: string): Promise<string | undefined> {
    const real = this.files.size > 0 ? await realPathOf(path).catch(() => undefined) : undefined;
    return real !== undefined && (await this.mayRead(real)) ? real : undefined;
  }

  /** Notifies of each new consent. */
  onDidAgree(listener: () => void): Disposable {
    this.listeners.add(listener);
    return { dispose: () => void this.listeners.delete(listener) };
  }
}
