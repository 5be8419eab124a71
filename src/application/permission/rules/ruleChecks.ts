/** Checks what needs the reader of command lines: the patterns of commands, and the examples of rules. Each rule is checked once. */
import type { CommandJudge } from '../../../policy/rules/commandJudge';
import { exampleProblem } from '../../../policy/rules/examples';
import type { UserRule } from '../../../policy/rules/userRule';
import type { Problem } from './ruleProblems';

export class RuleChecks {
  /** The results by the rule's text. */
  private readonly results = new Map<string, Problem | undefined>();

  constructor(private readonly judge: () => Promise<CommandJudge>) {}

  problemOf(rule: UserRule): Problem | undefined {
    const text = textOf(rule);
    return this.results.has(text) ? this.results.get(text) : needsCheck(rule) ? { code: 'unchecked' } : undefined;
  }

  /** Resolves to true when some rule was checked for the first time. Never rejects. */
  async check(rules: readonly UserRule[]): Promise<boolean> {
    const open = rules.filter((rule) => needsCheck(rule) && !this.results.has(textOf(rule)));
    const problems = await Promise.all(
      open.map((rule) => this.find(rule).catch((error): Problem => ({ code: 'command', detail: String(error) }))),
    );
    open.forEach((rule, index) => this.results.set(textOf(rule), problems[index]));
    return open.length > 0;
  }

  /** Resolves to the first mistake in the pattern or the examples. */
  async find(rule: UserRule): Promise<Problem | undefined> {
    const detail = rule.command === undefined ? undefined : (await this.judge()).problemOf(rule.command);
    return detail === undefined ? exampleProblem(rule, this.judge) : { code: 'command', detail };
  }
}

function needsCheck({ command, match = [], notMatch = [] }: UserRule): boolean {
  return command !== undefined || match.length + notMatch.length > 0;
}

/** The exact content of a rule, by which it is recognized. */
export function textOf(rule: UserRule): string {
  return JSON.stringify(Object.entries(rule).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
