/** The start page of an empty conversation. */
import { message, sends } from '../messages/channel';
import { id } from '../messages/fields';
import type { ChatLocation } from './chatLocation';

/** The content of the start page; see `webview/start`. */
export interface StartPage {
  /** True for the built-in demo agent. */
  readonly demo: boolean;
  readonly folder: 'empty' | 'project' | 'folder';
  /** True when the folder is in a git repository of its own. */
  readonly git: boolean;
  /** The file that was in front last, when it is in one of the session's folders. */
  readonly file?: { readonly name: string; readonly uri: string };
  /** Other conversations in this folder, the newest first. `about`: the agent, and the time. */
  readonly recent: readonly { readonly sessionKey: string; readonly title: string; readonly about: string }[];
  readonly location: ChatLocation;
}

export const start = {
  takes: {
    /** Requests the message of this name. */
    start_page: message({}, { aboutShowing: true }),
    /** Opens one of the sessions of `start_page`. */
    open_session: message({ sessionKey: id }, { recorded: true, restricted: true }),
  },
  sends: sends<{ readonly type: 'start_page' } & StartPage>(),
};
