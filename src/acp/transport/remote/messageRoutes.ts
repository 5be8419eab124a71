/** The sessions that the messages of one Streamable HTTP connection belong to: of our answers, and of the streams that are still to be opened. */

/** UTF-16 units at both ends of a message that are searched for its method and its id. */
const ENDS = 200;
/** The requests whose success opens the session that they name. */
const OPENING: ReadonlySet<unknown> = new Set(['session/load', 'session/resume']);
/** Ids of requests that wait for our answer, or of ours that wait for the agent's. */
const MAX_ROUTES = 10_000;

/** The fields of a message that decide about its way. */
export interface Outgoing {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: { readonly sessionId?: unknown };
}

/** The consequences of a message of the agent. */
export interface Received {
  /** The session that the answer is about. Its stream is opened, and has earlier messages about it. */
  readonly answered?: string;
  /** The subagent that the message announces. Its stream is opened. */
  readonly announced?: string;
}

const NOTHING: Received = {};

export class MessageRoutes {
  /** The session of each request of the agent that waits for our answer, by the JSON text of its id. */
  private readonly asked = new Map<string, string>();
  /** The session of each of our requests that the agent has not answered, by the JSON text of its id. */
  private readonly awaited = new Map<string, string>();
  /** The requests of {@link OPENING} among them. */
  private readonly opening = new Set<string>();
  /** The sessions that this connection has opened. */
  private readonly open = new Set<string>();

  /** The session in whose name a message of ours is sent. */
  sessionOf(message: Outgoing): string | undefined {
    const named = typeof message.method === 'string' ? message.params?.sessionId : this.asked.get(JSON.stringify(message.id));
    return typeof named === 'string' && named !== '' ? named : undefined;
  }

  /** Our request, by the JSON text of its id, waits for an answer. */
  sent(key: string, session: string | undefined, { method }: Outgoing): void {
    remember(this.awaited, key, session ?? '');
    if (OPENING.has(method)) {
      this.opening.add(key);
    }
  }

  /** True for a session that the server has opened for this connection, so it has a stream. */
  isOpen(session: string): boolean {
    return this.open.has(session);
  }

  /** Our request gets no answer from the agent. */
  refused(key: string): void {
    this.awaited.delete(key);
    this.opening.delete(key);
  }

  /** The server has our answer to a request of the agent. */
  answered(key: string): void {
    this.asked.delete(key);
  }

  /** True while an answer is expected on the stream of this session; '' is the connection's. */
  isAwaited(session: string): boolean {
    return [...this.awaited.values()].includes(session);
  }

  /** Notes the session of a request, and reads from answers and announcements which streams follow. @param session the session of the stream */
  received(text: string, session: string): Received {
    if (isNotedUpdate(text)) {
      return NOTHING;
    }
    const message = parsed(text) as
      | { id?: unknown; method?: unknown; params?: { update?: unknown }; result?: { sessionId?: unknown } | null }
      | undefined;
    if (typeof message !== 'object' || message === null) {
      return NOTHING;
    }
    if (message.id === undefined) {
      return announced(message.params?.update);
    }
    const key = JSON.stringify(message.id);
    if (typeof message.method === 'string') {
      remember(this.asked, key, session);
      return NOTHING;
    }
    const about = this.awaited.get(key);
    // An answer to no request opens no stream: the server could name sessions without an end.
    if (about === undefined) {
      return NOTHING;
    }
    this.awaited.delete(key);
    const named = message.result?.sessionId;
    const answered = about !== '' ? about : typeof named === 'string' ? named : '';
    if (this.opening.delete(key) ? message.result !== undefined : about === '' && answered !== '') {
      this.open.add(answered);
    }
    return answered === '' ? NOTHING : { answered };
  }
}

/** True for an update that neither has an id nor announces a subagent. Most messages are such updates, and are not parsed. */
function isNotedUpdate(text: string): boolean {
  const start = text.slice(0, ENDS);
  return (
    start.includes('"method":"session/update"') &&
    !start.includes('"id":') &&
    !/"id"\s*:[^{}[\]]*\}\s*$/.test(text.slice(-ENDS)) &&
    !text.includes('"subagent_update"')
  );
}

function announced(update: unknown): Received {
  const { sessionUpdate, sessionId } = (typeof update === 'object' && update !== null ? update : {}) as Readonly<Record<string, unknown>>;
  return sessionUpdate === 'subagent_update' && typeof sessionId === 'string' && sessionId !== '' ? { announced: sessionId } : NOTHING;
}

/** Undefined for a text that is no JSON. The connection reports it. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Adds a route; an agent that never answers may not make the map grow for ever. */
function remember(routes: Map<string, string>, key: string, session: string): void {
  if (routes.size >= MAX_ROUTES) {
    const [oldest] = routes.keys();
    routes.delete(oldest as string);
  }
  routes.set(key, session);
}
