/** A session with an agent of version 2: our whole stack over a transport that the test drives. */
import { connect } from '../../../../src/acp/connect';
import { ndjson } from '../../../../src/acp/transport/ndjson';
import { V1 } from '../../../../src/acp/v1/v1';
import { V2 } from '../../../../src/acp/v2/v2';
import { isAbsent, type SessionState, type ToolCallEntry } from '../../../../src/core/model/state';
import type { Failure } from '../../../../src/core/model/failure';
import type { Session } from '../../../../src/session/session';
import { Sessions } from '../../../../src/session/sessions';
import { explainFailure } from '../../../../src/text/messages/explainFailure';
import { lines, setup, text } from '../../session/earlierScene';
import { fakeDependencies, launch, quiet } from '../../session/fakes';
import { CLIENT_INFO, FakeTransport } from '../support';

export { text };

export const INFO = { name: 'a', version: '1' };
export const INITIALIZED = { protocolVersion: 2, info: INFO, capabilities: { session: {} } };

interface Frame {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: unknown;
  readonly error?: { readonly code: number };
}

export class Scene {
  readonly fakes = fakeDependencies();
  readonly transports: FakeTransport[] = [];
  readonly session: Session;
  private readonly sessions: Sessions;
  /** The texts that returned to the composer. */
  readonly returned: string[] = [];
  private requests = 0;

  /** @param from the id of the agent's session to load */
  constructor(from?: string) {
    const open = (): ReturnType<typeof ndjson> => {
      const transport = new FakeTransport(false);
      this.transports.push(transport);
      return ndjson(transport);
    };
    const sessions = (this.sessions = new Sessions({
      ...this.fakes.deps,
      connect: () => (events) => {
        const { clock } = this.fakes;
        const withoutSecrets = (failure: Failure): Failure => explainFailure(failure, '', clock.now());
        const options = { clientInfo: CLIENT_INFO, clock, log: quiet, timeoutMs: 60_000, reopen: open, withoutSecrets };
        return connect(open(), [V2, V1], events.client, { ...options, onEnd: events.onEnd }, (outcome) =>
          outcome.ok ? events.onReady(outcome.value) : events.onEnd(outcome.failure),
        );
      },
    }));
    this.session = sessions.create(launch(), setup, from === undefined ? undefined : { sessionId: from });
    this.session.onPromptReturned((words) => this.returned.push(words));
  }

  /** Answers `initialize` and `session/new`. */
  static ready(initialized: object = INITIALIZED, opened: object = {}): Scene {
    const scene = new Scene();
    scene.reply(initialized);
    scene.reply({ sessionId: 's', ...opened });
    return scene;
  }

  /** Creates a session with this id in the same process. */
  another(sessionId: string): Session {
    const session = this.sessions.create(launch(), setup);
    this.reply({ sessionId });
    return session;
  }

  get transport(): FakeTransport {
    return this.transports.at(-1)!;
  }

  get state(): SessionState {
    return this.session.store.state;
  }

  get sent(): readonly Frame[] {
    return this.transports.flatMap(({ sent }) => sent.map((json) => JSON.parse(json) as Frame));
  }

  /** The client's messages with this method. */
  sentBy(method: string): readonly Frame[] {
    return this.sent.filter((frame) => frame.method === method);
  }

  get methods(): readonly string[] {
    return this.sent.flatMap(({ method }) => method ?? []);
  }

  /** Answers the newest request. */
  reply(result: object | null, method?: string): void {
    this.transport.feed({ jsonrpc: '2.0', id: this.newest(method), result });
  }

  fail(code: number, data?: object, method?: string): void {
    this.transport.feed({ jsonrpc: '2.0', id: this.newest(method), error: { code, message: `error ${code}`, data } });
  }

  update(update: object, sessionId = 's'): void {
    this.transport.feed({ jsonrpc: '2.0', method: 'session/update', params: { sessionId, update } });
  }

  become(state: string, more: object = {}, sessionId = 's'): void {
    this.update({ sessionUpdate: 'state_update', state, ...more }, sessionId);
  }

  says(words: string, messageId = 'm1'): void {
    this.update({ sessionUpdate: 'agent_message_chunk', messageId, content: { type: 'text', text: words } });
  }

  /** Sends a request of the agent, and returns its id. */
  request(method: string, params: object): string {
    const id = `r${++this.requests}`;
    this.transport.feed({ jsonrpc: '2.0', id, method, params });
    return id;
  }

  answerTo(id: unknown): Frame | undefined {
    return this.sent.find((frame) => frame.method === undefined && (frame.id as unknown) === id);
  }

  get lines(): readonly string[] {
    return lines(this.session);
  }

  call(toolCallId: string): ToolCallEntry | undefined {
    const slot = this.state.entries.get(`tool_call:${toolCallId}`);
    return slot && !isAbsent(slot) && slot.kind === 'tool_call' ? slot : undefined;
  }

  private newest(method?: string): number | undefined {
    return this.sent.findLast((frame) => frame.id !== undefined && frame.method !== undefined && (method ?? frame.method) === frame.method)
      ?.id;
  }
}
