/** Protected files that a command names ask, whatever a rule says about the command. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { agentRequestSource, partsOf } from '../../../../src/policy/agentRequests';
import type { Decision } from '../../../../src/policy/decide';
import { Policy } from '../../../../src/policy/policy';
import { ProtectedPaths } from '../../../../src/policy/protection/protectedPaths';
import { ProtectedRules } from '../../../../src/policy/protection/protectedRules';
import { protectedPathSource } from '../../../../src/policy/protectedPathSource';
import { parseRules } from '../../../../src/policy/rules/parseRules';
import { UserRuleSource } from '../../../../src/policy/rules/userRuleSource';
import { testJudge } from '../commands/judge';

const ALLOWED = [
  'cat *',
  'grep *',
  'head *',
  'git *',
  'cp *',
  'touch *',
  'mkdir *',
  'rm *',
  'ls *',
  'echo *',
  'wc *',
  'node --env-file=.env a.js',
];

describe('a command that names files', () => {
  let base: string;
  let cwd: string;
  const homes = ['HOME', 'USERPROFILE'].map((name) => [name, process.env[name]] as const);

  before(() => {
    base = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'acp-named-')));
    cwd = path.join(base, 'w');
    homes.forEach(([name]) => (process.env[name] = path.join(base, 'home')));
    for (const folder of ['src', 'deep', '.github/workflows', '.git']) {
      mkdirSync(path.join(cwd, folder), { recursive: true });
    }
    mkdirSync(path.join(base, 'home', '.ssh'), { recursive: true });
    for (const file of [
      '.env',
      'a.txt',
      'src/a.ts',
      'src/b.ts',
      'deep/server.pem',
      'id_rsa',
      '.github/workflows/ci.yml',
      '.git/config',
      '../home/.ssh/id_rsa',
    ]) {
      writeFileSync(path.join(cwd, file), 'x');
    }
    symlinkSync('.env', path.join(cwd, 'plain'));
    mkdirSync(path.join(base, 'other/folder'), { recursive: true });
    writeFileSync(path.join(base, 'other/.env.local'), 'x');
    symlinkSync(path.join(base, 'other/folder'), path.join(cwd, 'outside'));
  });
  after(() => {
    homes.forEach(([name, home]) => (home === undefined ? delete process.env[name] : (process.env[name] = home)));
    rmSync(base, { recursive: true, force: true });
  });

  async function decisionOn(command: string, allowed: readonly string[] = ALLOWED): Promise<Decision> {
    const roots = { cwd, additionalDirectories: [] };
    const rules = new ProtectedRules();
    const judge = testJudge();
    const now = { rules: parseRules(allowed.map((each) => ({ effect: 'allow', command: each }))).rules, suspendsAllows: false };
    const user = new UserRuleSource({
      agentId: 'ada',
      agentName: 'Ada',
      roots,
      rulesNow: () => now,
      words: ({ id }) => id,
      judge: () => judge,
      protectedRules: () => rules,
    });
    const policy = new Policy({ roots }, [agentRequestSource, protectedPathSource(() => new ProtectedPaths(roots, rules)), user]);
    const subject = { kind: 'execute', rawInput: { command, cwd } };
    return policy.decide(...partsOf(subject, 'T'));
  }

  for (const line of [
    'cat .env',
    'cat ./.env',
    'cat src/../.env',
    'cat plain',
    'cat .en*',
    'cat .e??',
    'cat deep/*',
    'cat d*/*.pem',
    'cat id_rsa',
    'cat i*',
    'cat < .env',
    'cat ~/.ssh/id_rsa',
    'cat ~/.ssh/*',
    'cat ~home/.ssh/id_rsa',
    'cat ~+/.env',
    'cat /proc/self/cwd/.env',
    'cat /proc/self/root/etc/x.pem',
    'cat outside/../.env.local',
    'grep -f .env x',
    'grep -f.env x',
    'grep --file=.env x',
    'cd src && cat ../.env',
    'cd deep && cat server.pem',
    'timeout 5 cat .env',
    'cat a.txt | grep -f .env x',
    'git diff --no-index a.txt .env',
    'git show HEAD:.env',
    'cp .env a',
    'cp a.txt .env',
    'cp a.txt .vscode/tasks.json',
    'cp a.txt .git/hooks/pre-commit',
    'touch .github/workflows/new.yml',
    'mkdir -p .vscode',
    'rm .env',
    'rm .github/workflows/ci.yml',
    'node --env-file=.env a.js',
  ]) {
    it(`asks about ${JSON.stringify(line)}`, async () => {
      const { effect, rule } = await decisionOn(line);
      assert.deepEqual([effect, rule?.origin], ['ask', 'protected_path']);
    });
  }

  for (const line of [
    'cat a.txt',
    'cat src/*.ts',
    'wc -l src/*',
    'cat .github/workflows/ci.yml',
    'grep -rn id_dsa src',
    'grep -rn "process.env" src',
    'git log -- .github/workflows/ci.yml',
    'git commit -m "fix: .env and id_rsa"',
    'ls -la .env',
    'ls ~/.ssh',
    'echo .env',
    'cp a.txt src/c.ts',
    'touch src/d.ts',
    'cat .env.missing',
  ]) {
    it(`allows ${JSON.stringify(line)}`, async () => {
      assert.equal((await decisionOn(line)).effect, 'allow');
    });
  }
});
