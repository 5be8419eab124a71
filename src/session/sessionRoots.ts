import type { Roots } from '../core/ports';

/** A session's folders. The further ones can change while it goes on: whoever holds these sees the change (RFD "Additional directories"). */
export class SessionRoots implements Roots {
  readonly cwd: string;
  private further: readonly string[] = [];

  constructor({ cwd, additionalDirectories }: Roots) {
    this.cwd = cwd;
    this.change(additionalDirectories);
  }

  get additionalDirectories(): readonly string[] {
    return this.further;
  }

  /** Exact repetitions, and `cwd` itself, are left out. */
  change(additionalDirectories: readonly string[]): void {
    this.further = [...new Set(additionalDirectories)].filter((folder) => folder !== this.cwd);
  }
}
