/** Puts together what follows changes, shows those that wait, and acts on them. Loaded with the first turn, or one of the commands. */
import type { Disposable } from '../../core/model/ports';
import { DisposableStore } from '../../util/disposable';
import type { ChangeCommandName } from './changeCommandIds';
import type { ChangeCommands } from './changeCommands';
import { Changes, type ChangesDependencies } from './changes';
import type { RestoreCommands } from './restoreCommands';
import type { ReviewSurfaces } from './reviewSurfaces';
import type { UserActivity } from '../shared/userActivity';

export interface ChangesHomeDependencies extends ChangesDependencies {
  readonly activity: UserActivity;
  /** The key of the session in front. */
  activeKey(): string | undefined;
}

export class ChangesHome implements Disposable {
  readonly changes: Changes;
  private readonly owned = new DisposableStore();
  private surfacesLoading: Promise<ReviewSurfaces> | undefined;
  private commandsLoading: Promise<ChangeCommands> | undefined;

  constructor(private readonly ports: ChangesHomeDependencies) {
    const changes = (this.changes = this.owned.add(new Changes(ports)));
    this.owned.add(changes.onDidChange(() => void (changes.pending.length > 0 && this.surfaces())));
  }

  async run(name: ChangeCommandName, args: readonly unknown[]): Promise<unknown> {
    const commands = await (this.commandsLoading ??= import('./changeCommands').then(
      ({ ChangeCommands }) =>
        new ChangeCommands(
          this.changes,
          async () => (await this.surfaces()).baselines,
          () => this.restores(),
        ),
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

  private surfaces(): Promise<ReviewSurfaces> {
    return (this.surfacesLoading ??= import('./reviewSurfaces').then(({ ReviewSurfaces }) =>
      this.owned.add(new ReviewSurfaces(this.changes, this.ports.clock)),
    ));
  }
}
