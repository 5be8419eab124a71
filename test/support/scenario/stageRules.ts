/** The user's rules on a stage: the window's store over settings in memory. */
import path from 'node:path';
import { RuleObserver } from '../../../src/application/permission/rules/ruleObserver';
import { RuleStore } from '../../../src/application/permission/rules/ruleStore';
import { loadJudge } from '../../../src/policy/commands/loadJudge';
import { ProtectedRules } from '../../../src/policy/protection/protectedRules';
import type { QuestionDependencies } from '../../../src/session/questions/questionDependencies';
import { lazy } from '../../../src/util/lazy';
import { systemClock } from '../../../src/util/clock';
import { directChanges } from '../directChanges';
import { english } from '../../unit/application/english';

const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

export class StageRules {
  readonly store: RuleStore;
  readonly dependencies: Pick<QuestionDependencies, 'ruleSources' | 'observe'>;

  /** @param rules the user's setting @param denies the setting of the workspace @param advises true when questions get advice */
  constructor(
    private rules: unknown,
    denies?: unknown,
    advises = false,
  ) {
    const values = new Map<string, unknown>();
    const judge = lazy(() => loadJudge(path.resolve('node_modules/@vscode/tree-sitter-wasm/wasm'), quiet));
    const store = new RuleStore({
      changes: directChanges,
      settings: {
        rules: () => ({ value: this.rules, isRemote: false }),
        denies: () => (denies === undefined ? [] : [{ value: denies, from: 'workspace' }]),
        writeRules: async (written) => void (this.rules = written),
        writeDenies: async () => undefined,
        onDidChange: () => ({ dispose: () => undefined }),
      },
      memory: { get: <T>(key: string) => values.get(key) as T | undefined, update: async (key, value) => void values.set(key, value) },
      clock: systemClock,
      t: english,
      judge,
    });
    this.store = store;
    this.dependencies = {
      ruleSources: (session) => [store.sourceFor(session)],
      observe: (session) => ({ ended: () => store.forget(session.key) }),
      ...(advises && {
        observe: (session) => new RuleObserver(session, { log: quiet, store, judge, protectedRules: () => new ProtectedRules() }),
      }),
    };
  }
}
