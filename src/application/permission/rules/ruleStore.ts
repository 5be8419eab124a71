/** The user's rules of one window: those of the settings, those of its sessions, and their use. */
import type { RuleBody, RuleScope } from '../../../core/advice/advice';
import { fault } from '../../../core/model/failure';
import type { Clock } from '../../../core/platform/clock';
import type { Disposable } from '../../../core/platform/disposable';
import type { ProtectedRules } from '../../../policy/protection/protectedRules';
import type { RuleSource } from '../../../policy/rule';
import type { CommandJudge, CommandRule } from '../../../policy/rules/commandJudge';
import { type BrokenRule, parseRules, readRule, withoutExamples, withoutRule } from '../../../policy/rules/parseRules';
import { repositoryOf } from '../../../policy/rules/repository';
import { type RulesNow, UserRuleSource } from '../../../policy/rules/userRuleSource';
import type { RuleOriginName, StoredRule, UserRule } from '../../../policy/rules/userRule';
import type { RuleSession } from '../../../session/questions/questionDependencies';
import { userRuleText } from '../../../text/messages/userRules';
import type { SettingChanges } from '../../shared/settingChanges';
import type { TranslateVerbatim } from '../../shared/translate';
import { Denials, type RecentDenial } from './denials';
import { RuleChecks, textOf } from './ruleChecks';
import { RevokedElsewhere } from './revokedElsewhere';
import { RuleLists } from './ruleLists';
import { type Problem, problemText } from './ruleProblems';
import { RuleRecord } from './ruleRecord';
import type { DenySetting, RuleSettings } from './ruleSettings';
import { type RuleMemory, RuleUse } from './ruleUse';
import type { UserRules } from './userRules';

export interface RuleStoreDependencies {
  readonly settings: RuleSettings;
  /** Changes the settings in turn with the other windows. */
  readonly changes: Pick<SettingChanges, 'change' | 'onDidWrite'>;
  readonly memory: RuleMemory;
  readonly clock: Clock;
  readonly t: TranslateVerbatim;
  /** Loads the reader of command lines. */
  judge(): Promise<CommandJudge>;
  /** The user's protected paths as they are now. */
  protectedRules?(): ProtectedRules | Promise<ProtectedRules>;
  /** Reports rules that are not in force. Called when they change. */
  warn?(problems: readonly StoredRule[], areAllowsSuspended: boolean): void;
}

/** ms in which another window's confirmation of a rule arrives, which may be later than the rule itself. */
const CONFIRMATION_MS = 1500;

export class RuleStore implements UserRules, Disposable {
  private readonly listeners = new Set<() => void>();
  private readonly ofSessions = new Map<string, readonly UserRule[]>();
  /** The rules in force by session, until something changes. */
  private readonly inForce = new Map<string, RulesNow>();
  /** Rules that are being removed from the settings. They have no effect from now on. */
  private readonly revoked = new Set<string>();
  private readonly checks: RuleChecks;
  /** The check of the rules that the settings have now. */
  private checking: Promise<void> = Promise.resolve();
  private readonly use: RuleUse;
  private readonly recent: Denials;
  private readonly subscription: Disposable;
  private readonly elsewhere: RevokedElsewhere;
  private readonly lists: RuleLists;
  private readonly record: RuleRecord;
  /** The confirmed rules for which {@link inForce} was computed. */
  private confirmed: readonly string[] = [];
  private confirming: Disposable | undefined;
  private warned = '';

  constructor(private readonly deps: RuleStoreDependencies) {
    this.use = new RuleUse(deps.memory, deps.clock, () => this.notify());
    this.record = new RuleRecord(deps.memory, deps.clock, () => this.changed());
    this.recent = new Denials(deps.clock, () => this.notify());
    this.checks = new RuleChecks(() => deps.judge());
    const { settings, changes } = deps;
    this.lists = new RuleLists({
      settings,
      changes,
      wrote: () => this.elsewhere.forget(),
      notAList: () => this.invalid({ code: 'not_a_list' }),
    });
    this.elsewhere = new RevokedElsewhere(this.lists, deps.clock, () => this.changed());
    this.subscription = deps.settings.onDidChange(() => {
      this.elsewhere.see(this.userRules().ids);
      this.changed();
    });
    this.check();
  }

  sourceFor({ key, ...session }: RuleSession): RuleSource {
    return new UserRuleSource({
      ...session,
      rulesNow: () => this.rulesNow(key, session.roots.cwd),
      settled: () => this.checking,
      words: (rule) => userRuleText(rule, this.deps.t),
      judge: () => this.deps.judge(),
      protectedRules: this.deps.protectedRules,
    });
  }

  /** True when some rule may decide in this session. */
  hasRules(sessionKey: string, cwd: string): boolean {
    const { rules, suspendsAllows, isPending } = this.rulesNow(sessionKey, cwd);
    return rules.length > 0 || suspendsAllows || isPending === true;
  }

  /** The rules about commands that are in force in a session. */
  commandRules(sessionKey: string, cwd: string): readonly CommandRule[] {
    const { rules, suspendsAllows } = this.rulesNow(sessionKey, cwd);
    return rules.flatMap(({ id, effect, command }) =>
      command === undefined || (suspendsAllows && effect === 'allow') ? [] : [{ id, effect, pattern: command }],
    );
  }

  list(sessionId?: string, cwd?: string): readonly StoredRule[] {
    const own = sessionId === undefined ? [] : (this.ofSessions.get(sessionId) ?? []);
    const { origins } = this.record;
    const { rules, broken } = this.userRules();
    return [
      ...own.map((rule): StoredRule => this.stored(rule, 'session', 'session')),
      ...rules
        .filter((rule) => !this.revoked.has(rule.id) && !this.elsewhere.has(rule))
        .map((rule) =>
          this.stored(rule, rule.folder === undefined ? 'always' : 'folder', origins[rule.id] ?? 'settings', this.problemOf(rule)),
        ),
      ...broken.map((each) => this.brokenRow(each, 'settings')),
      ...this.denies(cwd ?? '').flatMap(({ from, parsed }) => [
        ...parsed.rules.map((rule) =>
          this.stored(rule, rule.folder === undefined ? 'always' : 'folder', from, this.checks.problemOf(rule)),
        ),
        ...parsed.broken.map((each) => this.brokenRow(each, from)),
      ]),
    ];
  }

  async add(body: RuleBody, scope: RuleScope, where: { readonly sessionId: string; readonly cwd: string }): Promise<UserRule> {
    const folder = scope === 'folder' ? { folder: await repositoryOf(where.cwd) } : {};
    const read = readRule({ ...body, ...folder });
    if ('problem' in read) {
      throw this.invalid(read.problem);
    }
    const { rule } = read;
    const problem = await this.checks.find(rule);
    if (problem) {
      throw this.invalid(problem);
    }
    if (scope === 'session') {
      const own = this.ofSessions.get(where.sessionId) ?? [];
      this.ofSessions.set(where.sessionId, [...own.filter(({ id }) => id !== rule.id), rule]);
      this.changed();
      return rule;
    }
    await this.save([rule], 'card');
    return rule;
  }

  /** Stores rules that the user has chosen from another program's settings. Returns those that are new. */
  async import(rules: readonly RuleBody[]): Promise<readonly UserRule[]> {
    const read = rules.map((rule) => readRule(rule)).flatMap((each) => ('rule' in each ? [each.rule] : []));
    return this.save(read, 'import');
  }

  async revoke(id: string): Promise<() => Promise<void>> {
    const ofSessions = [...this.ofSessions].flatMap(([key, rules]) =>
      rules.filter((rule) => rule.id === id).map((rule) => ({ key, rule })),
    );
    for (const [key, rules] of this.ofSessions) {
      this.ofSessions.set(
        key,
        rules.filter((rule) => rule.id !== id),
      );
    }
    this.revoked.add(id);
    this.changed();
    let removed: readonly unknown[] = [];
    try {
      await this.lists.changeRules((written) => {
        const kept = withoutRule(written, id);
        removed = written.filter((each) => !kept.includes(each));
        return kept;
      });
      let denials: readonly unknown[] = [];
      await this.lists.changeDenials((written) => {
        const kept = withoutRule(written, id, 'deny');
        denials = written.filter((each) => !kept.includes(each));
        return kept;
      });
      return () => this.restore(ofSessions, removed, denials);
    } finally {
      this.revoked.delete(id);
      this.changed();
    }
  }

  async confirm(rules: readonly UserRule[]): Promise<void> {
    await this.record.confirm(rules);
    this.changed();
  }

  onDidChange(listener: () => void): Disposable {
    this.listeners.add(listener);
    return { dispose: () => void this.listeners.delete(listener) };
  }

  used(id: string, at: number): void {
    this.use.record(id, at);
  }

  get denials(): readonly RecentDenial[] {
    return this.recent.all;
  }

  /** Lists a denial. */
  denied(denial: Omit<RecentDenial, 'id' | 'at'> & { readonly cwd: string }): void {
    this.recent.add(denial);
  }

  async allowDenied(id: string, scope: RuleScope): Promise<UserRule | undefined> {
    const denial = this.recent.get(id);
    return denial?.allow && this.add(denial.allow, scope, denial);
  }

  async denyDenied(id: string, scope: RuleScope): Promise<UserRule | undefined> {
    const denial = this.recent.get(id);
    return denial?.deny && this.add(denial.deny, scope, denial);
  }

  /** Forgets the rules of a session that has ended. */
  forget(sessionKey: string): void {
    this.inForce.delete(sessionKey);
    if (this.ofSessions.delete(sessionKey)) {
      this.notify();
    }
  }

  dispose(): void {
    this.subscription.dispose();
    this.elsewhere.dispose();
    this.use.dispose();
    this.record.dispose();
    this.confirming?.dispose();
    this.listeners.clear();
  }

  private rulesNow(sessionKey: string, cwd: string): RulesNow {
    const { confirmed } = this.record;
    if (confirmed !== this.confirmed) {
      this.confirmed = confirmed;
      this.inForce.clear();
    }
    const known = this.inForce.get(sessionKey);
    if (known) {
      return known;
    }
    const { rules, broken } = this.userRules();
    const denies = this.denies(cwd);
    const usable = rules.filter((rule) => rule.effect !== 'allow' || (this.problemOf(rule) === undefined && !this.elsewhere.has(rule)));
    const all = [...(this.ofSessions.get(sessionKey) ?? []), ...usable, ...denies.flatMap(({ parsed }) => parsed.rules)];
    const now: RulesNow = {
      rules: all.filter(({ id, effect }) => !this.revoked.has(id) && (effect === 'deny' || !this.isUnconfirmed(id, rules))),
      suspendsAllows: this.areAllowsSuspended(rules, broken, denies),
      isPending: rules.some((rule) => this.problemOf(rule)?.code === 'unchecked'),
    };
    this.inForce.set(sessionKey, now);
    return now;
  }

  private userRules(): ReturnType<typeof parseRules> {
    return parseRules(this.deps.settings.rules().value);
  }

  private denies(cwd: string): readonly { readonly from: DenySetting['from']; readonly parsed: ReturnType<typeof parseRules> }[] {
    return this.deps.settings.denies(cwd).map(({ value, from }) => {
      const parsed = parseRules(value, 'deny');
      // A repository must not have the window check any number of examples. Its denials hold whatever they say.
      return { from, parsed: from === 'workspace' ? { ...parsed, rules: parsed.rules.map(withoutExamples) } : parsed };
    });
  }

  private isUnconfirmed(id: string, rules: readonly UserRule[]): boolean {
    const rule = this.deps.settings.rules().isRemote ? rules.find((each) => each.id === id) : undefined;
    return rule !== undefined && !this.record.confirmed.includes(textOf(rule));
  }

  private problemOf(rule: UserRule): Problem | undefined {
    if (rule.effect !== 'deny' && this.isUnconfirmed(rule.id, [rule])) {
      return { code: 'unconfirmed' };
    }
    return this.checks.problemOf(rule);
  }

  /** True while a rule that may deny or ask about something cannot be applied. */
  private areAllowsSuspended(rules: readonly UserRule[], broken: readonly BrokenRule[], denies: ReturnType<typeof this.denies>): boolean {
    const strict = [...rules.filter(({ effect }) => effect !== 'allow'), ...denies.flatMap(({ parsed }) => parsed.rules)];
    return (
      [...broken, ...denies.flatMap(({ parsed }) => parsed.broken)].some(({ suspendsAllows }) => suspendsAllows) ||
      strict.some((rule) => this.checks.problemOf(rule)?.code === 'command')
    );
  }

  private check(): void {
    const rules = [this.userRules(), ...this.denies('').map(({ parsed }) => parsed)].flatMap((each) => each.rules);
    this.checking = this.checks.check(rules).then((isNew) => {
      if (isNew) {
        this.inForce.clear();
        this.notify();
      }
      this.confirming?.dispose();
      this.confirming = undefined;
      if (this.list().some(({ isUnconfirmed }) => isUnconfirmed)) {
        this.confirming = this.deps.clock.after(CONFIRMATION_MS, () => {
          this.notify();
          this.warn();
        });
      } else {
        this.warn();
      }
    });
  }

  private warn(): void {
    const { warn } = this.deps;
    const rows = this.list().filter(({ problem }) => problem !== undefined);
    const { rules, broken } = this.userRules();
    const areSuspended = this.areAllowsSuspended(rules, broken, this.denies(''));
    const text = JSON.stringify([rows.map(({ rule, problem }) => [rule.id, problem]), areSuspended]);
    if (warn && text !== this.warned) {
      this.warned = text;
      void (rows.length > 0 && warn(rows, areSuspended));
    }
  }

  private stored(rule: UserRule, scope: RuleScope, from: RuleOriginName, problem?: Problem): StoredRule {
    const lastUsed = this.use.lastUsed(rule.id);
    return {
      rule,
      scope,
      from,
      ...(lastUsed !== undefined && { lastUsed }),
      ...(problem && problem.code !== 'unchecked' && { problem: problemText(problem, this.deps.t) }),
      ...(problem?.code === 'unconfirmed' && { isUnconfirmed: true }),
    };
  }

  private brokenRow({ id, problem, written, source }: BrokenRule, from: RuleOriginName): StoredRule {
    return { ...this.stored({ effect: 'deny', ...written, id }, 'always', from), problem: problemText(problem, this.deps.t), source };
  }

  private invalid(problem: Problem): Error {
    const reason = problemText(problem, this.deps.t);
    return fault('rule.invalid', { reason }, { message: reason });
  }

  private async save(rules: readonly UserRule[], from: RuleOriginName): Promise<readonly UserRule[]> {
    let added: readonly UserRule[] = [];
    await this.record.confirm(rules);
    await this.lists.changeRules((written) => {
      const known = new Set(parseRules(written).ids);
      added = rules.filter(({ id }) => !known.has(id));
      return [...written, ...added.map(({ id: _, ...body }) => body)];
    });
    await this.record.addOrigin(added, from);
    this.changed();
    return added;
  }

  /** Puts revoked rules back, as they were written. */
  private async restore(
    ofSessions: readonly { readonly key: string; readonly rule: UserRule }[],
    rules: readonly unknown[],
    denials: readonly unknown[],
  ): Promise<void> {
    for (const { key, rule } of ofSessions) {
      this.ofSessions.set(key, [...(this.ofSessions.get(key) ?? []), rule]);
    }
    await this.lists.changeRules((written) => [...written, ...rules]);
    if (denials.length > 0) {
      await this.lists.changeDenials((written) => [...written, ...denials]);
    }
    this.changed();
  }

  private changed(): void {
    this.inForce.clear();
    this.check();
    this.notify();
  }

  private notify(): void {
    this.listeners.forEach((listener) => listener());
  }
}
