import type { Roots } from '../../core/model/ports';
import { RootPins } from '../../util/rootPins';

/**
 * A session's folders, pinned: each is what its path led to when it was agreed to. The further ones can change while it goes on: whoever holds
 * these sees the change (RFD "Additional directories").
 */
export class SessionRoots implements Roots {
  readonly cwd: string;
  private further: readonly string[] = [];

  /** `pins`: made already, when the user was asked about these folders. */
  constructor(
    { cwd, additionalDirectories }: Roots,
    readonly pins = new RootPins(),
  ) {
    this.cwd = cwd;
    this.further = this.furtherOf(additionalDirectories);
  }

  get additionalDirectories(): readonly string[] {
    return this.further;
  }

  /** Looks at those that are not pinned yet. */
  pin(): void {
    [this.cwd, ...this.further].forEach((folder) => void this.pins.of(folder));
  }

  /** Exact repetitions, and `cwd` itself, are left out. Who goes and comes again is pinned anew. */
  change(additionalDirectories: readonly string[]): void {
    this.further = this.furtherOf(additionalDirectories);
    this.pins.keep([this.cwd, ...this.further]);
  }

  private furtherOf(folders: readonly string[]): readonly string[] {
    return [...new Set(folders)].filter((folder) => folder !== this.cwd);
  }
}
