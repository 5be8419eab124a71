/** The commands about worktrees, loaded with the first of them. */
import type * as vscode from 'vscode';
import { setupIn } from '../../core/model/sessionSetup';
import type { JournalSummary } from '../../session/journal/journalSummary';
import type { Session } from '../../session/session';
import { trustsFolder } from '../sessions/trust/folderTrust';
import { chooseNewSession, type NewSessionChoice, type NewSessionDependencies } from '../sessions/newSession';
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

  constructor(private readonly ports: WorktreeCommandDependencies) {
    this.context = new WorktreeContext(ports.activity, ports.globalStorageUri, ports.globalState);
  }

  /** Asks for the agent, and then for the worktree. */
  async newSession(): Promise<void> {
    const { context, ports } = this;
    await context.trying(async () => {
      const found = await context.repository();
      if (!found) {
        return;
      }
      await ports.settledAgents();
      const choice = await chooseNewSession(ports, undefined, undefined, (agentName) =>
        chooseWorktreeRoots(context, ports, found, agentName),
      );
      if (choice) {
        await ports.start(choice);
      }
    });
  }

  async manage(): Promise<void> {
    const { context, ports } = this;
    await context.trying(async () => {
      const found = await context.repository();
      if (!found) {
        return;
      }
      const { ManageWorktrees } = await import('./manageWorktrees');
      const start = async ({ path: cwd }: { readonly path: string }): Promise<void> => {
        const choice = await chooseNewSession(ports, cwd, undefined, async () =>
          (await trustsFolder(ports, cwd)) ? { cwd, additionalDirectories: [] } : undefined,
        );
        if (choice) {
          await ports.start({ ...choice, setup: setupIn({ cwd, additionalDirectories: [] }) });
        }
      };
      await new ManageWorktrees({ ...ports, context, start }).run(found.repository);
    });
  }

  async compare(): Promise<void> {
    const { context, ports } = this;
    await context.trying(async () => {
      const found = await context.repository();
      if (found) {
        await ports.settledAgents();
        const { compareAgents } = await import('./compareAgents');
        await compareAgents(context, found, ports.agents().catalog.entries, (choice) => ports.start(choice, { where: 'editor' }));
      }
    });
  }
}
