/** **ACP: Compare Agents…**: sends one prompt to several agents, each in its own worktree, with their sessions side by side. */
import path from 'node:path';
import * as vscode from 'vscode';
import type { CatalogEntry } from '../../agent/catalog';
import { setupIn } from '../../core/model/sessionSetup';
import type { Session } from '../../session/session';
import { free, slug } from '../../worktree/names';
import type { NewSessionChoice } from '../sessions/newSession';
import { type AgentItem, agentItem } from '../agents/agentItems';
import { agentRows } from '../../application/agents/agentRows';
import { viewTypes } from '../../application/shared/ids';
import type { Preset } from '../../application/presets/preset';
import { presetRows } from '../../application/presets/presetRows';
import { readPresets } from '../presets/readPresets';
import { t, verbatim } from '../shared/l10n';
import { separator, window } from '../shared/window';
import { askForChanges, takenNote } from './changesToTake';
import { createWorktree, folderIn } from './newWorktree';
import type { WorktreeContext, WorkspaceRepository } from './worktreeContext';

/** The number of editor groups that are readable side by side. */
const MAX_AGENTS = 4;
/** The time in ms that VS Code gets to show a new editor. */
const SHOWN_MS = 5000;

/** Asks for the agents and the prompt, and starts the sessions. @throws Fault */
export async function compareAgents(
  context: WorktreeContext,
  found: WorkspaceRepository,
  entries: readonly CatalogEntry[],
  start: (choice: NewSessionChoice) => Promise<Session>,
): Promise<void> {
  const agents = await chooseAgents(context, entries);
  if (agents.length === 0) {
    return;
  }
  const { repository, inside } = found;
  const { names, current } = await context.worktrees.branches(repository);
  const from = current ?? path.basename(repository.opened);
  const takes = await askForChanges(context, repository, { type: 'current' }, from);
  const prompt = takes === undefined ? undefined : await askPrompt(context);
  if (takes === undefined || prompt === undefined) {
    return;
  }
  const taken = [...names];
  const about = slug(prompt.slice(0, 60)) || 'prompt';
  for (const [index, { entry, preset }] of agents.entries()) {
    const { launch } = entry;
    const name = preset?.name ?? entry.agentName;
    const branch = free(`compare/${about}/${slug(name) || `agent-${index + 1}`}`, taken);
    taken.push(branch);
    // Sequentially, because Git locks the shared files.
    const { worktree, taken: files } = await createWorktree(context, repository, branch, { type: 'current' }, takes);
    const cwd = await folderIn(worktree, inside);
    const before = sessionTabs();
    const session = await start({ launch, setup: setupIn({ cwd, additionalDirectories: [] }), preset });
    if (files.length > 0) {
      session.store.append(takenNote({ from, files }));
    }
    session.submit([{ type: 'text', text: prompt }]);
    if (index > 0 && (await isShown(before))) {
      await vscode.commands.executeCommand('workbench.action.moveEditorToRightGroup');
    }
  }
}

/** An agent, alone or as part of a preset. */
interface Compared {
  readonly entry: CatalogEntry;
  readonly preset?: Preset | undefined;
}

/** Returns the number of editors with sessions. */
function sessionTabs(): number {
  return vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).filter(isSession).length;
}

function isSession({ input }: vscode.Tab): boolean {
  return input instanceof vscode.TabInputWebview && input.viewType.endsWith(viewTypes.session);
}

/** Resolves to true when a new session editor exists and is active. VS Code creates it asynchronously. */
async function isShown(before: number): Promise<boolean> {
  const isThere = (): boolean => {
    const { activeTab } = vscode.window.tabGroups.activeTabGroup;
    return sessionTabs() > before && activeTab !== undefined && isSession(activeTab);
  };
  return (
    isThere() ||
    new Promise((resolve) => {
      const done = (shown: boolean): void => {
        changes.dispose();
        clearTimeout(timeout);
        resolve(shown);
      };
      const changes = vscode.window.tabGroups.onDidChangeTabs(() => isThere() && done(true));
      const timeout = setTimeout(() => done(false), SHOWN_MS);
    })
  );
}

/** Presets of configured agents are offered below the agents. */
async function chooseAgents({ activity }: WorktreeContext, entries: readonly CatalogEntry[]): Promise<readonly Compared[]> {
  const presets = presetRows(readPresets(), entries, t, verbatim).filter(({ entry }) => entry);
  const rows: (AgentItem & { readonly preset?: Preset })[] = [
    ...agentRows(entries, {}, t).map(agentItem),
    ...(presets.length > 0 ? [separator(t('Presets')), ...presets] : []),
  ];
  const title = t('Compare Agents');
  for (;;) {
    const options = {
      title,
      placeHolder: t('Select 2 to {count} agents', { count: MAX_AGENTS }),
      canPickMany: true,
      ignoreFocusOut: true,
    } as const;
    const chosen = await activity.during(() => window.showQuickPick(rows, options));
    const agents = (chosen ?? []).flatMap(({ entry, preset }) => (entry ? [{ entry, preset }] : []));
    if (!chosen || (agents.length > 1 && agents.length <= MAX_AGENTS)) {
      return agents;
    }
    void window.showInformationMessage(t('Select 2 to {count} agents', { count: MAX_AGENTS }));
  }
}

function askPrompt({ activity }: WorktreeContext): Promise<string | undefined> {
  return activity.during(
    () =>
      new Promise<string | undefined>((resolve) => {
        const input = window.createInputBox();
        input.title = t('Compare Agents');
        input.prompt = t('The message that each agent gets');
        input.ignoreFocusOut = true;
        input.onDidAccept(() => {
          if (input.value.trim() !== '') {
            resolve(input.value);
            input.hide();
          }
        });
        input.onDidHide(() => {
          resolve(undefined);
          input.dispose();
        });
        input.show();
      }),
  );
}
