/**
 * Files that the page reports as dropped. Only the page has seen the drop, and a page that shows an agent's text is not trusted. Files that the
 * session may read anyway are attached at once. The user must agree to any other by its real path.
 */
import path from 'node:path';
import type { FileIdentity } from '../../util/checkedFiles';

/** A file that was dropped; absolute paths. */
export interface Dropped {
  readonly file: string;
  /** True for a file on another machine. Accessing it would already send that machine the user's credentials. */
  readonly isRemote: boolean;
}

/** A checked file, with its identity. It is read by that identity, so that a file that replaces it is not sent. */
export interface JudgedFile {
  /** `attach`: the session may read it, or the user has agreed to it. `ask`: the user has to agree first. `refuse`: it cannot be read. */
  readonly verdict: 'attach' | 'ask' | 'refuse';
  /** The absolute path that was checked. */
  readonly file: string;
  /** The file's real path, or `file` for a refused file. */
  readonly real: string;
  /** Undefined for a path without a file, and where files cannot be identified. */
  readonly identity?: FileIdentity;
}

export interface DroppedFilesDependencies {
  /** The real path of a file in the folders of the session and the workspace. @throws when it is in none of them */
  inside(file: string): Promise<string>;
  /** The real path of any file. */
  realPath(file: string): Promise<string>;
  /** True when an agent would have to ask before it reads the file. */
  isProtected(file: string, realPath: string): Promise<boolean>;
  /** Undefined for a file that cannot be identified. */
  identify(realPath: string): Promise<FileIdentity | undefined>;
  /** True when the user has agreed to this very file before. */
  isAgreed(identity: FileIdentity): boolean;
}

/**
 * True when an address of VS Code names a file on the machine that runs the extension. VS Code's own views give a page the window's addresses. In
 * a remote window these contain the machine's name, which may be longer than VS Code's name for the remote (`ssh-remote+box` for `ssh-remote`).
 * @param remoteName `vscode.env.remoteName`
 */
export function isOfThisMachine(
  { scheme, authority }: { readonly scheme: string; readonly authority: string },
  remoteName?: string,
): boolean {
  return (
    scheme === 'file' ||
    (scheme === 'vscode-remote' && remoteName !== undefined && (authority === remoteName || authority.startsWith(`${remoteName}+`)))
  );
}

/** Checks the files. Keeps their order. Never rejects. */
export function judgeDropped(dropped: readonly Dropped[], deps: DroppedFilesDependencies): Promise<JudgedFile[]> {
  return Promise.all(dropped.map(async (each) => (await judge(each, deps)) ?? { verdict: 'refuse', file: each.file, real: each.file }));
}

/** Resolves to undefined for a file that cannot be read. */
async function judge({ file, isRemote }: Dropped, deps: DroppedFilesDependencies): Promise<JudgedFile | undefined> {
  if (isRemote || !path.isAbsolute(file)) {
    return undefined;
  }
  const inside = await deps.inside(file).catch(() => undefined);
  const real = inside ?? (await deps.realPath(file).catch(() => undefined));
  if (real === undefined) {
    return undefined;
  }
  const identity = await deps.identify(real);
  // Another file has just replaced it.
  if (identity && identity.real !== real) {
    return undefined;
  }
  const isFree = inside !== undefined && !(await deps.isProtected(file, inside));
  const isAgreed = identity !== undefined && deps.isAgreed(identity);
  return { verdict: isFree || isAgreed ? 'attach' : 'ask', file, real, ...(identity && { identity }) };
}

/**
 * Records the files outside the session's folders: the user added them by hand, so its agent may read these very files. Files in its folders need
 * no consent, and a consent would also apply to those that are protected from reading. Never rejects.
 * @param contains true for a path in a folder of the session
 */
export async function agreeToOutside(
  files: readonly (FileIdentity | undefined)[],
  contains: (real: string) => Promise<boolean>,
  consents: { agree(file: FileIdentity): void },
): Promise<void> {
  const identified = files.filter((file) => file !== undefined);
  const areInside = await Promise.all(identified.map(({ real }) => contains(real)));
  identified.filter((_, at) => !areInside[at]).forEach((file) => consents.agree(file));
}
