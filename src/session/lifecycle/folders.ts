/**
 * The additional folders of a session (RFD "Additional directories"): checks which ones the agent accepts, and warns when it does not support them.
 */
import type { Failure } from '../../core/model/failure';
import { takesPrompts } from '../../core/model/select';
import { notReady, type SessionNotices } from '../state/sessionNotices';
import type { SessionStore } from '../state/store';
import { SessionRoots } from './sessionRoots';

export class Folders {
  /** True when the user has been warned that the agent does not support additional folders. */
  private hasWarned = false;

  constructor(
    readonly roots: SessionRoots,
    private readonly notices: SessionNotices,
    private readonly store: SessionStore,
  ) {
    roots.pins.onChanged = (folder) => notices.warn('', { code: 'session.root_changed', params: { folder } });
  }

  /**
   * The folders for a request: the session's `cwd` and these. They are pinned immediately, because the user has agreed to the present ones,
   * whenever the agent answers.
   */
  wanted(additionalDirectories: readonly string[]): { readonly roots: SessionRoots } | { readonly failure: Failure } {
    const { state } = this.store;
    const { sessionId, capabilities } = state;
    if (!takesPrompts(state) || sessionId === undefined) {
      return { failure: notReady(state) };
    }
    if (!capabilities.additionalDirectories || !(capabilities.load || capabilities.resume)) {
      return { failure: { code: 'session.folders_fixed' } };
    }
    const roots = new SessionRoots({ cwd: this.roots.cwd, additionalDirectories }, this.roots.pins);
    roots.pin();
    return { roots };
  }

  /** Warns once, when there are additional folders that the agent does not support. */
  warnOfUntold(): void {
    const { additionalDirectories } = this.roots;
    if (additionalDirectories.length > 0 && !this.store.state.capabilities.additionalDirectories && !this.hasWarned) {
      this.hasWarned = true;
      this.notices.inform({ code: 'session.folders_untold', params: { folders: additionalDirectories.join(', ') } });
    }
  }
}
