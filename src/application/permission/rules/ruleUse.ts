/** The time of the last use of each rule, in the window's memory. Writes are collected, because a turn can have many automatic answers. */
import type { Clock } from '../../../core/platform/clock';
import type { Disposable } from '../../../core/platform/disposable';

/** `ExtensionContext.globalState`. */
export interface RuleMemory {
  get<T>(key: string): T | undefined;
  update(key: string, value: unknown): PromiseLike<void>;
}

const KEY = 'permissions.ruleUse';
/** ms after which a use is stored. */
const STORE_MS = 5000;
const MAX_RULES = 2000;

type Uses = Readonly<Record<string, number>>;

export class RuleUse implements Disposable {
  private readonly uses = new Map<string, number>();
  private timer: Disposable | undefined;

  constructor(
    private readonly memory: RuleMemory,
    private readonly clock: Clock,
    private readonly onStored: () => void,
  ) {}

  record(id: string, at: number): void {
    this.uses.set(id, at);
    this.timer ??= this.clock.after(STORE_MS, () => this.store());
  }

  lastUsed(id: string): number | undefined {
    const stored = this.memory.get<Uses>(KEY) ?? {};
    const times = [this.uses.get(id), Object.hasOwn(stored, id) ? stored[id] : undefined].filter((time) => time !== undefined);
    return times.length === 0 ? undefined : Math.max(...times);
  }

  dispose(): void {
    if (this.timer) {
      this.store();
    }
  }

  /** Another window may have stored a later use meanwhile. */
  private store(): void {
    this.timer?.dispose();
    this.timer = undefined;
    const stored = this.memory.get<Uses>(KEY) ?? {};
    const all = new Map(Object.entries(stored));
    for (const [id, at] of this.uses) {
      all.set(id, Math.max(at, all.get(id) ?? 0));
    }
    this.uses.clear();
    const newest = [...all].toSorted(([, one], [, other]) => other - one).slice(0, MAX_RULES);
    void this.memory.update(KEY, Object.fromEntries(newest));
    this.onStored();
  }
}
