/** A rule of the user, as the settings, the card and an import write it. */
import type { RuleBody, RuleScope } from '../../core/advice/advice';

export interface UserRule extends RuleBody {
  /** Short and stable. Made from the content where the rule was written without one. */
  readonly id: string;
}

/** The origin of a rule. `card`: made on a question in this window. `workspace`: `acpHost.permissions.deny` of a workspace or folder. */
export type RuleOriginName = 'settings' | 'card' | 'import' | 'workspace' | 'session';

/** A rule in the list of all rules. */
export interface StoredRule {
  readonly rule: UserRule;
  readonly scope: RuleScope;
  readonly from: RuleOriginName;
  /** ms since the epoch. */
  readonly lastUsed?: number;
  /** The reason why the rule is not in force, in the user's language. */
  readonly problem?: string;
  /** The beginning of an entry that is not a rule, as it is written. */
  readonly source?: string;
  /** True for a rule of a remote machine that the user has not confirmed. */
  readonly isUnconfirmed?: true;
}
