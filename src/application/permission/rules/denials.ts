/** The requests that were denied in this window, newest first. */
import type { RuleBody } from '../../../core/advice/advice';
import type { Clock } from '../../../core/platform/clock';

/** A request that was denied, by a rule or by the user. */
export interface RecentDenial {
  readonly id: string;
  /** ms since the epoch. */
  readonly at: number;
  readonly sessionId: string;
  /** The session's folder. */
  readonly cwd: string;
  /** The command, the path, the address or the tool, as the agent described it. */
  readonly title: string;
  /** The rule that denied it, in words. Undefined where the user did. */
  readonly rule?: string;
  /** The id of the user's rule. Undefined for a permission mode and for an earlier answer. */
  readonly ruleId?: string;
  /** The code of the rule's reason. */
  readonly code?: string;
  /** The rule that would allow it. Undefined where none can be offered. */
  readonly allow?: RuleBody;
  /** The rule that would deny it from now on. Undefined where a rule has denied it, and where none can be offered. */
  readonly deny?: RuleBody;
}

const MAX_DENIALS = 50;

export class Denials {
  private list: readonly RecentDenial[] = [];
  private count = 0;

  constructor(
    private readonly clock: Clock,
    private readonly onChange: () => void,
  ) {}

  get all(): readonly RecentDenial[] {
    return this.list;
  }

  get(id: string): RecentDenial | undefined {
    return this.list.find((denial) => denial.id === id);
  }

  add(denial: Omit<RecentDenial, 'id' | 'at'>): void {
    this.list = [{ ...denial, id: `denial-${++this.count}`, at: this.clock.now() }, ...this.list].slice(0, MAX_DENIALS);
    this.onChange();
  }
}
