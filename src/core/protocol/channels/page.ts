/** Messages about the page itself, whatever it shows. The controller of the page handles them. */
import type { PermissionPresent } from '../../approval/askingSurface';
import type { ShownPreferences } from '../../preferences/agentPreferences';
import { boolean, optional, string } from '../../schema/schema';
import { message, sends } from '../messages/channel';
import { id, index } from '../messages/fields';
import { MAX_PAGE_STATE } from '../messages/pageState';
import type { ChatLocation } from './chatLocation';

/** The page itself is not part of the log or the workspace. */
const always = { recorded: true, restricted: true, withoutSession: true } as const;

export const page = {
  takes: {
    /** The page is ready and needs a snapshot. */
    ready: message({}, always),
    /** Asks for a `pong`. */
    ping: message({ pingId: index }, always),
    /** The user pressed a key or a mouse button in the page, which delays the quick pick. Sent at most once a second for each of the two. */
    typing: message({}, always),
    /** The page has got or lost the focus. VS Code reports neither. */
    focus: message({ hasFocus: boolean() }, always),
    /**
     * The page's state as JSON, for another page that shows this session later: what is open and closed, unfinished forms, the search, and the
     * position of the user.
     */
    page_state: message({ state: string({ max: MAX_PAGE_STATE }) }, always),
    /** The response to `where`: the entry with the focus, otherwise the one at the top of the screen. Absent when there is none. */
    reading: message({ entryId: optional(id) }, { ...always, aboutShowing: true }),
  },
  sends: sends<
    /**
     * The page shows this session from now on: the same one again, which is then sent completely, or another. Begins a generation. `state`: the state
     * that another page reported last for this session (`page_state`).
     */
    | { readonly type: 'session'; readonly sessionKey: string; readonly state?: string }
    /** The page shows no session from now on, but the start page. Begins a generation. */
    | { readonly type: 'no_session'; readonly location: ChatLocation }
    /** The response to `ping`. */
    | { readonly type: 'pong'; readonly pingId: number }
    /** `entryId`: the question, if it is not the oldest one. */
    | { readonly type: 'focus'; readonly target: 'composer' | 'permission'; readonly entryId?: string }
    /** Requests `reading`. The page first sends its pending drafts and its state. */
    | { readonly type: 'where' }
    /** Facts about the window that the page cannot read. */
    | {
        readonly type: 'page';
        readonly folderName: string;
        readonly multiRoot: boolean;
        /** The machine of an agent that runs elsewhere. */
        readonly host?: string;
        readonly present?: PermissionPresent;
        readonly preferences?: ShownPreferences;
      }
    /**
     * The fonts that the user wants, now and after each change; the window's fonts when absent. `fontSize` is in pixels, `fontFamily` in CSS syntax.
     */
    | { readonly type: 'appearance'; readonly fontSize?: number; readonly fontFamily?: string }
    /** Plays a sound for a user who looks elsewhere. */
    | { readonly type: 'sound'; readonly sound: 'finished' | 'needsYou' }
  >(),
};
