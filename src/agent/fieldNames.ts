/** Recognizes misspelled fields of an agent's entry. Pure. */

/** The fields of an entry in `acpHost.agents`. */
export const ENTRY_FIELDS = ['name', 'command', 'args', 'env', 'cwd', 'timeoutMs', 'protocol'] as const;
export type EntryField = (typeof ENTRY_FIELDS)[number];

/** Names that other programs use for these fields, in lower case. */
const OTHER_NAMES: Readonly<Record<EntryField, readonly string[]>> = {
  name: ['displayname', 'agentname'],
  command: ['cmd', 'commandline', 'program', 'executable', 'exec', 'binary', 'bin', 'path', 'run'],
  args: ['arg', 'arguments', 'argv'],
  env: ['envs', 'environment', 'environmentvariables', 'envvars', 'variables', 'vars'],
  cwd: ['dir', 'directory', 'folder', 'pwd', 'workdir', 'workingdir', 'workingdirectory', 'workingfolder'],
  protocol: ['protocolversion', 'acpversion', 'acp'],
  timeoutMs: ['timeout', 'timeoutseconds', 'timelimit', 'timeoutmillis'],
};
/** Wrong letters that are tolerated in a name that is long enough to be recognized. */
const MAX_TYPOS = 2;
const MAX_NAME = 40;

/** The field that the unknown `name` most likely means. Undefined when it resembles no field. */
export function meantField(name: string): EntryField | undefined {
  const plain = name.toLowerCase().replace(/[\s_-]/g, '');
  if (plain === '' || name.length > MAX_NAME) {
    return undefined;
  }
  return (
    ENTRY_FIELDS.find((field) => field.toLowerCase() === plain || OTHER_NAMES[field].includes(plain)) ??
    ENTRY_FIELDS.find((field) => distance(field.toLowerCase(), plain) <= Math.min(MAX_TYPOS, Math.floor((field.length - 1) / 2)))
  );
}

/** The edit distance from `a` to `b`: letters that are added, removed, replaced or swapped with their neighbor. */
function distance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const replaced = rows[i - 1]![j - 1]! + (isSame ? 0 : 1);
      row.push(Math.min(rows[i - 1]![j]! + 1, row[j - 1]! + 1, replaced, isSwapped ? rows[i - 2]![j - 2]! + 1 : Infinity));
    }
    rows.push(row);
  }
  return rows[a.length]![b.length]!;
}
