/** The audit's entries about the user's rules: the rules that are new in their list, and those that are gone. */
import type { Clock } from '../../../core/platform/clock';
import type { Disposable } from '../../../core/platform/disposable';
import type { StoredRule } from '../../../policy/rules/userRule';
import { userRuleText } from '../../../text/messages/userRules';
import type { TranslateVerbatim } from '../../../text/messages/translate';
import type { UserRules } from '../rules/userRules';
import type { AuditEntry } from './auditEntry';

interface RuleAuditDependencies {
  readonly rules: Pick<UserRules, 'list' | 'onDidChange'>;
  readonly t: TranslateVerbatim;
  /** The sessions, which may have rules of their own. */
  sessions(): readonly { readonly key: string; readonly agentName: string; readonly roots: { readonly cwd: string } }[];
  /** False in a window in the background: each window sees a change of the settings, and one of them records it. */
  isMeant(): boolean;
  readonly clock: Clock;
  record(entry: AuditEntry): void;
}

type Known = Pick<AuditEntry, 'sessionId' | 'agent' | 'title' | 'ruleId'>;

/** The delay in ms in which a rule that is being written to the settings may come and go. */
const SETTLE_MS = 1000;

/** Records the changes of the rules until disposed. The rules that exist already are no change. */
export function auditRules(deps: RuleAuditDependencies): Disposable {
  let known = rulesNow(deps);
  let timer: Disposable | undefined;
  const record = (rules: ReadonlyMap<string, Known>, others: ReadonlyMap<string, Known>, outcome: 'added' | 'revoked'): void => {
    for (const [id, rule] of rules) {
      if (!others.has(id)) {
        deps.record({ ...rule, at: deps.clock.now(), kind: 'rule', outcome });
      }
    }
  };
  const changes = deps.rules.onDidChange(() => {
    const isMeant = deps.isMeant();
    timer ??= deps.clock.after(SETTLE_MS, () => {
      timer = undefined;
      const before = known;
      known = rulesNow(deps);
      if (isMeant) {
        record(known, before, 'added');
        record(before, known, 'revoked');
      }
    });
  });
  return {
    dispose: () => {
      changes.dispose();
      timer?.dispose();
    },
  };
}

function rulesNow({ rules, sessions, t }: RuleAuditDependencies): ReadonlyMap<string, Known> {
  const entryOf = ({ rule }: StoredRule, sessionId: string, agent: string): [string, Known] => [
    JSON.stringify([sessionId, rule.id]),
    { sessionId, agent: rule.agent ?? agent, title: userRuleText(rule, t), ruleId: rule.id },
  ];
  return new Map([
    ...rules.list().map((stored) => entryOf(stored, '', '')),
    ...sessions().flatMap(({ key, agentName, roots }) =>
      rules
        .list(key, roots.cwd)
        .filter(({ scope }) => scope === 'session')
        .map((stored) => entryOf(stored, key, agentName)),
    ),
  ]);
}
