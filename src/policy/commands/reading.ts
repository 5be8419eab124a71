/** A command line as its shell would run it: the commands in it, and everything about it that is not certain. */

/** `bash` includes all shells with its grammar, such as `zsh` and `sh`. */
export type Shell = 'bash' | 'powershell' | 'cmd';

/** A part of a line that can run, read or write something which its commands do not name. */
export interface Doubt {
  /** The kind of syntax, or the reason. */
  readonly code: string;
  readonly start: number;
  readonly end: number;
}

export interface Redirection {
  /** `reads`: input from a file. `writes`: output into a file. */
  readonly access: 'reads' | 'writes';
  /** The file as the line names it. Undefined when only the shell knows it. */
  readonly target: string | undefined;
}

/** One command of a line. */
export interface CommandSegment {
  /** The offsets of its text in the line, in UTF-16 units. A command inside another one has those of the outer one's text. */
  readonly start: number;
  readonly end: number;
  /** The program and its arguments, without quotes. Undefined: a word that only the shell knows. */
  readonly words: readonly (string | undefined)[];
  /** The names of the variables that are set in front of the program. */
  readonly assigns: readonly string[];
  readonly redirections: readonly Redirection[];
  /** The folder in which it runs: a path relative to the folder of the line, `''` for that folder. Undefined when it is not certain. */
  readonly folder: string | undefined;
  /** The commands that it runs itself, such as the one behind `sudo`. */
  readonly inner: readonly CommandSegment[];
  /** True for a change to the session's folder, or to a folder in it, by its absolute path. */
  readonly staysInside?: true;
  /** True for a program that adds nothing to the command that it runs, such as `timeout`. */
  readonly isTransparent: boolean;
}

export interface CommandReading {
  /** In the order of the line. Commands in substitutions come before the one that contains them. */
  readonly segments: readonly CommandSegment[];
  readonly doubts: readonly Doubt[];
}

/** The folders that an absolute path in a line may be in. */
export interface LineFolders {
  /** The folder of the line. */
  readonly cwd?: string | undefined;
  /** The session's folder. */
  readonly session?: string | undefined;
}

/** Reads a line that is known by its shell. Never rejects because of the line. */
export interface LineReader {
  read(line: string, folders?: LineFolders): CommandReading;
}

/** UTF-16 units of a line that is read. A longer line is a doubt as a whole. */
export const MAX_LINE = 16 * 1024;
/** Commands of one line, and lines within lines. */
export const MAX_SEGMENTS = 200;
export const MAX_DEPTH = 24;

export function unread(line: string, code: string): CommandReading {
  return { segments: [], doubts: [{ code, start: 0, end: line.length }] };
}
