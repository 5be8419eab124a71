/**
 * Keeps the journals of an agent's sessions and its keeper in step. The keeper drops a frame when the journals have its events, and the agent gets no
 * frame before the journals have what caused it. Loaded with the first agent that a keeper holds.
 */
import type { FramePosition, KeptAgent } from '../../core/keeper/keptAgent';
import type { McpServer } from '../../core/mcp/mcpServer';
import type { Clock } from '../../core/platform/clock';
import type { SessionState } from '../../core/model/state';
import type { Disposable } from '../../core/platform/disposable';
import type { AgentConnection } from './agentConnection';

export interface KeptSession {
  readonly session: {
    readonly key: string;
    readonly connection: AgentConnection | undefined;
    readonly store: { readonly state: Pick<SessionState, 'status' | 'sessionId'> };
  };
  /** Undefined for a session without a journal. */
  readonly journal: KeptJournal | undefined;
}

interface KeptJournal {
  readonly hasPending: boolean;
  storedFrame(position: FramePosition): number;
  written(): Promise<void>;
}

/** The text that a window leaves for the next one. */
export interface KeptNote {
  readonly keys: readonly string[];
  /** Values that the agent knows and that must not be stored, such as those of its servers. Only the keeper's memory has them. */
  readonly secrets?: readonly string[];
  /** The window's own servers as the agent has them, by the session's key. The tokens in them are secret, too. */
  readonly servers?: Readonly<Record<string, McpServer | undefined>>;
}

const NOTHING = JSON.stringify({ keys: [], servers: {} } satisfies KeptNote);
/** ms after a frame in which the keeper learns that it is stored. */
const STORED_MS = 100;

/** @param all the sessions of the window @param remember gets the sessions of all kept agents, when they change @param secrets the agent's values that must not be stored @param serverOf the window's own server of a session */
export function followFrames(
  connection: AgentConnection,
  kept: KeptAgent,
  clock: Clock,
  all: () => readonly KeptSession[],
  remember: (keys: readonly string[]) => void,
  secrets: () => readonly string[],
  serverOf: (key: string) => McpServer | undefined,
): Disposable & { changed(): void } {
  let timer: Disposable | undefined;
  let noted = NOTHING;
  const sessions = (): readonly KeptSession[] => all().filter(({ session }) => session.connection === connection);
  const update = (): void => {
    timer = undefined;
    const present = sessions();
    const { position } = kept;
    kept.stored(Math.min(position.handled, ...present.flatMap(({ journal }) => journal?.storedFrame(position) ?? [])));
    const keys = openIn(present);
    const values = keys.length > 0 ? secrets() : [];
    const servers = Object.fromEntries(keys.map((key) => [key, serverOf(key) ?? kept.servers?.[key]]));
    const note = JSON.stringify({ keys, ...(values.length > 0 && { secrets: values }), servers } satisfies KeptNote);
    if (note !== noted) {
      noted = note;
      kept.note(note, keys.length > 0);
      remember(openIn(all().filter(({ session }) => session.connection?.kept)));
    }
  };
  // A keeper that knows of no session ends with the window, so it learns of the first one at once.
  const changed = (): void => (timer || noted !== NOTHING ? void (timer ??= clock.after(STORED_MS, update)) : update());
  kept.beforeSend = () => {
    const pending = sessions().flatMap(({ journal }) => (journal?.hasPending ? [journal.written()] : []));
    return pending.length > 0 ? Promise.all(pending).then(() => undefined) : undefined;
  };
  const handled = kept.onHandled(changed);
  changed();
  return {
    changed,
    dispose: () => {
      timer?.dispose();
      handled.dispose();
    },
  };
}

/** The keys of the sessions that their agents have open. */
function openIn(sessions: readonly KeptSession[]): string[] {
  return sessions.flatMap(({ session }) => {
    const { status, sessionId } = session.store.state;
    return status === 'ready' && sessionId !== undefined ? [session.key] : [];
  });
}
