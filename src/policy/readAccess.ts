/** Decides whether the text of a session's files may be sent to its agent. The results are cached for callers that cannot wait. */
import type { Disposable } from '../core/platform/disposable';
import type { Roots } from '../core/model/roots';
import { Policy } from './policy';
import { linksOnDisk, ProtectedPaths } from './protection/protectedPaths';
import { protectedPathSource } from './protectedPathSource';
import { ProtectedRules } from './protection/protectedRules';
import { consentSource } from './sessionPermissions';
import { realPathOf, remembering } from '../util/realPath';
import type { Consents } from './consents';

export interface ReadAccessDependencies {
  readonly roots: Roots;
  readonly consents: Pick<Consents, 'mayRead' | 'onDidAgree'>;
  /** The user's own `acpHost.protectedPaths`, not validated. */
  setting(): unknown;
  /** The session's name of a file. @param real its real path */
  nameOf(real: string): string;
  /** ms since the epoch. */
  now?(): number;
}

/**
 * Resolves to true when the text of a file may be sent to the session's agent: no rule protects it from reading, or the user agreed to it. False
 * when the check failed. Never rejects.
 * @param file absolute, as the user named it
 */
export async function maySendText(
  file: string,
  { roots, consents, setting }: Pick<ReadAccessDependencies, 'roots' | 'setting'> & { readonly consents: Pick<Consents, 'mayRead'> },
): Promise<boolean> {
  try {
    const real = await realPathOf(file);
    const paths = new ProtectedPaths(roots, new ProtectedRules(setting()));
    return (await sendPolicy(roots, paths, consents).decide({ kind: 'send', asked: file, path: real })).effect === 'allow';
  } catch {
    return false;
  }
}

/** Returns the policy for texts that ACP Host sends. */
function sendPolicy(roots: Roots, paths: ProtectedPaths, consents: Pick<Consents, 'mayRead'>): Policy {
  return new Policy({ roots }, [protectedPathSource(() => paths), consentSource(consents)]);
}

/** `free`: no rule protects the file from reading. `agreed`: the user agreed to reading it. `withheld`: neither. */
type Verdict = 'free' | 'agreed' | 'withheld';

interface Checked {
  readonly verdict: Verdict;
  /** ms since the epoch. */
  readonly at: number;
}

/** ms for which a verdict is not checked again. A consent is always checked, because it belongs to the file that is there now. */
const FRESH_MS = 2000;

export class ReadAccess implements Disposable {
  private readonly checked = new Map<string, Checked>();
  /** Paths whose check has not begun. */
  private readonly waiting = new Set<string>();
  private readonly listeners = new Set<() => void>();
  private readonly subscription: Disposable;
  private readonly now: () => number;
  private checking: Promise<void> | undefined;
  /** The setting that the verdicts are based on. */
  private setting: string;
  private disposed = false;

  constructor(private readonly deps: ReadAccessDependencies) {
    this.now = deps.now ?? Date.now;
    this.setting = this.settingNow;
    this.subscription = deps.consents.onDidAgree(() => this.recheck([...this.checked.keys()]));
  }

  /**
   * Returns true when the text of all these files may be sent: no rule protects them from reading, or the user agreed to it. Returns false while a
   * check runs or when it failed. Starts the check of paths that were never checked.
   * @param paths real paths
   */
  maySend(paths: readonly string[]): boolean {
    this.applySetting();
    const verdicts = paths.map((path) => this.checked.get(path)?.verdict);
    this.check(paths.filter((_, at) => verdicts[at] === undefined));
    return verdicts.every((verdict) => verdict === 'free' || verdict === 'agreed');
  }

  /** Checks the files again that may have changed, by themselves or by a link on their path. */
  refresh(paths: readonly string[]): void {
    this.applySetting();
    const stale = paths.filter((path) => {
      const known = this.checked.get(path);
      return known?.verdict !== 'free' || this.now() - known.at >= FRESH_MS;
    });
    this.recheck(stale);
  }

  /** Notifies when the result of {@link maySend} may have changed. */
  onDidChange(listener: () => void): Disposable {
    this.listeners.add(listener);
    return { dispose: () => void this.listeners.delete(listener) };
  }

  /** Resolves when no check runs. */
  async settled(): Promise<void> {
    while (this.checking) {
      await this.checking;
    }
  }

  dispose(): void {
    this.disposed = true;
    this.subscription.dispose();
    this.listeners.clear();
  }

  private get settingNow(): string {
    return JSON.stringify(this.deps.setting() ?? null);
  }

  /** Discards the verdicts when the setting has changed. */
  private applySetting(): void {
    const now = this.settingNow;
    if (now !== this.setting) {
      this.setting = now;
      const paths = [...this.checked.keys()];
      this.checked.clear();
      this.check(paths);
    }
  }

  /** Checks paths again. A consent belongs to the earlier file, and the path may hold another one now, so its verdict is void until then. */
  private recheck(paths: readonly string[]): void {
    for (const path of paths) {
      if (this.checked.get(path)?.verdict === 'agreed') {
        this.checked.delete(path);
      }
    }
    this.check(paths);
  }

  private check(paths: readonly string[]): void {
    paths.forEach((path) => this.waiting.add(path));
    if (this.waiting.size > 0 && !this.checking && !this.disposed) {
      this.checking = this.checkWaiting().finally(() => (this.checking = undefined));
    }
  }

  private async checkWaiting(): Promise<void> {
    while (this.waiting.size > 0 && !this.disposed) {
      const paths = [...this.waiting];
      this.waiting.clear();
      const { setting } = this;
      const verdictOf = this.verdicts();
      const verdicts = await Promise.all(paths.map((path) => verdictOf(path).catch((): Verdict => 'withheld')));
      if (setting !== this.setting) {
        paths.forEach((path) => this.waiting.add(path));
        continue;
      }
      const at = this.now();
      let isChanged = false;
      paths.forEach((path, index) => {
        const verdict = verdicts[index]!;
        // A newer request for the same path waits for its own check, because the file may have changed since this one.
        if (verdict !== 'agreed' || !this.waiting.has(path)) {
          isChanged ||= this.checked.get(path)?.verdict !== verdict;
          this.checked.set(path, { verdict, at });
        }
      });
      if (isChanged) {
        this.listeners.forEach((listener) => listener());
      }
    }
  }

  /** Returns a function that checks paths and reads each folder once for all of them. */
  private verdicts(): (path: string) => Promise<Verdict> {
    const { roots, consents, nameOf } = this.deps;
    const system = remembering();
    const links = new Map<string, Promise<readonly string[]>>();
    const linksIn = (folder: string): Promise<readonly string[]> => {
      const found = links.get(folder) ?? linksOnDisk(folder);
      links.set(folder, found);
      return found;
    };
    const paths = new ProtectedPaths(roots, new ProtectedRules(this.deps.setting()), system, linksIn);
    const policy = sendPolicy(roots, paths, consents);
    return async (path) => {
      // The path resolves to another file than when it was recorded, so its text may come from that file.
      if ((await realPathOf(path, system)) !== path) {
        return 'withheld';
      }
      const { effect, answered } = await policy.decide({ kind: 'send', asked: nameOf(path), path });
      return effect !== 'allow' ? 'withheld' : answered ? 'agreed' : 'free';
    };
  }
}
