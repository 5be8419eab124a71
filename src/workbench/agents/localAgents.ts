/** The agents on this machine, for the window. Loaded with the first question for an agent. */
import { homedir } from 'node:os';
import type * as vscode from 'vscode';
import { LocalPrograms } from '../../application/agents/localPrograms';
import { systemClock } from '../../util/clock';
import { workspaceFolders } from '../window/workspaceFolders';

/** ms that a question waits. A PATH with network folders takes too long; the next question has the result. */
const LOOK_MS = 300;

export interface LocalAgents {
  readonly programs: LocalPrograms;
  /** Probes the machine, and resolves after a short time anyway. */
  look(): Promise<void>;
}

/** @param globalState `ExtensionContext.globalState`, which belongs to the machine of the extension host */
export function localAgents(globalState: Pick<vscode.Memento, 'get' | 'update'>): LocalAgents {
  const { env: environment, platform } = process;
  const programs = new LocalPrograms({
    environment,
    home: homedir(),
    platform,
    storage: globalState,
    now: () => systemClock.now(),
    projects: workspaceFolders,
  });
  return {
    programs,
    look: async () => {
      let timer: NodeJS.Timeout | undefined;
      await Promise.race([programs.probe(), new Promise<void>((resolve) => (timer = setTimeout(resolve, LOOK_MS)))]);
      clearTimeout(timer);
    },
  };
}
