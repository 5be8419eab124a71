/** The user's rules in this window. Their code is loaded with the first rule, or with the first question that the user sees. */
import path from 'node:path';
import type * as vscode from 'vscode';
import type { RuleObserver } from '../../../application/permission/rules/ruleObserver';
import type { RuleStore } from '../../../application/permission/rules/ruleStore';
import type { SettingChanges } from '../../../application/shared/settingChanges';
import type { Clock } from '../../../core/platform/clock';
import type { Disposable } from '../../../core/platform/disposable';
import type { Log } from '../../../core/platform/log';
import type { CommandJudge } from '../../../policy/rules/commandJudge';
import type { ProtectedRules } from '../../../policy/protection/protectedRules';
import type { RuleSource } from '../../../policy/rule';
import type { QuestionObserver, RuleSession } from '../../../session/questions/questionDependencies';
import { DisposableStore } from '../../../util/disposable';
import { lazy } from '../../../util/lazy';
import { verbatim } from '../../shared/l10n';
import { hasRuleSettings, ruleSettings } from './ruleSettings';

export interface WindowRulesDependencies {
  readonly clock: Clock;
  readonly log: Log;
  readonly globalState: vscode.Memento;
  readonly extensionPath: string;
  /** The folder that all windows of the user share. */
  readonly sharedFolder: string;
  protectedRules(): ProtectedRules | Promise<ProtectedRules>;
  /** Called when the store is loaded. */
  opened?(store: RuleStore): void;
}

export class WindowRules implements Disposable {
  private loaded: RuleStore | undefined;
  private readonly owned = new DisposableStore();
  private readonly observers = new Map<string, Promise<RuleObserver>>();

  /** The judge of command lines, whose parsers are loaded with the first command that a rule may decide. */
  private readonly judge = lazy(async (): Promise<CommandJudge> => {
    const { loadJudge } = await import('../../../policy/commands/loadJudge');
    return loadJudge(path.join(this.deps.extensionPath, 'dist/tree-sitter'), this.deps.log);
  });

  /** The store with all rules. */
  readonly store = lazy(async (): Promise<RuleStore> => {
    const [{ RuleStore: RuleStore }, { SettingChanges: SettingChanges }, { warnBrokenRules }] = await Promise.all([
      import('../../../application/permission/rules/ruleStore'),
      import('../../../application/shared/settingChanges'),
      import('./warnBrokenRules'),
    ]);
    const { globalState, clock, protectedRules, sharedFolder } = this.deps;
    const changes: SettingChanges = new SettingChanges({
      folder: path.join(sharedFolder, 'settings'),
      clock,
      onDidChange: ruleSettings.onDidChange,
    });
    const store: RuleStore = new RuleStore({
      settings: ruleSettings,
      changes,
      memory: globalState,
      clock,
      t: verbatim,
      judge: this.judge,
      protectedRules,
      warn: (rules, areSuspended) => void warnBrokenRules(rules, areSuspended, (confirmed) => store.confirm(confirmed)),
    });
    this.owned.add(store);
    this.owned.add(changes);
    this.deps.opened?.(store);
    return (this.loaded = store);
  });

  /** Reports mistakes in rules that the user has just written, also before a session needs them. */
  private readonly subscription = ruleSettings.onDidChange(() => void (!this.loaded && hasRuleSettings('') && this.store()));

  constructor(private readonly deps: WindowRulesDependencies) {}

  /** The source of rules for a session. It is always there, because a rule can be made during the session. */
  readonly sources = (session: RuleSession): readonly RuleSource[] => {
    const { cwd } = session.roots;
    const source = lazy(async () => (await this.store()).sourceFor(session));
    if (hasRuleSettings(cwd)) {
      void this.store(); // Mistakes in the rules are reported with the first session.
    }
    return [
      {
        isActive: () => this.loaded?.hasRules(session.key, cwd) ?? hasRuleSettings(cwd),
        partsOf: async (request) => (await (await source()).partsOf?.(request)) ?? [],
        rulesFor: async (request) => (await source()).rulesFor(request),
      },
    ];
  };

  readonly observe = (session: RuleSession): QuestionObserver => {
    const observer = lazy(async () => {
      const { RuleObserver: RuleObserver } = await import('../../../application/permission/rules/ruleObserver');
      const { log, protectedRules } = this.deps;
      return new RuleObserver(session, { log, store: await this.store(), judge: this.judge, protectedRules });
    });
    return {
      asked: (...question) => {
        this.observers.set(session.key, observer());
        void observer().then((each) => each.asked(...question));
      },
      answered: (...answer) => void observer().then((each) => each.answered(...answer)),
      ended: () => this.loaded?.forget(session.key),
    };
  };

  /** The rule that was offered with a question of a session. */
  async suggestion(sessionKey: string, questionId: string, id: string) {
    return (await this.observers.get(sessionKey))?.suggestion(questionId, id);
  }

  dispose(): void {
    this.subscription.dispose();
    this.owned.dispose();
  }
}
