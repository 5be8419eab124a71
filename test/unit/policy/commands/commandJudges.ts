/** The judge of command lines with its real parsers. */
import path from 'node:path';
import { commandJudge } from '../../../../src/policy/commands/commandReader';
import { loadParser } from '../../../../src/policy/commands/treeSitter';
import type { CommandJudge, CommandRule, CommandVerdict } from '../../../../src/policy/rules/commandJudge';

export type ShellName = 'bash' | 'zsh' | 'pwsh' | 'cmd';

const PARSERS = path.resolve(__dirname, '../../../../node_modules/@vscode/tree-sitter-wasm/wasm');

let loaded: Promise<CommandJudge> | undefined;

async function load(): Promise<CommandJudge> {
  const of = (grammar: 'bash' | 'powershell'): ReturnType<typeof loadParser> => loadParser(grammar, (name) => path.join(PARSERS, name));
  const parsers = { bash: await of('bash'), powershell: await of('powershell') };
  return commandJudge({ parsers, runsPrograms: () => Promise.resolve(false), platform: 'linux' });
}

export function realJudge(): Promise<CommandJudge> {
  return (loaded ??= load());
}

/** Returns rules from texts such as `allow npm test *`. */
export function rulesOf(...texts: readonly string[]): readonly CommandRule[] {
  return texts.map((text, at) => {
    const [, effect, pattern] = /^(allow|ask|deny) (.+)$/s.exec(text)!;
    return { id: `rule-${at}`, effect: effect as CommandRule['effect'], pattern: pattern! };
  });
}

export async function verdictOn(shell: ShellName, line: string, rules: readonly CommandRule[]): Promise<CommandVerdict> {
  return (await realJudge()).judge({ kind: 'command', command: line, shell, cwd: '/work' }, rules);
}

/** `runs`: without a question. A write by a redirection needs a rule of its own. */
export async function outcomeOf(shell: ShellName, line: string, rules: readonly CommandRule[]): Promise<'runs' | 'deny' | 'ask' | 'held'> {
  const { effect, writes } = await verdictOn(shell, line, rules);
  return effect === 'allow' ? (writes.length === 0 ? 'runs' : 'held') : (effect ?? 'held');
}
