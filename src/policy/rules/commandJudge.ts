/** The reader of command lines as the rules use it. Its code is loaded with the first command that a rule may decide. */
import type { Risk } from '../../core/advice/advice';
import type { CommandPart, Effect } from '../rule';

/** A rule about commands. */
export interface CommandRule {
  readonly id: string;
  readonly effect: Effect;
  /** A pattern of a command line, as `problemOf` accepts it. */
  readonly pattern: string;
}

/** A file that a command line writes by a redirection. */
export interface CommandWrite {
  /** Absolute; undefined where only the shell knows it. */
  readonly path: string | undefined;
}

/** A file that a word of a command line may name. */
export interface NamedFile {
  /** The text of the word. It may be a pattern, or begin with `~`. */
  readonly text: string;
  /** The folder of the command, relative to that of the line. Undefined when it is not certain. */
  readonly folder: string | undefined;
  readonly access: 'read' | 'write';
}

/** A part of the line, by its offsets. */
export interface JudgedSegment {
  readonly start: number;
  readonly end: number;
  /** The effect of the rules; undefined when none names the segment. */
  readonly effect: Effect | undefined;
}

export interface CommandVerdict {
  /** Undefined: no rule denies or asks, and some segment has no rule that allows it. */
  readonly effect: Effect | undefined;
  /** The rules that decided. */
  readonly ruleIds: readonly string[];
  readonly writes: readonly CommandWrite[];
  readonly segments: readonly JudgedSegment[];
  /** The files that its words may name. Absent where they are not known. */
  readonly names?: readonly NamedFile[];
  /** True when some of the line could not be read. */
  readonly isDoubtful?: boolean;
}

export interface CommandJudge {
  judge(part: CommandPart, rules: readonly CommandRule[]): CommandVerdict | Promise<CommandVerdict>;
  /** The reason why a pattern is not valid; undefined for a valid one. */
  problemOf(pattern: string): string | undefined;
  /** The patterns that a rule may have to cover this command, narrowest first. Never that of a program that runs others. */
  suggest(part: CommandPart): readonly string[];
  /** The effects of the command that the user should know of. */
  risks(part: CommandPart, roots: readonly string[]): readonly Risk[];
}
