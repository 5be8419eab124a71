import { strict as assert } from 'node:assert';
import { outcomeOf, realJudge, rulesOf, type ShellName } from './commandJudges';

const suggested = async (command: string, shell: ShellName = 'bash'): Promise<readonly string[]> =>
  (await realJudge()).suggest({ kind: 'command', command, shell, cwd: '/work' });

/** Lines with the patterns that are offered. */
const OFFERED: Readonly<Record<string, readonly string[]>> = {
  'npm test': ['npm test', 'npm test *'],
  'npm test -- --grep x': ['npm test -- --grep x', 'npm test *'],
  'npm run build': ['npm run build', 'npm run build *'],
  'git push origin main': ['git push origin main', 'git push *'],
  'cargo test --release': ['cargo test --release', 'cargo test *'],
  'ls -la': ['ls -la', 'ls *'],
  'prettier --check .': ['prettier --check .', 'prettier *'],
  'npm test && npm run build': ['npm test && npm run build'],
  'npm test 2>/dev/null': ['npm test 2>/dev/null'],
  'git config user.name x': ['git config user.name x'],
  'npm exec tsc': ['npm exec tsc'],
  './build.sh': ['./build.sh'],
  'cd sub && npm test': ['cd sub && npm test', 'npm test *'],
};

const NEVER = [
  'sh -c "npm test"',
  'bash x.sh',
  'env npm test',
  'timeout 5 npm test',
  'sudo npm test',
  'xargs rm',
  'nohup npm test',
  'nice npm test',
  'stdbuf -oL npm test',
  'watch ls',
  'find . -name x',
  'npx tsc',
  'python3 x.py',
  'node x.js',
  'perl x.pl',
  'ssh host ls',
  'docker run x',
  'make',
  'eval x',
  'ls $(rm x)',
  'ls\nrm x',
  'npm test > $x',
  'FOO=$(x) ls',
  '',
  ' ',
  `echo ${'x'.repeat(600)}`,
];

describe('suggested patterns', () => {
  for (const [line, wanted] of Object.entries(OFFERED)) {
    it(`are the narrowest first for ${line}`, async () => {
      assert.deepEqual(await suggested(line), wanted);
    });

    it(`allow ${line}`, async () => {
      for (const pattern of await suggested(line)) {
        assert.equal(await outcomeOf('bash', line, rulesOf(`allow ${pattern}`)), 'runs', pattern);
      }
    });
  }

  for (const line of NEVER) {
    it(`do not exist for ${JSON.stringify(line.slice(0, 40))}`, async () => {
      assert.deepEqual(await suggested(line), []);
    });
  }

  it('do not exist for a line that runs with other variables, another program or words', async () => {
    const judge = await realJudge();
    const part = { kind: 'command', command: 'npm test', shell: 'bash' } as const;
    assert.deepEqual(judge.suggest({ ...part, environment: [{ name: 'A', value: 'b' }] }), []);
    assert.deepEqual(judge.suggest({ ...part, program: '/work/npm' }), []);
    assert.deepEqual(judge.suggest({ ...part, argv: ['npm', 'test'] }), []);
  });
});
