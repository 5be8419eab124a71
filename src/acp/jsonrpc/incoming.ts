/** The agent's requests without an answer yet. Their ids are stored as text, so that ids of any size are returned unchanged. */
import { Fault } from '../../core/model/failure';
import { idKey } from '../json/source';
import { RPC } from './rpc';

/** Answers one request once; further calls do nothing. */
export interface Respond {
  /** `undefined` is sent as null. */
  result(value: unknown): void;
  error(fault: Fault): void;
}

interface Request {
  readonly key: string;
  readonly abort: AbortController;
  open: boolean;
}

export class Incoming {
  /** Usually one request per id. An agent that reuses the id of an open request gets an answer to each. */
  private readonly open = new Map<string, Request[]>();
  private owed = 0;

  /** @param owes called when the first answer becomes due, and when the last one was given */
  constructor(
    private readonly send: (json: string) => void,
    private readonly owes: (some: boolean) => void,
  ) {}

  has(idLiteral: string): boolean {
    return this.open.has(idKey(idLiteral));
  }

  begin(idLiteral: string): { respond: Respond; signal: AbortSignal } {
    const key = idKey(idLiteral);
    const request: Request = { key, abort: new AbortController(), open: true };
    const same = this.open.get(key);
    if (same) {
      same.push(request);
    } else {
      this.open.set(key, [request]);
    }
    if (++this.owed === 1) {
      this.owes(true);
    }
    return {
      signal: request.abort.signal,
      respond: {
        result: (value) => this.answer(request, () => resultJson(idLiteral, value)),
        error: (fault) => {
          const cancelled = request.abort.signal.aborted;
          this.answer(request, () =>
            cancelled
              ? errorJson(idLiteral, RPC.requestCancelled, 'Request cancelled')
              : errorJson(idLiteral, fault.rpcCode, fault.message),
          );
        },
      },
    };
  }

  /** The agent cancels a request. Unknown and answered ids are ignored. @param reason the agent's reason, for the signal */
  cancel(idLiteral: string, reason?: Error): boolean {
    const requests = this.open.get(idKey(idLiteral));
    for (const request of requests ?? []) {
      request.abort.abort(reason);
    }
    return requests !== undefined;
  }

  /** The connection has ended, so the answers are no longer needed and their handlers should stop. */
  abortAll(): void {
    const requests = [...this.open.values()].flat();
    this.open.clear();
    for (const request of requests) {
      request.open = false;
      request.abort.abort(new Fault({ code: 'connection.closed' }));
    }
  }

  private answer(request: Request, json: () => string): void {
    if (!request.open) {
      return;
    }
    request.open = false;
    const rest = this.open.get(request.key)?.filter((other) => other !== request) ?? [];
    if (rest.length > 0) {
      this.open.set(request.key, rest);
    } else {
      this.open.delete(request.key);
    }
    this.send(json());
    if (--this.owed === 0) {
      this.owes(false);
    }
  }
}

function resultJson(idLiteral: string, value: unknown): string {
  let result: string | undefined;
  try {
    result = JSON.stringify(value);
  } catch (error) {
    return errorJson(idLiteral, RPC.internalError, `The result is no JSON: ${String(error)}`);
  }
  return `{"jsonrpc":"2.0","id":${idLiteral},"result":${result ?? 'null'}}`;
}

/** An error response as JSON text. `idLiteral` is the id as the sender wrote it. */
export function errorJson(idLiteral: string, code: number, message: string): string {
  return `{"jsonrpc":"2.0","id":${idLiteral},"error":{"code":${code},"message":${JSON.stringify(message)}}}`;
}
