/**
 * A forbidden command in random constructs. `ACP_HOST_COMMAND_FUZZ=100000` sets the number of lines, `ACP_HOST_COMMAND_FUZZ_SEED` the first seed.
 */
import { strict as assert } from 'node:assert';
import { outcomeOf, rulesOf, type ShellName } from './commandJudges';
import { randomOf, wrapped } from './wrap';

const LINES = Number(process.env.ACP_HOST_COMMAND_FUZZ ?? 1000);
const SEED = Number(process.env.ACP_HOST_COMMAND_FUZZ_SEED ?? 1);
/** Permissions for everything that the constructs use, and for programs that run others. */
const PROGRAMS =
  'npm git echo ls cat true cd find grep xargs env sudo timeout nohup nice time watch flock npx command exec builtin eval set printf test sleep wait ' +
  'Get-ChildItem Select-Object Sort-Object Where-Object dir type findstr call start if for rem';
const ALLOWED = ['allow npm test', 'allow git log', 'allow readsOnly', ...PROGRAMS.split(' ').map((name) => `allow ${name} *`)];

describe('forbidden commands in random constructs', function () {
  this.timeout(LINES * 20 + 30_000);

  for (const shell of ['bash', 'zsh', 'pwsh', 'cmd'] as const satisfies readonly ShellName[]) {
    it(`never run in ${shell}`, async () => {
      const random = randomOf(SEED);
      const allowed = rulesOf(...ALLOWED);
      const denied = rulesOf(...ALLOWED, shell === 'cmd' ? 'deny del *' : 'deny rm *');
      const through: string[] = [];
      for (let at = 0; at < LINES / 4; at++) {
        const line = wrapped(shell, random);
        // A denial is checked for some lines only, because it can never allow more.
        const isThrough =
          (await outcomeOf(shell, line, allowed)) === 'runs' || (at % 8 === 0 && (await outcomeOf(shell, line, denied)) === 'runs');
        if (isThrough) {
          through.push(line);
        }
      }
      assert.deepEqual(through, []);
    });
  }
});
