/** Names of branches and of the folders of worktrees. Pure. */

/** Device names of Windows, with and without an extension. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;
const MAX_FOLDER = 60;
const MAX_SLUG = 40;

/** Returns `text` as a part of a branch name: lower case letters, digits and hyphens; '' when no character is left. */
export function slug(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, MAX_SLUG)
    .replace(/-+$/, '');
}

/** Returns a folder name for this branch that is valid on all systems and not in `taken`, whatever the case of the letters. */
export function folderName(branch: string, taken: Iterable<string> = []): string {
  const plain = branch
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[-.]+/, '')
    .slice(0, MAX_FOLDER)
    .replace(/[-. ]+$/, '');
  const name = plain === '' || RESERVED.test(plain) ? `worktree-${plain}`.replace(/-$/, '') : plain;
  return free(name, taken);
}

/** Returns `name`, followed by the lowest number that makes it unique if `taken` has it. */
export function free(name: string, taken: Iterable<string>): string {
  const names = new Set([...taken].map((each) => each.toLowerCase()));
  let candidate = name;
  for (let number = 2; names.has(candidate.toLowerCase()); number++) {
    candidate = `${name}-${number}`;
  }
  return candidate;
}
