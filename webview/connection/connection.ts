/** The connection of a session's page. Apart from the heartbeat, which smaller pages have too. */
import { createContext } from 'preact';
import type { Heartbeat } from './heartbeat';

/** The page's connection to its host. */
export interface Connection {
  readonly heartbeat: Heartbeat;
  /** The key of the session that is shown. */
  sessionKey(): string | undefined;
}

export const ConnectionContext = createContext<Connection | undefined>(undefined);
