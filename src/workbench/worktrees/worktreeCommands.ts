/** The commands about worktrees, loaded with the first of them. */
import type * as vscode from 'vscode';
import { setupIn } from '../../core/model/sessionSetup';
import type { JournalSummary } from '../../session/journal/journalSummary';
import type { Session } from '../../session/session';
import { trustsFolder } from '../trust/folderTrust';
import { chooseNewSession, type NewSessionChoice, type NewSessionDependencies } from '../sessions/newSession';
import { type TakenChanges, takenNote } from './changesToTake';
import { chooseWorktreeRoots } from './newWorktree';
import { WorktreeContext } from './worktreeContext';

export interface WorktreeCommandDependencies extends NewSessionDependencies {
  readonly globalStorageUri: vscode.Uri;
  settledAgents(): Promise<void>;
  sessions(): readonly Session[];
  show(session: Session): void;
  /** Returns the stored sessions that are not open, newest first. */
  kept(): Promise<readonly JournalSummary[]>;
  openKept(key: string): Promise<void>;
  start(choice: NewSessionChoice, options?: { readonly where?: 'editor' }): Promise<Session>;
}

export class WorktreeCommands {
  private readonly context: WorktreeContext;

  constructor(private readonly deps: WorktreeCommandDependencies) {
    this.context = new WorktreeContext(deps.activity, deps.globalStorageUri, deps.globalState);
  }

  /** Asks for the agent, and then for the worktree. */
  async newSession(): Promise<void> {
    const { context, deps } = this;
    await context.trying(async () => {
      const found = await context.repository();
      if (!found) {
        return;
      }
      await deps.settledAgents();
      let taken: TakenChanges | undefined;
      const choice = await chooseNewSession(deps, undefined, undefined, (agentName) =>
        chooseWorktreeRoots(context, deps, found, agentName, (changes) => (taken = changes)),
      );
      const session = choice && (await deps.start(choice));
      if (session && taken) {
        session.store.append(takenNote(taken));
      }
    });
  }

  async manage(): Promise<void> {
    const { context, deps } = this;
    await context.trying(async () => {
      const found = await context.repository();
      if (!found) {
        return;
      }
      const { ManageWorktrees } = await import('./manageWorktrees');
      const start = async ({ path: cwd }: { readonly path: string }): Promise<void> => {
        const choice = await chooseNewSession(deps, cwd, undefined, async () =>
          (await trustsFolder(deps, cwd)) ? { cwd, additionalDirectories: [] } : undefined,
        );
        if (choice) {
          await deps.start({ ...choice, setup: setupIn({ cwd, additionalDirectories: [] }) });
        }
      };
      await new ManageWorktrees({ ...deps, context, start }).run(found.repository);
    });
  }

  async compare(): Promise<void> {
    const { context, deps } = this;
    await context.trying(async () => {
      const found = await context.repository();
      if (found) {
        await deps.settledAgents();
        const { compareAgents } = await import('./compareAgents');
        await compareAgents(context, found, deps.agents().catalog.entries, (choice) => deps.start(choice, { where: 'editor' }));
      }
    });
  }
}
