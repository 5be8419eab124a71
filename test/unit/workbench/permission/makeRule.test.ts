/** A rule that the user makes on a request. */
import assert from 'node:assert/strict';
import type { RuleSuggestion } from '../../../../src/core/advice/advice';
import type { PermissionOption } from '../../../../src/core/model/content';
import { fault } from '../../../../src/core/model/failure';
import { enterVscode } from '../../../support/fakeVscode';

const SUGGESTION: RuleSuggestion = { id: 'npm', rule: { effect: 'allow', command: 'npm test' }, scope: 'folder' };
const YES = { optionId: 'yes', name: 'Yes', kind: 'allow_once' };
const ALWAYS = { optionId: 'always', name: 'Always', kind: 'allow_always' };
const NO = { optionId: 'no', name: 'No', kind: 'reject_once' };

describe('a rule made on a request', () => {
  const errors: string[] = [];
  let leave: () => void;
  before(() => {
    const show = async (message: string) => void errors.push(message);
    leave = enterVscode({
      window: { showErrorMessage: show, showWarningMessage: show },
      l10n: { t: (text: string, args: Record<string, string> = {}) => text.replace(/\{(\w+)\}/g, (_, name: string) => args[name]!) },
    });
  });
  after(() => leave());

  /** Makes the rule on a request with these options. Returns everything that happened. */
  async function made(options: readonly PermissionOption[], over: { suggestion?: RuleSuggestion; outcome?: object; error?: Error } = {}) {
    const { makeRule } = await import('../../../../src/workbench/permission/rules/makeRule');
    const happened: unknown[] = [];
    const { suggestion = SUGGESTION, outcome, error } = over;
    const entry = { kind: 'permission', entryId: 'permission:p', at: 0, permissionId: 'p', title: '', options, subject: {}, outcome };
    await makeRule(
      {
        store: async () => ({
          add: async (rule, scope, where) => {
            if (error) {
              throw error;
            }
            happened.push(['add', rule, scope, where]);
            return { ...rule, id: 'r' };
          },
        }),
        suggestion: async (...names) => (names.join() === 's,p,npm' ? suggestion : undefined),
      },
      {
        key: 's',
        roots: { cwd: '/w' },
        store: { state: { entries: { get: () => entry } as never } },
        answerPermission: (...answer) => happened.push(['answer', ...answer]) > 0,
      },
      'p',
      'npm',
    );
    return happened;
  }

  const added = (scope = 'folder', rule: object = SUGGESTION.rule) => ['add', rule, scope, { sessionId: 's', cwd: '/w' }];

  it("is stored before the agent's own answer for once is given", async () => {
    assert.deepEqual(await made([ALWAYS, NO, YES]), [added(), ['answer', 'p', 'yes']]);
  });

  it('leaves the question where the agent offers no answer that fits', async () => {
    assert.deepEqual(await made([ALWAYS, NO]), [added()]);
    assert.deepEqual(await made([{ ...YES, name: 'Reject' }, NO]), [added()]);
    assert.deepEqual(await made([YES], { outcome: { type: 'selected', optionId: 'no', at: 1 } }), [added()]);
  });

  it('answers by its effect', async () => {
    const of = (effect: 'deny' | 'ask') => ({ ...SUGGESTION, rule: { effect, command: 'x' } });
    assert.deepEqual(await made([YES, NO], { suggestion: of('deny') }), [added('folder', of('deny').rule), ['answer', 'p', 'no']]);
    assert.deepEqual(await made([YES, NO], { suggestion: of('ask') }), [added('folder', of('ask').rule)]);
  });

  it('reports why it is not stored, and answers nothing', async () => {
    const error = fault('rule.invalid', { reason: 'the pattern is empty' }, { message: 'the pattern is empty' });
    assert.deepEqual(await made([YES, NO], { error: error as unknown as Error }), []);
    for (let tries = 0; tries < 50 && errors.length === 0; tries++) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    assert.match(errors.join(), /the pattern is empty/);
  });
});
