/** The further folders of a session (RFD "Additional directories"): asks the agent for other ones, and says when it does not know of them. */
import type { SessionHappening } from '../../core/model/event';
import type { Failure } from '../../core/model/failure';
import type { Roots } from '../../core/model/ports';
import { takesPrompts } from '../../core/model/select';
import type { Entrance } from './sessionOpener';
import { notReady, type Remarks } from '../sessionNotices';
import { SessionRoots } from './sessionRoots';
import type { RunningAgent } from '../agent/signIn';
import type { SessionStore } from '../store';

/** Its session. */
export interface FoldersHost {
  readonly store: SessionStore;
  readonly entrance: Entrance;
  readonly remarks: Remarks;
  /** Undefined while none runs. */
  agent(): RunningAgent | undefined;
  /** The event that says where it takes place. */
  opened(roots: Roots): SessionHappening;
  /** It takes prompts again. */
  entered(): void;
}

export class Folders {
  /** The user has been told that the agent does not know of the further folders. */
  private remarked = false;

  constructor(
    readonly roots: SessionRoots,
    private readonly host: FoldersHost,
  ) {
    roots.pins.onChanged = (folder) => host.remarks.warn('', { code: 'session.root_changed', params: { folder } });
  }

  /** As `Session.changeFolders`. */
  change(additionalDirectories: readonly string[]): Failure | undefined {
    const { store, entrance, remarks } = this.host;
    const agent = this.host.agent();
    const { state } = store;
    const { sessionId, offers } = state;
    if (!takesPrompts(state) || !agent || sessionId === undefined) {
      return notReady(state);
    }
    if (!offers.additionalDirectories || !(offers.load || offers.resume)) {
      return { code: 'session.folders_fixed' };
    }
    const roots = new SessionRoots({ cwd: this.roots.cwd, additionalDirectories }, this.roots.pins);
    // The user has agreed to them now, whenever the agent answers.
    roots.pin();
    store.append(this.host.opened(roots));
    entrance.change(agent, sessionId, roots, (failure) => {
      if (failure) {
        this.roots.change(this.roots.additionalDirectories);
        store.append(this.host.opened(this.roots), { type: 'session_ready', sessionId });
        remarks.warn('', failure);
      } else {
        this.roots.change(roots.additionalDirectories);
      }
      this.host.entered();
    });
    return undefined;
  }

  /** Once, where there are further folders and the agent cannot be told of them. */
  remark(): void {
    const { additionalDirectories } = this.roots;
    if (additionalDirectories.length > 0 && !this.host.store.state.offers.additionalDirectories && !this.remarked) {
      this.remarked = true;
      this.host.remarks.say({ code: 'session.folders_untold', params: { folders: additionalDirectories.join(', ') } });
    }
  }
}
