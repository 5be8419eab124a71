import assert from 'node:assert/strict';
import os from 'node:os';
import { RuleObserver } from '../../../../../src/application/permission/rules/ruleObserver';
import { RuleStore } from '../../../../../src/application/permission/rules/ruleStore';
import type { Advice } from '../../../../../src/core/advice/advice';
import { plainJudge } from '../../../../../src/policy/rules/plainJudge';
import { ProtectedRules } from '../../../../../src/policy/protection/protectedRules';
import type { PermissionQuestion } from '../../../../../src/session/questions/questions';
import { directChanges } from '../../../../support/directChanges';
import { FakeClock } from '../../../session/permission/fakes';
import { englishVerbatim } from '../../english';

const turn = async (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));
const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

describe('the observer of a session’s questions', () => {
  function scene() {
    const store = new RuleStore({
      changes: directChanges,
      settings: {
        rules: () => ({ value: undefined, isRemote: false }),
        denies: () => [],
        writeRules: async () => {},
        writeDenies: async () => {},
        onDidChange: () => ({ dispose() {} }),
      },
      memory: { get: () => undefined, update: async () => {} },
      clock: new FakeClock(),
      t: englishVerbatim,
      judge: async () => plainJudge,
    });
    const roots = { cwd: os.tmpdir(), additionalDirectories: [] };
    const session = { key: 's', agentId: 'ada', agentName: 'Ada', roots };
    const observer = new RuleObserver(session, {
      log: quiet,
      store,
      judge: async () => plainJudge,
      protectedRules: () => new ProtectedRules(),
    });
    const question = (questionId: string, command: string): PermissionQuestion => ({
      kind: 'permission',
      questionId,
      title: 'Run',
      options: [
        { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
        { optionId: 'no', name: 'No', kind: 'reject_once' },
      ],
      subject: { kind: 'execute', rawInput: { command } },
    });
    return { store, observer, question };
  }

  it('advises, and knows the suggestions by their ids', async () => {
    const { observer, question } = scene();
    const advised: Advice[] = [];
    await new Promise<void>((resolve) => observer.asked(question('q', 'make x'), (advice) => resolve(void advised.push(advice)), {}));
    const [first] = advised[0]!.suggestions!;
    assert.deepEqual(observer.suggestion('q', first!.id), first);
    assert.equal(observer.suggestion('other', first!.id), undefined);
    assert.equal(observer.suggestion('q', 'made-up'), undefined);
  });

  it('lists what the user refused, with the rule that allows it', async () => {
    const { store, observer, question } = scene();
    observer.answered(question('q', 'make x'), 'no');
    observer.answered(question('r', 'make y'), 'yes');
    observer.answered(question('t', 'make z'), undefined);
    await turn();
    assert.deepEqual(
      store.denials.map(({ title, rule, allow, deny }) => [title, rule, allow, deny]),
      [['make x', undefined, { effect: 'allow', command: 'make x' }, { effect: 'deny', command: 'make x' }]],
    );
  });

  it('lists what a rule denied, and records the use of rules', async () => {
    const { store, observer, question } = scene();
    const byRule = { id: 'r1', reason: { code: 'rule', params: { text: 'Deny `make`' } } };
    observer.answered(question('q', 'make x'), 'no', byRule);
    observer.answered(question('r', 'make y'), undefined, byRule);
    observer.answered(question('t', 'make z'), 'yes', { ...byRule, id: 'r2' });
    await turn();
    assert.deepEqual(store.denials.map(({ title, rule, ruleId, allow }) => [title, rule, ruleId, allow]).toSorted(), [
      ['make x', 'Deny `make`', 'r1', undefined],
      ['make y', 'Deny `make`', 'r1', undefined],
    ]);
  });
});
