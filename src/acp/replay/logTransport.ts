/** The transport of a replayed log: its messages to the client are fed, and those to the agent go nowhere, because the log has them. */
import type { MessageReader, MessageTransport } from '../../core/model/transport';

export class LogTransport implements MessageTransport {
  private reader: MessageReader | undefined;
  private sent = '';

  /** Delivers a message of the agent. */
  feed(message: object): void {
    this.reader?.message(JSON.stringify(message), false);
  }

  /** The id of the request that was written last. */
  get lastRequestId(): number {
    const { id } = JSON.parse(this.sent) as { id?: unknown };
    return typeof id === 'number' ? id : NaN;
  }

  read(reader: MessageReader): void {
    this.reader = reader;
  }

  write(json: string): boolean {
    this.sent = json;
    return true;
  }

  close(): void {
    this.reader = undefined;
  }

  describe(): object {
    return {};
  }
}
