/** Judges command lines without a parser: a line of several commands, or one that is not plain, is allowed only as a whole. Pure. */
import { isSteering } from '../matching';
import type { CommandPart, Effect } from '../rule';
import type { CommandJudge, CommandRule, CommandVerdict } from './commandJudge';

const PLAIN = /^[\w@%+=:,./ -]+$/;
const SEPARATORS = /[;&|()\r\n]+/;
const ANY_ARGUMENTS = ' *';
/** Programs that run another command. */
const WRAPPERS =
  /^(?:sudo|doas|env|xargs|timeout|time|nohup|nice|stdbuf|watch|(?:ba|z|da|k|fi)?sh|pwsh|powershell|cmd|find|npx|bunx|eval|exec|ssh|docker|python3?|node|perl|ruby)$/;
const STRICTNESS: Readonly<Record<Effect, number>> = { allow: 0, ask: 1, deny: 2 };

export const plainJudge: CommandJudge = {
  judge: (part, rules) => judge(part, rules),
  problemOf: (pattern) => (/\*./.test(pattern) || /^\S*\*/.test(pattern.trim()) ? '`*` must be the last word' : undefined),
  suggest: ({ command, environment = [] }) => {
    const line = command.trim();
    const [program = '', subcommand] = line.split(' ');
    const isOffered = PLAIN.test(line) && !WRAPPERS.test(program.split('/').at(-1)!) && environment.length === 0;
    const isSubcommand = subcommand !== undefined && /^[a-z][\w:-]*$/.test(subcommand) && line !== `${program} ${subcommand}`;
    return isOffered ? [line, ...(isSubcommand ? [`${program} ${subcommand}${ANY_ARGUMENTS}`] : [])] : [];
  },
  risks: () => [],
};

function judge(part: CommandPart, rules: readonly CommandRule[]): CommandVerdict {
  const line = part.command.trim();
  const found = rules.filter((rule) => fits(rule, part, line)).toSorted((one, other) => STRICTNESS[other.effect] - STRICTNESS[one.effect]);
  const effect = found[0]?.effect;
  return {
    effect,
    ruleIds: found.map(({ id }) => id),
    writes: [],
    segments: [{ start: 0, end: part.command.length, effect }],
  };
}

function fits({ effect, pattern }: CommandRule, { environment = [] }: CommandPart, line: string): boolean {
  const start = pattern.endsWith(ANY_ARGUMENTS) ? pattern.slice(0, -ANY_ARGUMENTS.length).trim() : undefined;
  const matches = (text: string): boolean =>
    start === undefined ? text === pattern.trim() : text === start || text.startsWith(`${start} `);
  if (effect === 'allow') {
    return matches(line) && PLAIN.test(line) && !environment.some(isSteering);
  }
  return matches(line) || line.split(SEPARATORS).some((each) => matches(each.trim()));
}
