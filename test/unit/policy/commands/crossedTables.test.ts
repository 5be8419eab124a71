/** Tables of command lines, by shell: their effect under the rules of `judge.ts`. */
import assert from 'node:assert/strict';
import type { CommandJudge } from '../../../../src/policy/rules/commandJudge';
import { effectOf, tableOf, TABLE_RULES, testJudge } from './judge';

describe('tables of command lines', () => {
  let judge: CommandJudge;
  before(async () => {
    judge = await testJudge();
  });

  for (const shell of ['bash', 'zsh', 'powershell', 'cmd'] as const) {
    it(`have the effect of the rules in ${shell}`, async () => {
      const table = tableOf(shell);
      assert.ok(table.length >= 300, `${table.length} lines`);
      const wrong: string[] = [];
      for (const { effects, line } of table) {
        const effect = await effectOf(judge, line, TABLE_RULES[shell], shell);
        void (
          !effects.includes(effect) && wrong.push(`${effect} instead of ${effects.join(' or ')}: ${JSON.stringify(line.slice(0, 120))}`)
        );
      }
      assert.deepEqual(wrong, []);
    }).timeout(20_000);
  }

  it('allow what a sensible user allowed', async () => {
    const table = tableOf('sensible');
    assert.ok(table.length >= 80, `${table.length} lines`);
    const wrong: string[] = [];
    for (const { line } of table) {
      const effect = await effectOf(judge, line, TABLE_RULES.bash);
      void (effect !== 'allow' && wrong.push(line));
    }
    assert.deepEqual(wrong, []);
  });
});
