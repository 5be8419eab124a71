/** Which folders of an agent's session the user has to agree to: decided and told by where they really are. */
import { isForeignShare } from '../../core/model/networkPath';
import type { Roots } from '../../core/model/ports';
import { leadsOver, nodePaths, type PathSystem } from '../../util/realPath';
import { RootPins } from '../../util/rootPins';
import { holds } from '../shared/workspacePaths';

export interface FolderConsent {
  /** On shares of other machines, where no folder of the workspace is. They have not been asked for. */
  readonly foreign: readonly string[];
  /** Outside the workspace. `real`: where it leads; the same where there is none yet. */
  readonly asked: readonly { readonly folder: string; readonly real: string }[];
  /** What all of them are at this moment: what the user agrees to. */
  readonly pins: RootPins;
}

/** `named`: in the agent's words. `workspace`: absolute. */
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
