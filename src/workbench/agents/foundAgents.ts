/** The agents that are not the user's own settings: those of the workspace, and those on this machine. Loaded when there may be some. */
import { homedir } from 'node:os';
import type * as vscode from 'vscode';
import type { CatalogSources } from '../../agent/catalog';
import { LocalPrograms } from '../../application/agents/localPrograms';
import { systemClock } from '../../util/clock';
import { workspaceFolders } from '../window/workspaceFolders';
import { workspaceAgents } from './workspaceAgents';

/** ms that a question waits. A PATH with network folders takes too long; the next question has the result. */
const LOOK_MS = 300;

export interface FoundAgents {
  /** The agents as they are known. */
  /** @param predefined the list of registries; our own when absent */
  sources(predefined?: CatalogSources['predefined']): Pick<CatalogSources, 'workspace' | 'predefined' | 'programs'>;
  /** Resolves when `sources` has the programs of the last probe. */
  settle(): Promise<void>;
  /** Probes the machine, and resolves after a short time anyway. */
  look(): Promise<void>;
}

export function foundAgents({ globalState, workspaceState }: Pick<vscode.ExtensionContext, 'globalState' | 'workspaceState'>): FoundAgents {
  const { env: environment, platform } = process;
  const agents = workspaceAgents(workspaceState);
  const programs = new LocalPrograms({
    environment,
    home: homedir(),
    platform,
    storage: globalState,
    now: () => systemClock.now(),
    projects: workspaceFolders,
  });
  return {
    sources: (predefined) => ({ workspace: agents.launches(), predefined: programs.launches(predefined), programs: programs.installed }),
    settle: () => programs.settle(),
    look: async () => {
      let timer: NodeJS.Timeout | undefined;
      await Promise.race([programs.probe(), new Promise<void>((resolve) => (timer = setTimeout(resolve, LOOK_MS)))]);
      clearTimeout(timer);
    },
  };
}
