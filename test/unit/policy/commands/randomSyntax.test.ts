/**
 * A forbidden command inside random syntax is always denied, and no rule for other commands allows it. `ACP_HOST_FUZZ` is the number of lines,
 * `ACP_HOST_SEED` the first state of the random numbers.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { CommandJudge } from '../../../../src/policy/rules/commandJudge';
import { rulesOf, testJudge, verdictOf } from './judge';

const LINES = Number(process.env['ACP_HOST_FUZZ'] ?? 600);
const SEED = Number(process.env['ACP_HOST_SEED'] ?? 38);
const EXECUTED = 60;

const HARMLESS = ['ls', 'ls -la', 'echo a', 'cat f', 'wc -l f', 'true', 'npm test', 'git status', 'grep -n a f', "echo 'a; b'", 'pwd'];
const ALLOWED = 'ls|ls *|echo *|cat *|wc *|true|npm test|git status|grep *|pwd|: *|test *|sort *|head *'.split('|');
/** Spellings of the forbidden program. */
const SPELLINGS = ['rm', "'rm'", '"rm"', "r'm'", 'r"m"', '\\rm', 'r\\m', '/bin/rm', "'r'm", '""rm'];
const ARGUMENTS = [' x', ' -rf x', ' -fr "a b"', ' --recursive x', " 'x'", ' ./x', ' -- x', ''];

type Random = (below: number) => number;

function randomOf(seed: number): Random {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

type Wrap = (command: string, other: string) => string;

/** @returns undefined where the quotes of the command exclude the syntax */
const quote = (command: string): string => `'${command.replaceAll("'", `'\\''`)}'`;

/** Syntax around any list of commands. */
const AROUND: readonly Wrap[] = [
  (c, o) => `${o}; ${c}`,
  (c, o) => `${o} && ${c}`,
  (c, o) => `${o} || ${c}`,
  (c, o) => `${o} | ${c}`,
  (c, o) => `${o} & ${c}`,
  (c, o) => `${o}\n${c}`,
  (c, o) => `${c}; ${o}`,
  (c, o) => `${c} && ${o}`,
  (c, o) => `${c}\n${o}`,
  (c) => `( ${c} )`,
  (c) => `{ ${c}; }`,
  (c, o) => `if ${o}; then ${c}; fi`,
  (c, o) => `if ${c}; then ${o}; fi`,
  (c) => `for i in 1; do ${c}; done`,
  (c, o) => `while ${o}; do ${c}; break; done`,
  (c, o) => `case a in a) ${c};; *) ${o};; esac`,
  (c) => `f() { ${c}; }; f`,
  (c) => `echo $( ${c} )`,
  (c) => `echo "$( ${c} )"`,
  (c, o) => `${o} "a $( ${c} ) b"`,
  (c) => `a=$( ${c} )`,
  (c) => `a=$( ${c} ) ls`,
  (c) => `cat <( ${c} )`,
  (c) => `cat < <( ${c} )`,
  (c) => `cat <<EOF\na $( ${c} )\nEOF`,
  (c) => `cat <<< "$( ${c} )"`,
  (c) => `echo \${a:-$( ${c} )}`,
  (c) => `[[ -n $( ${c} ) ]]`,
  (c) => `test -n "$( ${c} )"`,
  (c) => `sh -c ${quote(c)}`,
  (c) => `bash -c ${quote(c)}`,
  (c) => `bash -lc ${quote(c)}`,
  (c) => `env sh -c ${quote(c)}`,
  (c) => `eval ${quote(c)}`,
  (c) => `timeout 5 bash -c ${quote(c)}`,
  (c) => `find . -maxdepth 0 -exec sh -c ${quote(c)} \\;`,
  (c) => `echo a | xargs sh -c ${quote(c)}`,
  (c) => `trap ${quote(c)} EXIT`,
  (c, o) => `${o} # note\n${c}`,
  (c, o) => `${o} \\\n; ${c}`,
  (c) => `! { ${c}; }`,
  (c) => `time { ${c}; }`,
  (c) => `{ ${c}; } 2>/dev/null`,
  (c) => `( ${c} ) > /dev/null 2>&1`,
];

/** Programs in front of one command. */
const BEFORE: readonly string[] = [
  'env',
  'env -i',
  'env A=b',
  'timeout 5',
  'timeout -s KILL 5',
  'nohup',
  'nice',
  'nice -n 5',
  'stdbuf -oL',
  'setsid',
  'command',
  'exec',
  'time',
  'A=b',
  '2>/dev/null',
  'xargs',
  'xargs -n 1',
  'sudo',
  'sudo -u root',
  'doas',
  'builtin',
  'eval',
  '!',
  'ionice -c 3',
  'busybox',
].map((each) => `${each} `);

function lineOf(random: Random): string {
  const pick = <T>(list: readonly T[]): T => list[random(list.length)]!;
  let command = pick(SPELLINGS) + pick(ARGUMENTS);
  for (let count = random(3); count > 0; count--) {
    const before = pick(BEFORE);
    // Only a shell runs `!`, `time` and assignments, so these come first.
    command = /^(?:!|time|A=b|2>)/.test(command) ? command : before + command;
  }
  for (let count = 1 + random(4); count > 0; count--) {
    command = pick(AROUND)(command, pick(HARMLESS));
  }
  return command;
}

describe('a forbidden command in random syntax', () => {
  let judge: CommandJudge;
  before(async () => {
    judge = await testJudge();
  });

  it(`is denied, and never allowed, in ${LINES} lines`, async () => {
    const random = randomOf(SEED);
    const [denying, allowing] = [rulesOf(ALLOWED, ['rm *']), rulesOf(ALLOWED)];
    const wrong: string[] = [];
    for (let count = 0; count < LINES && wrong.length < 20; count++) {
      const line = lineOf(random);
      const [denied, allowed] = [await verdictOf(judge, line, denying, 'bash'), await verdictOf(judge, line, allowing, 'bash')];
      void (denied.effect !== 'deny' && wrong.push(`not denied: ${JSON.stringify(line)}`));
      void (allowed.effect === 'allow' && wrong.push(`allowed: ${JSON.stringify(line)}`));
    }
    assert.deepEqual(wrong, []);
  }).timeout(600_000);

  it('runs no program in bash that a denial does not find', async function () {
    if (!existsSync('/bin/bash')) {
      this.skip();
    }
    const folder = mkdtempSync(path.join(os.tmpdir(), 'acp-host-commands-'));
    try {
      const [bin, log] = [path.join(folder, 'bin'), path.join(folder, 'log')];
      mkdirSync(bin);
      for (const name of ['rm', 'frob', 'npm', 'git', 'sudo', 'doas', 'busybox']) {
        writeFileSync(path.join(bin, name), `#!/bin/bash\necho ${name} >> '${log}'\n`);
        chmodSync(path.join(bin, name), 0o755);
      }
      writeFileSync(path.join(folder, 'f'), 'a\n');
      const random = randomOf(SEED + 1);
      for (let count = 0; count < EXECUTED; count++) {
        // Only stubs run: the full path of a program is replaced, and the file does not exist anyway.
        const line = lineOf(random).replaceAll('/bin/rm', 'rm').replaceAll('rm', 'frob');
        writeFileSync(log, '');
        const options = { cwd: folder, env: { PATH: `${bin}:/usr/bin:/bin`, HOME: folder }, timeout: 5000, input: '' };
        spawnSync('/bin/bash', ['-c', line], options);
        for (const name of new Set(readFileSync(log, 'utf8').split('\n').filter(Boolean))) {
          const { effect } = await verdictOf(judge, line, rulesOf([], [`${name} *`]), 'bash');
          assert.equal(effect, 'deny', `${name} in ${JSON.stringify(line)}`);
        }
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }).timeout(120_000);
});
