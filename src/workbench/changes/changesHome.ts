/** Puts together what follows changes, shows those that wait, and acts on them. Loaded with the first turn, or one of the commands. */
import type { Disposable } from '../../core/model/ports';
import { DisposableStore } from '../../util/disposable';
import type { ChangeCommandName } from './changeCommandIds';
import type { ChangeCommands } from './changeCommands';
import type { CheckpointStorage } from './checkpointStorage';
import { Changes, type ChangesDependencies } from './changes';
import type { RestoreCommands } from './restoreCommands';
import type { ReviewSurfaces } from './reviewSurfaces';
import { EditorWritePreviews } from './writePreviews';
import type { SessionStorage } from '../../session/storage/sessionStorage';
import type { LineComments } from '../comments/lineComments';
import type { UserActivity } from '../shared/userActivity';

export interface ChangesHomeDependencies extends Omit<ChangesDependencies, 'folderOf'> {
  readonly journals: Pick<SessionStorage, 'root' | 'changesFolder' | 'isLiveElsewhere'>;
  readonly activity: UserActivity;
  /** The key of the session in front. */
  activeKey(): string | undefined;
  /** Undefined while there is no session. */
  comments(): Promise<LineComments | undefined>;
  openPlan(): Promise<void>;
}

/** ms after the first changes until it is looked whether all sessions together keep too much. */
const LIMIT_MS = 30_000;

export class ChangesHome implements Disposable {
  readonly changes: Changes;
  readonly previews: EditorWritePreviews;
  private readonly owned = new DisposableStore();
  private surfacesLoading: Promise<ReviewSurfaces> | undefined;
  private commandsLoading: Promise<ChangeCommands> | undefined;

  constructor(private readonly ports: ChangesHomeDependencies) {
    const changes = (this.changes = this.owned.add(new Changes({ ...ports, folderOf: (key) => ports.journals.changesFolder(key) })));
    this.previews = this.owned.add(new EditorWritePreviews((roots, write) => changes.accept(roots, write)));
    this.owned.add(
      ports.clock.after(LIMIT_MS, () => {
        void this.storage()
          .then((storage) => storage.enforceLimit())
          .catch((error: unknown) => ports.log.warn(`Checkpoints: ${String(error)}`));
      }),
    );
    this.owned.add(changes.onDidChange(() => void (changes.pending.length > 0 && this.surfaces())));
  }

  async run(name: ChangeCommandName, args: readonly unknown[]): Promise<unknown> {
    const commands = await (this.commandsLoading ??= import('./changeCommands').then(
      ({ ChangeCommands }) =>
        new ChangeCommands(this.changes, {
          baselines: async () => (await this.surfaces()).baselines,
          restores: () => this.restores(),
          previews: () => this.previews,
          deleteCheckpoints: async () => (await this.storage()).deleteAll(),
          comments: () => this.ports.comments(),
          openPlan: () => this.ports.openPlan(),
        }),
    ));
    return commands.run(name, args);
  }

  dispose(): void {
    this.owned.dispose();
  }

  private async restores(): Promise<RestoreCommands> {
    const { RestoreCommands } = await import('./restoreCommands');
    const { changes, ports } = this;
    return new RestoreCommands({
      activity: ports.activity,
      active: () => {
        const key = ports.activeKey();
        return key === undefined ? changes.sessions.at(-1) : changes.get(key);
      },
      documentOf: (real) => changes.documentOf(real),
      now: () => ports.clock.now(),
    });
  }

  private async storage(): Promise<CheckpointStorage> {
    const { CheckpointStorage } = await import('./checkpointStorage');
    const { ports, changes } = this;
    return new CheckpointStorage({
      root: ports.journals.root,
      log: ports.log,
      open: () => changes.sessions,
      isLiveElsewhere: (key) => ports.journals.isLiveElsewhere(key),
    });
  }

  private surfaces(): Promise<ReviewSurfaces> {
    return (this.surfacesLoading ??= import('./reviewSurfaces').then(({ ReviewSurfaces }) =>
      this.owned.add(new ReviewSurfaces(this.changes, this.ports.clock)),
    ));
  }
}
