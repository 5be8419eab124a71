/** The further folders of a session (RFD "Additional directories"): which ones the agent may be asked for, and whether it knows of them. */
import type { Failure } from '../../core/model/failure';
import { takesPrompts } from '../../core/model/select';
import { notReady, type SessionNotices } from '../sessionNotices';
import type { SessionStore } from '../store';
import { SessionRoots } from './sessionRoots';

export class Folders {
  /** The user has been told that the agent does not know of the further folders. */
  private hasWarned = false;

  constructor(
    readonly roots: SessionRoots,
    private readonly notices: SessionNotices,
    private readonly store: SessionStore,
  ) {
    roots.pins.onChanged = (folder) => notices.warn('', { code: 'session.root_changed', params: { folder } });
  }

  /** The folders with these beside the session's `cwd`, pinned as they are now: the user has agreed to them, whenever the agent answers. */
  wanted(additionalDirectories: readonly string[]): { readonly roots: SessionRoots } | { readonly failure: Failure } {
    const { state } = this.store;
    const { sessionId, offers } = state;
    if (!takesPrompts(state) || sessionId === undefined) {
      return { failure: notReady(state) };
    }
    if (!offers.additionalDirectories || !(offers.load || offers.resume)) {
      return { failure: { code: 'session.folders_fixed' } };
    }
    const roots = new SessionRoots({ cwd: this.roots.cwd, additionalDirectories }, this.roots.pins);
    roots.pin();
    return { roots };
  }

  /** Once, where there are further folders and the agent cannot be told of them. */
  warnOfUntold(): void {
    const { additionalDirectories } = this.roots;
    if (additionalDirectories.length > 0 && !this.store.state.offers.additionalDirectories && !this.hasWarned) {
      this.hasWarned = true;
      this.notices.inform({ code: 'session.folders_untold', params: { folders: additionalDirectories.join(', ') } });
    }
  }
}
