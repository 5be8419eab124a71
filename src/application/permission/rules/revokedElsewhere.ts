/** The permissions that another window has just revoked, until the settings of this window have that change. */
import type { Clock } from '../../../core/platform/clock';
import type { Disposable } from '../../../core/platform/disposable';
import { parseRules } from '../../../policy/rules/parseRules';
import type { UserRule } from '../../../policy/rules/userRule';
import type { RuleLists } from './ruleLists';

/** ms after which this window's settings have what another window wrote. */
const SEEN_MS = 10_000;

export class RevokedElsewhere implements Disposable {
  private readonly subscription: Disposable;
  private timer: Disposable | undefined;
  /** The ids of the rules that the other window has left in the settings. */
  private left: ReadonlySet<string> | undefined;

  constructor(
    lists: Pick<RuleLists, 'onDidWriteRules'>,
    private readonly clock: Clock,
    private readonly onChange: () => void,
  ) {
    this.subscription = lists.onDidWriteRules((value) => this.write(parseRules(value).ids));
  }

  /** Only a permission ends early. A denial holds until the settings lack it. */
  has({ id, effect }: UserRule): boolean {
    return effect === 'allow' && this.left !== undefined && !this.left.has(id);
  }

  /** Called with the ids that the settings of this window have now. */
  see(ids: readonly string[]): void {
    if (this.left && ids.every((id) => this.left!.has(id))) {
      this.forget();
    }
  }

  /** Called after a write of this window, which was made to the newest rules. */
  forget(): void {
    this.left = undefined;
    this.timer?.dispose();
  }

  dispose(): void {
    this.subscription.dispose();
    this.timer?.dispose();
  }

  private write(ids: readonly string[]): void {
    this.forget();
    this.left = new Set(ids);
    this.timer = this.clock.after(SEEN_MS, () => {
      this.forget();
      this.onChange();
    });
    this.onChange();
  }
}
