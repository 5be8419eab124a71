/** The user's rules of one window: the list, the changes, and the source for each session. */
import type { RuleBody, RuleScope } from '../../../core/advice/advice';
import type { Disposable } from '../../../core/platform/disposable';
import type { RuleSource } from '../../../policy/rule';
import type { StoredRule, UserRule } from '../../../policy/rules/userRule';
import type { RuleSession } from '../../../session/questions/questionDependencies';
import type { RecentDenial } from './denials';

export interface UserRules {
  /** Returns the source of rules for a session. */
  sourceFor(session: RuleSession): RuleSource;
  /** @param sessionId the session whose own rules are listed too @param cwd its folder, for the rules of a workspace folder */
  list(sessionId?: string, cwd?: string): readonly StoredRule[];
  /** Stores a rule. Rejects with a Fault whose detail says why the rule is not valid. */
  add(rule: RuleBody, scope: RuleScope, where: { readonly sessionId: string; readonly cwd: string }): Promise<UserRule>;
  /** Resolves to a function that restores the rule as it was written. */
  revoke(id: string): Promise<() => Promise<void>>;
  onDidChange(listener: () => void): Disposable;
  /** Puts rules of a remote machine in force, with exactly the content that the user has seen. */
  confirm(rules: readonly UserRule[]): Promise<void>;
  /** Records that a rule answered a request. */
  used(id: string, at: number): void;
  /** The last denials, newest first. */
  readonly denials: readonly RecentDenial[];
  /** Stores the rule that allows the denied request, everywhere or in its folder. */
  allowDenied(id: string, scope: RuleScope): Promise<UserRule | undefined>;
}
