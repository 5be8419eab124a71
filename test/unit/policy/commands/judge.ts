/** The judge of command lines with the real parsers, and the rules of the fixture tables. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Effect } from '../../../../src/policy/rule';
import type { CommandJudge, CommandRule, CommandVerdict } from '../../../../src/policy/rules/commandJudge';
import { loadJudge } from '../../../../src/policy/commands/loadJudge';

export type TestShell = 'bash' | 'zsh' | 'powershell' | 'cmd';

const WASM = path.join(path.dirname(require.resolve('@vscode/tree-sitter-wasm/package.json')), 'wasm');

/** Rejects when a parser is missing. @param platform that of the shell without a name */
export function testJudge(platform: NodeJS.Platform = 'linux'): Promise<CommandJudge> {
  return loadJudge(WASM, { error: (text) => assertNoError(text) }, platform);
}

function assertNoError(text: string): never {
  throw new Error(text);
}

export function rulesOf(allow: readonly string[], deny: readonly string[] = []): readonly CommandRule[] {
  const of = (effect: Effect, patterns: readonly string[]): readonly CommandRule[] =>
    patterns.map((pattern) => ({ id: `${effect} ${pattern}`, effect, pattern }));
  return [...of('allow', allow), ...of('deny', deny)];
}

const SHARED =
  'npm test|npm test *|npm run build|git status|git status *|git log *|git diff|git diff *|cargo test *|tsc *|rg *|echo *|ls|ls *|findstr *';
const POSIX = 'cat|cat *|grep *|find *|sort *|wc *|head|head *|tail *|diff *|jq *|uniq *|make|sh -c ls';
const DENIED = 'rm *|git push *|curl *|sudo *';

/** The rules for all lines of a fixture table. */
export const TABLE_RULES: Readonly<Record<TestShell, readonly CommandRule[]>> = {
  bash: rulesOf(`${SHARED}|${POSIX}`.split('|'), DENIED.split('|')),
  zsh: rulesOf(`${SHARED}|${POSIX}`.split('|'), DENIED.split('|')),
  powershell: rulesOf(
    `${SHARED}|Get-ChildItem *|Get-Content *|Select-String *|Select-Object *`.split('|'),
    `${DENIED}|Remove-Item *`.split('|'),
  ),
  cmd: rulesOf(`${SHARED}|dir|dir *|type *`.split('|'), `${DENIED}|del *`.split('|')),
};

export interface TableLine {
  /** The effects that are correct. A question is the effect where no rule decides. */
  readonly effects: readonly Effect[];
  readonly line: string;
}

export function tableOf(name: string): readonly TableLine[] {
  const text = readFileSync(path.join(__dirname, 'fixtures', `${name}.tsv`), 'utf8');
  return text
    .split('\n')
    .filter((row) => row !== '' && !row.startsWith('#'))
    .map((row) => {
      const [effects = '', line = ''] = row.split('\t');
      return {
        effects: effects.split('|') as Effect[],
        line: line.replaceAll(/\\(u([\da-f]{4})|.)/g, (_, each: string, code?: string) =>
          code ? String.fromCharCode(Number.parseInt(code, 16)) : (ESCAPES[each] ?? each),
        ),
      };
    });
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t' };

export async function effectOf(
  judge: CommandJudge,
  line: string,
  rules: readonly CommandRule[],
  shell: string | undefined = 'bash',
): Promise<Effect> {
  return (await verdictOf(judge, line, rules, shell)).effect ?? 'ask';
}

export async function verdictOf(judge: CommandJudge, line: string, rules: readonly CommandRule[], shell?: string): Promise<CommandVerdict> {
  return judge.judge({ kind: 'command', command: line, shell, cwd: '/w' }, rules);
}
