import assert from 'node:assert/strict';
import { testSections } from '../../../../../src/application/agents/views/agentDetails';
import type { TestFindings } from '../../../../../src/application/agents/views/agentTest';
import { PastTests } from '../../../../../src/application/agents/views/pastTests';
import type { FailureCode } from '../../../../../src/core/model/failure';
import { englishVerbatim } from '../../english';

describe('tests of agents on this machine', () => {
  const stage = (stored?: unknown) => {
    const values = new Map<string, unknown>([['agentTests', stored]]);
    return new PastTests({ get: (key) => values.get(key), update: async (key, value) => void values.set(key, value) });
  };
  const findings = (startedAt: number, version?: string, code?: FailureCode): TestFindings => ({
    cwd: '/w',
    startedAt,
    isRunning: false,
    ...(version !== undefined && { dialect: { agent: { name: 'a', version } } as unknown as NonNullable<TestFindings['dialect']> }),
    ...(code && { failure: { code } }),
  });

  it('are kept with version and result, the newest first, five at most', async () => {
    const tests = stage();
    await tests.add('a', findings(1, '1.0.0', 'agent.exited_at_start'));
    await tests.add('b', findings(2));
    for (const at of [3, 4, 5, 6]) {
      await tests.add('a', findings(at, '1.1.0', at === 6 ? 'auth.required' : undefined));
    }
    await tests.add('a', findings(7, '2.0.0'));
    assert.deepEqual(
      tests.of('a').map(({ version, at, result }) => [version, at, result]),
      [
        ['2.0.0', 7, 'passed'],
        ['1.1.0', 6, 'sign_in'],
        ['1.1.0', 5, 'passed'],
        ['1.1.0', 4, 'passed'],
        ['1.1.0', 3, 'passed'],
      ],
    );
    assert.deepEqual(tests.of('b'), [{ at: 2, result: 'passed' }]);
  });

  it('are not kept when the user has cancelled them', async () => {
    const tests = stage();
    await tests.add('a', findings(1, '1.0.0', 'agent.start_cancelled'));
    assert.deepEqual(tests.of('a'), []);
  });

  it('survive a damaged store', async () => {
    const tests = stage([['a', [{ at: 'then' }, { at: 1, result: 'passed' }, null]], 5, ['b']]);
    assert.deepEqual(tests.of('a'), [{ at: 1, result: 'passed' }]);
    assert.deepEqual(tests.of('b'), []);
    await tests.add('b', findings(2));
    assert.equal(tests.of('b').length, 1);
  });

  it('are shown on the page of the agent', () => {
    const [section] = testSections([{ at: 0, version: '2.0.0', result: 'sign_in' }], 'en', englishVerbatim);
    assert.equal(section?.title, 'Tests on This Machine');
    assert.equal(section.facts[0]?.value, 'Sign-in needed · 2.0.0');
    assert.deepEqual(testSections([], 'en', englishVerbatim), []);
  });
});
