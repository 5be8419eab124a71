/** The rights and limits of a shared session, for every layer. */

/** `read`: sees the conversation. `answer`: also sends messages, answers questions, stops turns and sets options. */
export type ShareRight = 'read' | 'answer';

/** The name of this extension for the other end of a connection. */
export const TITLE = 'ACP Host';

/** The name of a window for other clients of a shared session: the folder tells windows apart. @param cwd the session's folder */
export function windowTitle(cwd: string): string {
  const folder = cwd.split(/[\\/]/).findLast((name) => name !== '');
  return folder === undefined ? TITLE : `${TITLE} (${folder})`;
}

/** The maximum number of UTF-16 units of the name that a client gives itself. */
export const MAX_CLIENT_NAME = 60;

/** A client that is attached, as the list shows it. */
export interface AttachedClient {
  readonly clientId: string;
  /** The name of the client by itself. Untrusted text, on one line. */
  readonly name: string;
  readonly address: string;
  /** ms since the epoch */
  readonly since: number;
  readonly right: ShareRight;
  /** The keys of the sessions that it has opened. */
  readonly sessions: readonly string[];
}

/** An access that the user has given. The token itself is not stored. */
export interface ShareAccess {
  readonly accessId: string;
  readonly right: ShareRight;
  /** ms since the epoch */
  readonly at: number;
}
