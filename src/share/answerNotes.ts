/**
 * Adds to the cancellation of a question who has answered it. The SDK cancels a request without a reason, so the messages of the stream are changed on
 * their way.
 */
import type { Stream } from '@agentclientprotocol/sdk';
import { answeredMeta } from '../core/share/shareMeta';
import { isRecord } from './wire/wireContent';

type Message = Stream extends { readable: ReadableStream<infer M> } ? M : never;

/** The requests that ask something. */
const QUESTIONS: ReadonlySet<unknown> = new Set(['session/request_permission', 'elicitation/create']);

export class AnswerNotes {
  /** The questions of the open requests, by the parameters of the request and then by its id. */
  private readonly params = new WeakMap<object, string>();
  private readonly requests = new Map<unknown, string>();
  /** The names of the clients that have answered, by the question's entry. */
  private readonly clients = new Map<string, string>();

  /** The request with these parameters asks this question. */
  add(params: object, entryId: string): void {
    this.params.set(params, entryId);
  }

  /** This client has answered the question, whose request is cancelled next. */
  answered(entryId: string, client: string): void {
    this.clients.set(entryId, client);
  }

  /** The request has ended. */
  forget(entryId: string): void {
    this.clients.delete(entryId);
    this.requests.forEach((asked, id) => asked === entryId && this.requests.delete(id));
  }

  /** Returns the stream with the additions. */
  around({ readable, writable }: Stream): Stream {
    const writer = writable.getWriter();
    return {
      readable,
      writable: new WritableStream<Message>({
        write: (message) => writer.write(this.noted(message)),
        close: () => writer.close(),
        abort: (reason) => writer.abort(reason),
      }),
    };
  }

  private noted(message: Message): Message {
    if (!('method' in message) || !isRecord(message.params)) {
      return message;
    }
    const { params } = message;
    if (QUESTIONS.has(message.method) && 'id' in message) {
      const entryId = this.params.get(params);
      if (entryId !== undefined) {
        this.requests.set(message.id, entryId);
      }
    } else if (message.method === '$/cancel_request') {
      const entryId = this.requests.get(params['requestId']);
      const client = entryId === undefined ? undefined : this.clients.get(entryId);
      return client === undefined ? message : { ...message, params: { ...params, _meta: answeredMeta(client) } };
    }
    return message;
  }
}
