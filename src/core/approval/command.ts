/** Reads the command in a tool's raw input, as agents of protocol v1 name it. Pure; the page, the quick pick and find share it. */

/** Returns the command line. Undefined where the input has none, or has arguments that are not strings: those are shown with the whole input. */
export function commandIn(rawInput: unknown): string | undefined {
  const { command, args } = fieldsOf(rawInput);
  const words: unknown = Array.isArray(command)
    ? command
    : typeof command === 'string' && Array.isArray(args)
      ? [command, ...(args as unknown[])]
      : undefined;
  if (Array.isArray(words) && words.length > 0 && words.every((word) => typeof word === 'string')) {
    return words.map(quoted).join(' ');
  }
  return typeof command === 'string' && command.trim() !== '' && (args === undefined || args === null) ? command : undefined;
}

/** Returns the command as titles write it: the words joined by spaces, without quotes. */
export function unquotedCommandIn(rawInput: unknown): string | undefined {
  const { command, args } = fieldsOf(rawInput);
  const words: unknown[] = [command, args].flat();
  return Array.isArray(command) || Array.isArray(args) ? words.filter((word) => typeof word === 'string').join(' ') : undefined;
}

/** Returns the ways in which a title may write the command, the script of a shell (`bash -lc`) among them. */
export function spellingsIn(rawInput: unknown): readonly string[] {
  const { command } = fieldsOf(rawInput);
  const [, flag, script, ...more]: readonly unknown[] = Array.isArray(command) ? command : [];
  const isScript = typeof flag === 'string' && /^-[a-z]*c$/.test(flag) && typeof script === 'string' && more.length === 0;
  return [commandIn(rawInput), unquotedCommandIn(rawInput), isScript ? script : undefined].filter((each) => each !== undefined);
}

/** Returns the description that the model gave the command. */
export function descriptionIn(rawInput: unknown): string | undefined {
  const { description } = fieldsOf(rawInput);
  return typeof description === 'string' && description.trim() !== '' ? description : undefined;
}

/** Returns the folder that the command would run in. */
export function cwdIn(rawInput: unknown): string | undefined {
  const { cwd } = fieldsOf(rawInput);
  return typeof cwd === 'string' && cwd !== '' ? cwd : undefined;
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** Quotes an argument that has any other character, so that its end is visible. */
function quoted(word: string): string {
  return /^[\w@%+=:,./\\-]+$/.test(word) ? word : JSON.stringify(word);
}
