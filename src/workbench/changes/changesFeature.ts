/** Puts together what follows changes, shows those that wait, and acts on them. Loaded with the first turn, or one of the commands. */
import { isReadOnlyHere } from '../../core/model/select';
import type { Disposable } from '../../core/platform/disposable';
import { DisposableStore } from '../../util/disposable';
import { lazy } from '../../util/lazy';
import type { ChangeCommandName } from '../../application/shared/changeCommandIds';
import type { ChangeCommands } from './changeCommands';
import type { CheckpointStorage } from './restore/checkpointStorage';
import { Changes, type ChangesDependencies } from './changes';
import { OpenReviews } from './review/openReviews';
import { pendingOf } from './session/pendingFiles';
import { hasTitledTab, type ReviewTitles, storedTitles, storeTitle } from './review/reviewTabs';
import { PendingSessions, type PendingSessionsDependencies } from './pendingSessions';
import type { Session } from '../../session/session';
import type { ReportActions } from './reportActions';
import type { RestoreCommands, RestoreDependencies } from './restore/restoreCommands';
import type { SessionChanges } from './session/sessionChanges';
import { EditorWritePreviews } from './writePreviews';
import type { LineComments } from '../comments/lineComments';
import type { SessionStorage } from '../../session/storage/sessionStorage';
import type { UserActivity } from '../shared/userActivity';

export interface ChangesFeatureDependencies
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

export class ChangesFeature implements Disposable {
  readonly changes: Changes;
  readonly previews: EditorWritePreviews;
  private readonly reviews = new OpenReviews((title, groupId) => storeTitle(this.deps.state, title, groupId));
  private readonly owned = new DisposableStore();
  private readonly stored: PendingSessions;
  /** Restores files and conversations to the state before a message. */
  readonly restores = lazy(() => this.createRestores());
  private readonly surfaces = lazy(async () =>
    this.owned.add(new (await import('./review/reviewSurfaces')).ReviewSurfaces(this.changes, this.deps.clock, this.reviews)),
  );
  private readonly commands = lazy(() => this.createCommands());
  private readonly versions = lazy(async () =>
    this.owned.add(new (await import('./versions/versionDocuments')).VersionDocuments(this.changes)),
  );

  constructor(private readonly deps: ChangesFeatureDependencies) {
    const changes = (this.changes = this.owned.add(
      new Changes({
        ...deps,
        folderOf: (key) => deps.journals.changesFolder(key),
        isLiveElsewhere: (key) => deps.journals.isLiveElsewhere(key),
      }),
    ));
    this.previews = this.owned.add(new EditorWritePreviews((roots, write) => changes.accept(roots, write)));
    this.owned.add(
      deps.clock.after(LIMIT_MS, () => {
        void this.storage()
          .then((storage) => storage.enforceLimit())
          .catch((error: unknown) => deps.log.warn(`Checkpoints: ${String(error)}`));
      }),
    );
    this.stored = new PendingSessions({
      state: deps.state,
      log: deps.log,
      isOpen: (key) => changes.get(key) !== undefined,
      isLiveElsewhere: (key) => deps.journals.isLiveElsewhere(key),
      journalSize: (key) => deps.journals.journalSize(key),
      load: async (key) => {
        const session = await deps.readBack(key);
        await (session && !isReadOnlyHere(session.store.state) && this.follow(session));
      },
    });
    this.owned.add(
      changes.onDidChange(() => {
        this.stored.remember(changes.reviewed);
        void ((changes.pending.length > 0 || changes.isRunning) && this.surfaces());
      }),
    );
  }

  /** Shows the pending changes of stored sessions, and their reviews, after a reload of the window. */
  async showStored(): Promise<void> {
    await this.stored.showNewest();
    const titles = storedTitles(this.deps.state);
    if (hasTitledTab(titles)) {
      await this.restoreReviews(titles);
    }
  }

  private async restoreReviews(titles: ReviewTitles): Promise<void> {
    const [{ RestoredReviews }, commands] = await Promise.all([import('./review/restoredReviews'), this.commands()]);
    const restored = this.owned.add(
      new RestoredReviews({
        titles,
        isOpen: (label) => this.reviews.of(label, false) !== undefined,
        hasChanges: () => this.changes.pending.length > 0,
        activity: this.deps.activity,
        open: (groupId, show) => commands.openReview([groupId], show),
      }),
    );
    await restored.update();
  }

  async run(name: ChangeCommandName, args: readonly unknown[]): Promise<unknown> {
    if (ON_ALL_SESSIONS.has(name)) {
      await this.stored.showAll();
    }
    return (await this.commands()).run(name, args);
  }

  dispose(): void {
    this.owned.dispose();
  }

  /** Runs the same commands as the menus of the Source Control view, for a file or for all of the session. @param path as the session names the file */
  async review(sessionKey: string, act: 'keep' | 'undo' | 'open', path: string | undefined): Promise<void> {
    const changes = this.changes.get(sessionKey);
    if (changes && path === undefined) {
      const all = { keep: 'keepAllChanges', undo: 'undoAllChanges', open: 'reviewAllChanges' } as const;
      await this.run(all[act], [sessionKey]);
      return;
    }
    const file = changes && pendingOf(changes).find((each) => changes.uriOf(each.path).fsPath === path);
    if (file) {
      const one = { keep: 'keepFileChanges', undo: 'undoFileChanges', open: 'openFileChanges' } as const;
      await this.run(one[act], [{ sessionKey, path: file.path }]);
    }
  }

  /** Opens what a turn did to a file, by its index in the turn's list. Resolves to false when nothing of it was recorded. */
  async openTurnFile(sessionKey: string, entryId: string, file: number): Promise<boolean> {
    const changes = this.changes.get(sessionKey);
    const { openTurnFile } = await import('./sessionReview');
    return changes !== undefined && openTurnFile(changes, await this.versions(), entryId, file);
  }

  /** Compares or puts back saved lines. @param entryId of the request or the notice */
  async savedLines(sessionKey: string, act: 'compare' | 'put_back', entryId: string): Promise<void> {
    const changes = await this.read(sessionKey);
    const { savedLines } = await import('./overwrites/savedLines');
    await (changes && savedLines(changes, await this.versions(), act, entryId));
  }

  private async createCommands(): Promise<ChangeCommands> {
    const [{ ChangeCommands }, { OutdatedReviews }] = await Promise.all([import('./changeCommands'), import('./review/outdatedReviews')]);
    const commands = new ChangeCommands(this.changes, {
      reviews: this.reviews,
      baselines: async () => (await this.surfaces()).baselines,
      restores: () => this.restores(),
      previews: () => this.previews,
      reports: () => this.reports(),
      sessionKeyIn: (command, given) => this.deps.sessionKeyIn(command, given),
      reviewSession: async (key) => this.reviewSession(await this.read(key)),
      deleteCheckpoints: async () => (await this.storage()).deleteAll(),
      comments: () => this.deps.comments(),
      commentForAgent: () => this.deps.commentForAgent(),
      openPlan: () => this.deps.openPlan(),
    });
    const { changes, deps, reviews } = this;
    this.owned.add(
      new OutdatedReviews({
        changes,
        reviews,
        clock: deps.clock,
        activity: deps.activity,
        nameOf: (groupId) => commands.reviewName(groupId),
        filesOf: (groupId) => commands.reviewedFiles(groupId),
        open: (groupId) => commands.openReview([groupId], async () => undefined),
      }),
    );
    return commands;
  }

  private async createRestores(): Promise<RestoreCommands> {
    const [{ RestoreCommands, worksInFolderOf }, { RestorePicks }] = await Promise.all([
      import('./restore/restoreCommands'),
      import('./restore/restorePicks'),
    ]);
    const { changes, deps } = this;
    return new RestoreCommands({
      picks: new RestorePicks(deps.activity, () => deps.clock.now(), await this.versions()),
      active: () => this.active(),
      changesOf: (key) => this.read(key),
      follow: (session) => this.follow(session),
      documentOf: (real) => changes.documentOf(real),
      isBusy: (each) => worksInFolderOf(each, changes.sessions),
      restoreConversation: (session, entryId) => deps.restoreConversation(session, entryId),
      show: (session) => deps.show(session),
      discard: async (session) => {
        (await changes.follow(session)).dispose();
        await deps.discard(session);
      },
    });
  }

  /** The user's actions on the report about the changes. */
  async reports(): Promise<ReportActions> {
    const { ReportActions } = await import('./reportActions');
    return new ReportActions({ activity: this.deps.activity, versions: await this.versions() });
  }

  private async reviewSession(changes: SessionChanges | undefined): Promise<void> {
    const { reviewSession, showNoChanges } = await import('./sessionReview');
    await (changes ? reviewSession(changes, await this.versions()) : showNoChanges());
  }

  /** Reads the changes of a session that may not be open. @param key absent: the one in front */
  private async read(key: string | undefined): Promise<SessionChanges | undefined> {
    const session = key === undefined || this.changes.get(key) ? undefined : await this.deps.read(key);
    return session ? this.follow(session) : this.active(key);
  }

  private async follow(session: Session): Promise<SessionChanges | undefined> {
    await this.changes.follow(session);
    await this.changes.get(session.key)?.ready();
    return this.changes.get(session.key);
  }

  private active(key = this.deps.activeKey()): SessionChanges | undefined {
    return key === undefined ? this.changes.sessions.at(-1) : this.changes.get(key);
  }

  private async storage(): Promise<CheckpointStorage> {
    const { CheckpointStorage } = await import('./restore/checkpointStorage');
    const { deps, changes } = this;
    return new CheckpointStorage({
      folders: deps.journals.folders,
      log: deps.log,
      open: () => changes.sessions,
      isLiveElsewhere: (key) => deps.journals.isLiveElsewhere(key),
    });
  }
}
