/**
 * Files that the page says were dropped on it. Only the page has seen the drop, and what shows an agent's text is not believed: what the session may
 * read anyway is attached as it comes, anything else once the user has agreed to it by its real path.
 */
import path from 'node:path';

/** A file that was dropped; absolute paths. */
export interface Dropped {
  readonly file: string;
  /** On another machine: asking for it would already tell that machine who the user is. */
  readonly isRemote: boolean;
}

/** What happens to a file: attached at once, asked about by its real path, or named as one that cannot be had. */
export type Verdict = { readonly attach: string } | { readonly ask: string } | { readonly refuse: string };

export interface DroppedFilesDependencies {
  /** Where the path really lies, in the folders of the session and the workspace. @throws when it is in none of them */
  inside(file: string): Promise<string>;
  /** Where links lead to. */
  realPath(file: string): Promise<string>;
  /** An agent would have to ask before it reads the file. */
  isProtected(file: string, realPath: string): Promise<boolean>;
}

/**
 * Whether an address of VS Code names a file of the machine that we run on. Its own views hand a page addresses as the window has them: in a remote
 * window with the machine's name, which may be more than what VS Code calls that remote (`ssh-remote+box` of `ssh-remote`).
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

/** In the order they came. Never rejects. */
export function judgeDropped(dropped: readonly Dropped[], ports: DroppedFilesDependencies): Promise<Verdict[]> {
  return Promise.all(dropped.map((each) => judge(each, ports)));
}

async function judge({ file, isRemote }: Dropped, { inside, realPath, isProtected }: DroppedFilesDependencies): Promise<Verdict> {
  if (isRemote || !path.isAbsolute(file)) {
    return { refuse: file };
  }
  const real = await inside(file).catch(() => undefined);
  if (real !== undefined && !(await isProtected(file, real))) {
    return { attach: file };
  }
  return realPath(real ?? file).then(
    (asked): Verdict => ({ ask: asked }),
    (): Verdict => ({ refuse: file }),
  );
}
