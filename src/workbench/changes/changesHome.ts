/** Puts together what follows changes, shows those that wait, and acts on them. Loaded with the first turn, or one of the commands. */
import { failureOf } from '../../core/model/failure';
import { isReadOnlyHere } from '../../core/model/select';
import type { Disposable } from '../../core/model/ports';
import { DisposableStore } from '../../util/disposable';
import type { ChangeCommandName } from './changeCommandIds';
import type { ChangeCommands } from './changeCommands';
import type { CheckpointStorage } from './restore/checkpointStorage';
import { Changes, type ChangesDependencies } from './changes';
import type { ChangeIntent } from './changeIntent';
import { OpenReviews } from './review/openReviews';
import { pendingOf } from './review/pendingFiles';
import { PendingSessions, type PendingSessionsDependencies } from './pendingSessions';
import type { Session } from '../../session/session';
import type { ReportActions } from './reportActions';
import type { RestoreCommands, RestoreDependencies } from './restore/restoreCommands';
import type { SessionChanges } from './sessionChanges';
import type { VersionDocuments } from './versionDocuments';
import type { ReviewSurfaces } from './reviewSurfaces';
import { EditorWritePreviews } from './writePreviews';
import type { LineComments } from '../comments/lineComments';
import type { SessionStorage } from '../../session/storage/sessionStorage';
import { showFailure } from '../shared/showFailure';
import type { UserActivity } from '../shared/userActivity';

export interface ChangesHomeDependencies
  extends Omit<ChangesDependencies, 'folderOf' | 'isLiveElsewhere'>,
    Pick<RestoreDependencies, 'restoreConversation' | 'show' | 'discard'> {
  readonly journals: Pick<SessionStorage, 'folders' | 'changesFolder' | 'isLiveElsewhere' | 'journalSize'>;
  /** `ExtensionContext.workspaceState`. */
  readonly state: PendingSessionsDependencies['state'];
  readonly activity: UserActivity;
  /** Returns a running or stored session; shows a message for a deleted one. */
  read(key: string): Promise<Session | undefined>;
  /** Returns a running or stored session; undefined for a deleted one. */
  readBack(key: string): Promise<Session | undefined>;
  /** The key of the session in front. */
  activeKey(): string | undefined;
  /** See `ChangeCommandsDependencies.sessionKeyIn`. */
  sessionKeyIn(command: string, args: readonly unknown[]): Promise<string | undefined>;
  /** Undefined while there is no session. */
  comments(): Promise<LineComments | undefined>;
  /** Asks the user for a comment on the lines of the active editor. */
  commentForAgent(): Promise<void>;
  openPlan(): Promise<void>;
}

/** Commands that show changes of all sessions. */
const ON_ALL_SESSIONS: ReadonlySet<ChangeCommandName> = new Set(['reviewAllChanges', 'nextChange', 'previousChange']);

/** ms after the first changes until it is looked whether all sessions together keep too much. */
const LIMIT_MS = 30_000;

export class ChangesHome implements Disposable {
  readonly changes: Changes;
  readonly previews: EditorWritePreviews;
  private readonly reviews = new OpenReviews();
  private readonly owned = new DisposableStore();
  private readonly stored: PendingSessions;
  private surfacesLoading: Promise<ReviewSurfaces> | undefined;
  private commandsLoading: Promise<ChangeCommands> | undefined;
  private versionsLoading: Promise<VersionDocuments> | undefined;
  private restoresLoading: Promise<RestoreCommands> | undefined;

  constructor(private readonly ports: ChangesHomeDependencies) {
    const changes = (this.changes = this.owned.add(
      new Changes({
        ...ports,
        folderOf: (key) => ports.journals.changesFolder(key),
        isLiveElsewhere: (key) => ports.journals.isLiveElsewhere(key),
      }),
    ));
    this.previews = this.owned.add(new EditorWritePreviews((roots, write) => changes.accept(roots, write)));
    this.owned.add(
      ports.clock.after(LIMIT_MS, () => {
        void this.storage()
          .then((storage) => storage.enforceLimit())
          .catch((error: unknown) => ports.log.warn(`Checkpoints: ${String(error)}`));
      }),
    );
    this.stored = new PendingSessions({
      state: ports.state,
      log: ports.log,
      isOpen: (key) => changes.get(key) !== undefined,
      isLiveElsewhere: (key) => ports.journals.isLiveElsewhere(key),
      journalSize: (key) => ports.journals.journalSize(key),
      load: async (key) => {
        const session = await ports.readBack(key);
        await (session && !isReadOnlyHere(session.store.state) && this.follow(session));
      },
    });
    this.owned.add(
      changes.onDidChange(() => {
        this.stored.remember(changes.reviewed);
        void (changes.pending.length > 0 && this.surfaces());
      }),
    );
  }

  /** Shows the pending changes of stored sessions, after a reload of the window. */
  async showStored(): Promise<void> {
    await this.stored.showNewest();
  }

  async run(name: ChangeCommandName, args: readonly unknown[]): Promise<unknown> {
    if (ON_ALL_SESSIONS.has(name)) {
      await this.stored.showAll();
    }
    const commands = await (this.commandsLoading ??= import('./changeCommands').then(
      ({ ChangeCommands }) =>
        new ChangeCommands(this.changes, {
          reviews: this.reviews,
          baselines: async () => (await this.surfaces()).baselines,
          restores: () => this.restores(),
          previews: () => this.previews,
          reports: () => this.reports(),
          sessionKeyIn: (command, given) => this.ports.sessionKeyIn(command, given),
          reviewSession: async (key) => this.reviewSession(await this.read(key)),
          deleteCheckpoints: async () => (await this.storage()).deleteAll(),
          comments: () => this.ports.comments(),
          commentForAgent: () => this.ports.commentForAgent(),
          openPlan: () => this.ports.openPlan(),
        }),
    ));
    return commands.run(name, args);
  }

  /** False where it has nothing of what is to be opened. Never rejects. */
  async act(session: Session, intent: ChangeIntent): Promise<boolean> {
    try {
      return await this.tryAct(session, intent);
    } catch (error) {
      this.ports.log.error(`${intent.type}: ${String(error)}`);
      void showFailure('error', failureOf(error));
      return true;
    }
  }

  private async tryAct(session: Session, intent: ChangeIntent): Promise<boolean> {
    if (intent.type === 'restore_checkpoint') {
      await (await this.restores()).restoreCheckpoint(session, intent.entryId);
      return true;
    }
    const changes = this.changes.get(session.key);
    if (!changes) {
      return false;
    }
    if (intent.type === 'review_changes') {
      await this.reviewChanges(changes, intent);
      return true;
    }
    if (intent.type === 'open_turn_file') {
      const { openTurnFile } = await import('./sessionReview');
      return openTurnFile(changes, await this.versions(), intent.entryId, intent.file);
    }
    await (await this.reports())[intent.act](changes, intent.path);
    return true;
  }

  dispose(): void {
    this.owned.dispose();
  }

  /** Runs the same commands as the menus of the Source Control view, for a file or for all of the session. */
  private async reviewChanges(changes: SessionChanges, { act, path }: Extract<ChangeIntent, { type: 'review_changes' }>): Promise<void> {
    if (path === undefined) {
      const all = { keep: 'keepAllChanges', undo: 'undoAllChanges', open: 'reviewAllChanges' } as const;
      await this.run(all[act], [changes.key]);
      return;
    }
    // The page names a file as the session does.
    const file = pendingOf(changes).find((each) => changes.uriOf(each.path).fsPath === path);
    if (file) {
      const one = { keep: 'keepFileChanges', undo: 'undoFileChanges', open: 'openFileChanges' } as const;
      await this.run(one[act], [{ sessionKey: changes.key, path: file.path }]);
    }
  }

  private restores(): Promise<RestoreCommands> {
    return (this.restoresLoading ??= this.createRestores());
  }

  private async createRestores(): Promise<RestoreCommands> {
    const [{ RestoreCommands, worksInFolderOf }, { RestorePicks }] = await Promise.all([
      import('./restore/restoreCommands'),
      import('./restore/restorePicks'),
    ]);
    const { changes, ports } = this;
    return new RestoreCommands({
      picks: new RestorePicks(ports.activity, () => ports.clock.now(), await this.versions()),
      active: () => this.active(),
      changesOf: (key) => this.read(key),
      follow: (session) => this.follow(session),
      documentOf: (real) => changes.documentOf(real),
      isBusy: (each) => worksInFolderOf(each, changes.sessions),
      restoreConversation: (session, entryId) => ports.restoreConversation(session, entryId),
      show: (session) => ports.show(session),
      discard: async (session) => {
        (await changes.follow(session)).dispose();
        await ports.discard(session);
      },
    });
  }

  private async reports(): Promise<ReportActions> {
    const { ReportActions } = await import('./reportActions');
    return new ReportActions({ activity: this.ports.activity, versions: await this.versions() });
  }

  private async reviewSession(changes: SessionChanges | undefined): Promise<void> {
    const { reviewSession, sayNothing } = await import('./sessionReview');
    await (changes ? reviewSession(changes, await this.versions()) : sayNothing());
  }

  /** Reads the changes of a session that may not be open. @param key absent: the one in front */
  private async read(key: string | undefined): Promise<SessionChanges | undefined> {
    const session = key === undefined || this.changes.get(key) ? undefined : await this.ports.read(key);
    return session ? this.follow(session) : this.active(key);
  }

  private async follow(session: Session): Promise<SessionChanges | undefined> {
    await this.changes.follow(session);
    await this.changes.get(session.key)?.ready();
    return this.changes.get(session.key);
  }

  private active(key = this.ports.activeKey()): SessionChanges | undefined {
    return key === undefined ? this.changes.sessions.at(-1) : this.changes.get(key);
  }

  private versions(): Promise<VersionDocuments> {
    return (this.versionsLoading ??= import('./versionDocuments').then(({ VersionDocuments }) =>
      this.owned.add(new VersionDocuments(this.changes)),
    ));
  }

  private async storage(): Promise<CheckpointStorage> {
    const { CheckpointStorage } = await import('./restore/checkpointStorage');
    const { ports, changes } = this;
    return new CheckpointStorage({
      folders: ports.journals.folders,
      log: ports.log,
      open: () => changes.sessions,
      isLiveElsewhere: (key) => ports.journals.isLiveElsewhere(key),
    });
  }

  private surfaces(): Promise<ReviewSurfaces> {
    return (this.surfacesLoading ??= import('./reviewSurfaces').then(({ ReviewSurfaces }) =>
      this.owned.add(new ReviewSurfaces(this.changes, this.ports.clock, this.reviews)),
    ));
  }
}
