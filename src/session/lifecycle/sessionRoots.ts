import type { Roots } from '../../core/model/roots';
import { RootPins } from '../../util/rootPins';

/**
 * A session's folders. Each is pinned to the directory that its path resolved to when the user agreed to it. The additional folders can change
 * during the session; holders of this object see the change (RFD "Additional directories").
 */
export class SessionRoots implements Roots {
  readonly cwd: string;
  private further: readonly string[] = [];

  /** @param pins exist already when the user was asked about these folders */
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

  /** Pins the folders that are not pinned yet. */
  pin(): void {
    [this.cwd, ...this.further].forEach((folder) => void this.pins.of(folder));
  }

  /** Replaces the additional folders, without duplicates and `cwd`. A folder that was removed and is added again is pinned again. */
  change(additionalDirectories: readonly string[]): void {
    this.further = this.furtherOf(additionalDirectories);
    this.pins.keep([this.cwd, ...this.further]);
  }

  private furtherOf(folders: readonly string[]): readonly string[] {
    return [...new Set(folders)].filter((folder) => folder !== this.cwd);
  }
}
