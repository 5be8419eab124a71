/**
 * Random text that a rule allows, run by a real bash whose programs only record their names: none of them may be a program that no rule names.
 * `ACP_HOST_COMMAND_SOUP` sets the number of texts.
 */
import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { outcomeOf, rulesOf } from './commandJudges';
import { pick, type Random, randomOf } from './wrap';

const TEXTS = Number(process.env.ACP_HOST_COMMAND_SOUP ?? 1000);
const BASH = '/bin/bash';
const RULES = rulesOf('allow npm *', 'allow echo *', 'allow cat *', 'allow timeout *');
const TOKENS = [
  ...['npm test', 'npm test', 'npm', 'echo', 'cat', 'rm x', 'rm x', 'rm', 'a', 'x=y', '-n', '5', 'timeout 5', 'true'],
  ...[' ', ' ', ' ', ' ', ' ', '\n', '\n', '\t', ';', '; ', ' && ', ' || ', ' | ', ' & ', '&', '|', '!'],
  ...["'", "'", '"', '"', '\\', '\\\n', ' \\\n', '$', '`', '$(', '(', ')', '{', '}', '{ ', '; }', '${', '$((', '))', '[[', ']]'],
  ...[' # ', '#', '<', '>', '2>&1', '>/dev/null', '<<EOF\n', "<<'EOF'\n", '<<-EOF\n', '\nEOF\n', 'EOF', '<<<', '<(', '*', '?', '~', '='],
] as const;

function soup(random: Random): string {
  const length = 2 + Math.floor(random() * 9);
  const start = pick(random, ['npm test', 'echo a', 'cat ', "cat <<'EOF'\n", 'npm test "', "npm test '", 'npm test \\']);
  return start + Array.from({ length }, () => pick(random, TOKENS)).join('');
}

describe('allowed lines in a real bash', function () {
  this.timeout(TEXTS * 20 + 60_000);
  let folder: string;

  before(function () {
    if (!existsSync(BASH)) {
      this.skip();
    }
    folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'real-shell-')));
    mkdirSync(path.join(folder, 'bin'));
    for (const name of ['npm', 'cat', 'timeout', 'rm', 'a', 'EOF', 'command_not_found']) {
      const file = path.join(folder, 'bin', name);
      const rest = name === 'timeout' ? 'shift; "$@"' : ':';
      writeFileSync(file, `#!${BASH}\nbuiltin echo ${name} >> "${folder}/log"\n${rest}\n`);
      chmodSync(file, 0o755);
    }
  });
  after(() => folder && rmSync(folder, { recursive: true, force: true }));

  it('run no program that no rule names', async () => {
    const random = randomOf(5);
    const log = path.join(folder, 'log');
    const found: string[] = [];
    let ran = 0;
    for (let at = 0; at < TEXTS; at++) {
      const line = soup(random);
      if ((await outcomeOf('bash', line, RULES)) !== 'runs') {
        continue;
      }
      ran++;
      rmSync(log, { force: true });
      const cwd = mkdtempSync(path.join(folder, 'cwd-'));
      const env = { PATH: path.join(folder, 'bin'), HOME: cwd };
      spawnSync(BASH, ['--norc', '--noprofile', '-c', line], { cwd, env, input: '', timeout: 5000, stdio: ['pipe', 'ignore', 'ignore'] });
      const names = existsSync(log) ? readFileSync(log, 'utf8').split('\n').filter(Boolean) : [];
      if (names.some((name) => !['npm', 'cat', 'timeout'].includes(name))) {
        found.push(line);
      }
    }
    assert.deepEqual(found, []);
    assert.ok(ran > TEXTS / 200, `${ran}`);
  });
});
