/** The record about rules in the memory of all windows: where a rule was made, and which rules of a remote machine the user has confirmed. */
import type { Clock } from '../../../core/platform/clock';
import type { Disposable } from '../../../core/platform/disposable';
import type { RuleOriginName, UserRule } from '../../../policy/rules/userRule';
import { textOf } from './ruleChecks';
import type { RuleMemory } from './ruleUse';

const ORIGINS = 'permissions.ruleOrigins';
const CONFIRMED = 'permissions.confirmedRules';
const MAX_REMEMBERED = 2000;
/** ms after which the record is read back. VS Code stores the whole memory of the window that writes last. */
const READ_BACK_MS = [1000, 5000] as const;

type Origins = Readonly<Record<string, RuleOriginName>>;

export class RuleRecord implements Disposable {
  private readonly timers = new Set<Disposable>();

  constructor(
    private readonly memory: RuleMemory,
    private readonly clock: Clock,
    private readonly onRestored: () => void,
  ) {}

  get origins(): Origins {
    return this.memory.get<Origins>(ORIGINS) ?? {};
  }

  /** The texts of the confirmed rules. Another list after each change by any window. */
  get confirmed(): readonly string[] {
    return this.memory.get<readonly string[]>(CONFIRMED) ?? NONE;
  }

  /** Records rules that the user has made or confirmed in this window. A remote machine cannot add to this record. */
  async confirm(rules: readonly UserRule[]): Promise<void> {
    await this.add(CONFIRMED, () => {
      const known = new Set(this.confirmed);
      const added = rules.map(textOf).filter((text) => !known.has(text));
      return added.length === 0 ? undefined : [...known, ...added].slice(-MAX_REMEMBERED);
    });
  }

  async addOrigin(rules: readonly UserRule[], from: RuleOriginName): Promise<void> {
    await this.add(ORIGINS, () => {
      const { origins } = this;
      const added = rules.filter(({ id }) => origins[id] === undefined).map(({ id }) => [id, from] as const);
      return added.length === 0 ? undefined : Object.fromEntries([...Object.entries(origins), ...added].slice(-MAX_REMEMBERED));
    });
  }

  dispose(): void {
    this.timers.forEach((timer) => timer.dispose());
  }

  /** @param next returns the new value. Undefined when the memory has it. */
  private async add(key: string, next: () => unknown): Promise<void> {
    const value = next();
    if (value !== undefined) {
      await this.memory.update(key, value);
    }
    for (const ms of READ_BACK_MS) {
      const timer = this.clock.after(ms, () => {
        this.timers.delete(timer);
        const lost = next();
        if (lost !== undefined) {
          void this.memory.update(key, lost);
          this.onRestored();
        }
      });
      this.timers.add(timer);
    }
  }
}

const NONE: readonly string[] = [];
