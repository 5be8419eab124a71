/** Decides whether an agent may start in folders. Independent of VS Code; `folderTrust.ts` connects it to the window. */
import path from 'node:path';
import { liesIn } from '../../agent/environment/liesIn';
import type { Failure } from '../../core/model/failure';
import { isForeignShare } from '../../core/model/networkPath';
import type { FolderTrust } from '../../session/agent/folderTrust';
import { leadsOver } from '../../util/realPath';

export interface StartTrustDependencies {
  /** False in Restricted Mode. */
  isWindowTrusted(): boolean;
  /** The absolute paths of folders that are trusted with everything in them. Read for each start. */
  trusted(): readonly string[];
  /** Shows the question. Resolves to true when the user trusts the folder from now on. */
  ask(folder: string): Promise<boolean>;
}

/** Returns a check that runs for every start. Concurrent starts that need the same answer share one question. */
export function startTrust(deps: StartTrustDependencies): FolderTrust {
  const asking = new Map<string, Promise<boolean>>();
  const ask = (folder: string): Promise<boolean> => {
    const asked = asking.get(folder) ?? deps.ask(folder).finally(() => asking.delete(folder));
    asking.set(folder, asked);
    return asked;
  };
  const refusalOf = async (folders: readonly string[], byUser: boolean): Promise<Failure | undefined> => {
    const wanted = new Set(folders);
    let hasAsked = false;
    for (const folder of wanted) {
      if (await isTrustedFolder(folder, deps.trusted())) {
        continue;
      }
      if (!byUser || !path.isAbsolute(folder) || !(await ask(folder))) {
        return { code: 'session.folder_untrusted', params: { folder } };
      }
      hasAsked = true;
    }
    // While a question was open, a link may have been replaced, and trust may have been revoked. An answer applies to the folder that was shown.
    for (const folder of hasAsked ? wanted : []) {
      if (!(await isTrustedFolder(folder, deps.trusted()))) {
        return { code: 'session.folder_untrusted', params: { folder } };
      }
    }
    return deps.isWindowTrusted() ? undefined : { code: 'session.restricted_mode' };
  };
  return {
    isRestricted: () => !deps.isWindowTrusted(),
    check: ({ folders, byUser }, settled) => {
      if (!deps.isWindowTrusted()) {
        settled({ code: 'session.restricted_mode' });
        return;
      }
      void refusalOf(folders, byUser)
        .catch(
          (error: unknown): Failure => ({
            code: 'session.folder_untrusted',
            params: { folder: folders[0] ?? '' },
            detail: String(error),
          }),
        )
        .then(settled);
    },
  };
}

/**
 * Resolves to true when the real path of `folder` is inside one of `trusted`. A path to another machine is untrusted, unless one of `trusted` is
 * on its share, and that machine is not contacted.
 */
export async function isTrustedFolder(folder: string, trusted: readonly string[]): Promise<boolean> {
  return path.isAbsolute(folder) && !(await leadsOver(folder, (each) => isForeignShare(each, trusted))) && liesIn(folder, trusted);
}
