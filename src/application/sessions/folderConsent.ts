/** Decides which folders of an agent's session need the user's consent. Folders are compared and shown by their real paths. */
import { isForeignShare } from '../../core/model/networkPath';
import type { Roots } from '../../core/model/roots';
import { leadsOver, nodePaths, type PathSystem } from '../../util/realPath';
import { RootPins } from '../../util/rootPins';
import { holds } from '../window/workspacePaths';

export interface FolderConsent {
  /** Folders on network shares that hold no workspace folder. These machines were not contacted. */
  readonly foreign: readonly string[];
  /** Folders outside the workspace. `real`: the path that links resolve to, or the folder itself when it does not exist. */
  readonly asked: readonly { readonly folder: string; readonly real: string }[];
  /** The real paths of all folders at this moment, which the consent is for. */
  readonly pins: RootPins;
}

/**
 * Returns the folders with which a session of the agent's list is opened. One that can only be read gets the first folder of the workspace, because
 * it needs no folder here. The agent may be wrong about that, and then still has no further folder.
 * @param workspace absolute paths
 */
export function rootsToOpen(
  { cwd, additionalDirectories = [] }: Pick<Roots, 'cwd'> & Partial<Roots>,
  isReadOnly: boolean,
  workspace: readonly string[],
): Roots {
  const [first] = workspace;
  return isReadOnly && first !== undefined ? { cwd: first, additionalDirectories: [] } : { cwd, additionalDirectories };
}

/** @param named the folders as the agent sent them @param workspace absolute paths */
export async function foldersToAgreeTo(named: Roots, workspace: readonly string[], system: PathSystem = nodePaths): Promise<FolderConsent> {
  const own = new RootPins(system);
  const real = await Promise.all(workspace.map(async (folder) => (await own.of(folder))?.real ?? folder));
  const folders = [...new Set([named.cwd, ...named.additionalDirectories])];
  const isForeign = (path: string): boolean => isForeignShare(path, [...workspace, ...real]);
  const away = await Promise.all(folders.map((folder) => leadsOver(folder, isForeign, system)));
  const pins = new RootPins(system);
  const asked: { folder: string; real: string }[] = [];
  for (const folder of folders.filter((_, index) => !away[index])) {
    const target = (await pins.of(folder))?.real ?? folder;
    if (!real.some((root) => holds(root, target, system.path))) {
      asked.push({ folder, real: target });
    }
  }
  return { foreign: folders.filter((_, index) => away[index]), asked, pins };
}
