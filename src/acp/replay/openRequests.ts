/** Requests in a log without a response yet, in both directions, by the text of their ids. */
import type { Fields } from '../json/fields';
import type { Direction } from './logLines';
import type { Recording } from './recording';

/** A request of the client. */
export interface OurRequest {
  readonly session?: Recording | undefined;
  /** The id of the repeated request; undefined when it was not repeated, because nothing of it is shown. */
  readonly requestId?: number;
}

/** A request of the agent. */
export interface TheirRequest {
  /** The id that the connection knows it by. */
  readonly requestId: string;
  /** Takes the client's answer in the log, or its error. */
  answer?(result: Fields, error: unknown): void;
  /** True when the sender has cancelled the request. */
  withdrawn?: boolean;
  /** The id of the request of the client because of which the agent asks. */
  because?: string;
}

/** The limit for each direction, because a log with only one side has no responses. */
const MAX_OPEN = 1000;

export class OpenRequests {
  private readonly open = { c2a: new Map<string, OurRequest>(), a2c: new Map<string, TheirRequest>() };
  /** Ids of the client's requests, answered or not. */
  private readonly ours = new Set<string>();

  /** True when this side waits for the response with that id. */
  has(side: Direction, idLiteral: string): boolean {
    return this.open[side].has(idLiteral);
  }

  ourRequest(idLiteral: string): OurRequest | undefined {
    return this.open.c2a.get(idLiteral);
  }

  theirRequest(idLiteral: string): TheirRequest | undefined {
    return this.open.a2c.get(idLiteral);
  }

  addOurs(idLiteral: string, request: OurRequest): void {
    put(this.open.c2a, idLiteral, request);
    this.ours.add(idLiteral);
  }

  addTheirs(idLiteral: string, request: TheirRequest): void {
    // The connection keeps a request until it is answered.
    put(this.open.a2c, idLiteral, request)?.answer?.({}, {});
  }

  /** Removes and returns the open request of this response. */
  takeOurs(idLiteral: string): OurRequest | undefined {
    return take(this.open.c2a, idLiteral);
  }

  takeTheirs(idLiteral: string): TheirRequest | undefined {
    return take(this.open.a2c, idLiteral);
  }

  /** True when the log contains a client's request with this id, or with any id. */
  isOurs(idLiteral?: string): boolean {
    return idLiteral === undefined ? this.ours.size > 0 : this.ours.has(idLiteral);
  }

  /** Marks elicitations that name this request as cancelled, because the response to the request cancels them. */
  withdrawBecauseOf(idLiteral: string): void {
    for (const request of this.open.a2c.values()) {
      if (request.because === idLiteral) {
        request.withdrawn = true;
      }
    }
  }

  /** Resets the state for another connection. */
  clear(): void {
    this.open.c2a.clear();
    this.open.a2c.clear();
    this.ours.clear();
  }
}

/** Returns the oldest request, when it had to make room. */
function put<T>(open: Map<string, T>, idLiteral: string, request: T): T | undefined {
  open.delete(idLiteral);
  const [oldest] = open;
  const dropped = open.size >= MAX_OPEN ? oldest : undefined;
  if (dropped) {
    open.delete(dropped[0]);
  }
  open.set(idLiteral, request);
  return dropped?.[1];
}

function take<T>(open: Map<string, T>, idLiteral: string): T | undefined {
  const request = open.get(idLiteral);
  open.delete(idLiteral);
  return request;
}
