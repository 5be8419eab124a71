/** One client of the sharing: the agent's side of the protocol, on the official SDK, over the sessions that are shared. */
import {
  agent,
  type AgentConnection,
  type AgentContext,
  methods,
  PROTOCOL_VERSION,
  RequestError,
  type Stream,
} from '@agentclientprotocol/sdk';
import type { Clock } from '../core/platform/clock';
import { configOptions, takesValue } from './wire/facts';
import { isQueued } from './wire/openTurn';
import { type AttachedClient, MAX_CLIENT_NAME, type ShareRight, TITLE } from '../core/share/share';
import { ONLY_SHARED, rightMeta } from '../core/share/shareMeta';
import { isRecord, promptFrom } from './wire/wireContent';
import { AnswerNotes } from './answerNotes';
import { expectedOnly } from './expected';
import { Attachment } from './attachment';
import { type ClientForms, ClientQuestions } from './clientQuestions';
import type { Redaction } from './wire/redaction';
import type { SharedSession } from './sharedSession';
import { turnEnd } from './turnEnds';

/** Prompts of one client that may wait for their end. */
const MAX_PROMPTS = 10;

/** The error code of JSON-RPC. */
const INVALID_PARAMS = -32602;

/** The error for a request that the right of the client does not allow. The code is the protocol's "request not permitted here". */
const READ_ONLY = 'This access is read-only.';

export interface ClientDependencies {
  readonly clock: Clock;
  readonly version: string;
  readonly redaction: Redaction;
  session(key: string): SharedSession | undefined;
  sessions(): readonly SharedSession[];
  /** Called when the list of clients has changed. */
  changed(): void;
  /** Called when a message of the client waits in the queue of a session. */
  queued(key: string, turnId: string): void;
  /** Ends the connection. */
  failed(): void;
}

interface Opened {
  readonly attachment: Attachment;
  readonly questions: ClientQuestions | undefined;
  readonly stopQuestions: () => void;
}

export class ClientConnection {
  private readonly opened = new Map<string, Opened>();
  private readonly connection: AgentConnection;
  private name = '';
  private isInitialized = false;
  private forms: ClientForms = { form: false, url: false };
  private prompts = 0;
  private readonly notes = new AnswerNotes();
  /** The turns of this client's prompts, newest last. */
  private readonly turns: { readonly key: string; readonly turnId: string }[] = [];

  constructor(
    private readonly facts: Pick<AttachedClient, 'clientId' | 'address' | 'since' | 'right'> & { readonly accessId: string },
    stream: Stream,
    private readonly deps: ClientDependencies,
  ) {
    this.connection = this.app().connect(this.notes.around(expectedOnly(stream)));
    // The SDK ends by itself when a message cannot be sent, and leaves the socket open.
    void this.connection.closed.then(() => deps.failed());
  }

  get accessId(): string {
    return this.facts.accessId;
  }

  get hasInitialized(): boolean {
    return this.isInitialized;
  }

  get description(): AttachedClient {
    const { clientId, address, since, right } = this.facts;
    return { clientId, address, since, right, name: this.name, sessions: [...this.opened.keys()] };
  }

  /** The session is no longer shared. */
  leave(key: string): void {
    this.close(key);
  }

  dispose(): void {
    [...this.opened.keys()].forEach((key) => this.close(key));
    this.connection.close();
  }

  private app() {
    return agent({ name: 'acp-host-share' })
      .onRequest(methods.agent.initialize, ({ params }) => {
        if (this.isInitialized) {
          // The user reads the name in the conversation and in the list of clients, so that it must not change.
          throw RequestError.invalidRequest(undefined, 'initialize comes once.');
        }
        const { clientInfo, clientCapabilities } = params;
        this.name = nameOf(clientInfo);
        const elicitation: unknown = (clientCapabilities as { elicitation?: unknown } | undefined)?.elicitation;
        this.forms = isRecord(elicitation) ? { form: isRecord(elicitation['form']), url: isRecord(elicitation['url']) } : this.forms;
        this.isInitialized = true;
        this.deps.changed();
        return {
          protocolVersion: PROTOCOL_VERSION,
          agentInfo: { name: 'acp-host', title: TITLE, version: this.deps.version },
          agentCapabilities: {
            loadSession: true,
            promptCapabilities: { image: true, audio: true, embeddedContext: true },
            sessionCapabilities: { list: {}, resume: {}, close: {} },
          },
          authMethods: [],
          _meta: { ...rightMeta(this.facts.right) },
        };
      })
      .onRequest(methods.agent.session.new, () => {
        throw new RequestError(INVALID_PARAMS, 'Only shared sessions can be opened here. session/list has them.', ONLY_SHARED);
      })
      .onRequest(methods.agent.session.list, () => {
        this.requireInitialized();
        return { sessions: this.deps.sessions().map(({ key, state, title }) => ({ sessionId: key, cwd: state.cwd || '/', title })) };
      })
      .onRequest(methods.agent.session.load, async ({ params, client }) => {
        const { attachment, session } = this.attach(params.sessionId, client);
        await attachment.replay();
        return { configOptions: configOptions(session.state.config) as never };
      })
      .onRequest(methods.agent.session.resume, ({ params, client }) => {
        const { attachment, session } = this.attach(params.sessionId, client);
        attachment.resume();
        return { configOptions: configOptions(session.state.config) as never };
      })
      .onRequest(methods.agent.session.close, ({ params }) => {
        this.close(params.sessionId);
        return {};
      })
      .onRequest(methods.agent.session.prompt, async ({ params, signal }) => ({
        stopReason: await this.prompt(params.sessionId, params.prompt, signal),
      }))
      .onRequest(methods.agent.session.setConfigOption, ({ params }) => {
        const session = this.forAnswer(params.sessionId);
        const { configId, value } = params as { configId: string; value: string | boolean };
        if (!takesValue(session.state.config, configId, value)) {
          throw RequestError.invalidParams(undefined, 'The agent has no such option, or not this value.');
        }
        session.setConfig(configId, value);
        return { configOptions: configOptions(session.state.config) as never };
      })
      .onNotification(methods.agent.session.cancel, ({ params }) => this.cancel(params.sessionId));
  }

  private attach(key: string, client: AgentContext): { attachment: Attachment; session: SharedSession } {
    this.requireInitialized();
    const session = this.deps.session(key);
    if (!session) {
      throw RequestError.resourceNotFound(key);
    }
    this.close(key);
    const questions =
      this.facts.right === 'answer' ? new ClientQuestions(session, client, this.forms, () => this.name, this.notes) : undefined;
    const attachment = new Attachment(
      session,
      client,
      this.deps,
      () => questions?.ask(),
      () => this.deps.failed(),
    );
    const following = session.onEvents((events) => {
      questions?.withdrawEnded();
      events.forEach((event) => event.type === 'elicitation_completed' && questions?.completed(event.requestKey));
    });
    this.opened.set(key, { attachment, questions, stopQuestions: () => following.dispose() });
    this.deps.changed();
    return { attachment, session };
  }

  private close(key: string): void {
    const opened = this.opened.get(key);
    if (opened) {
      this.opened.delete(key);
      opened.attachment.dispose();
      opened.questions?.dispose();
      opened.stopQuestions();
      this.deps.changed();
    }
  }

  private async prompt(key: string, prompt: unknown, signal: AbortSignal): Promise<Exclude<Awaited<ReturnType<typeof turnEnd>>, 'failed'>> {
    const session = this.forAnswer(key);
    const content = promptFrom(prompt);
    if (!content || this.prompts >= MAX_PROMPTS) {
      throw RequestError.invalidParams(undefined, content ? 'Too many prompts wait.' : 'The prompt is not valid.');
    }
    const sent = session.prompt(content, this.name);
    if ('refused' in sent) {
      throw RequestError.invalidRequest(undefined, sent.refused);
    }
    const { turnId } = sent;
    this.opened.get(key)?.attachment.addOwn(turnId);
    if (isQueued(session.state, turnId)) {
      this.deps.queued(key, turnId);
    }
    const turn = { key, turnId };
    // The client has cancelled the request. When it has only left, its message stays.
    const cancelled = (): void => void (this.connection.signal.aborted || takeBack(session, turnId));
    signal.addEventListener('abort', cancelled, { once: true });
    this.turns.push(turn);
    this.prompts++;
    try {
      const reason = await turnEnd(session, turnId, signal);
      // The client ends the turn with the answer, so it needs the agent's last words before.
      await this.opened.get(key)?.attachment.flush();
      if (reason === 'failed') {
        throw RequestError.internalError(undefined, 'The turn has failed.');
      }
      return reason;
    } finally {
      signal.removeEventListener('abort', cancelled);
      this.prompts--;
      this.turns.splice(this.turns.indexOf(turn), 1);
    }
  }

  /** Removes the client's own message that still waits; otherwise stops the running turn. */
  private cancel(key: string): void {
    const session = this.facts.right === 'answer' && this.opened.has(key) ? this.deps.session(key) : undefined;
    if (!session) {
      return;
    }
    const waiting = this.turns.filter((turn) => turn.key === key && isQueued(session.state, turn.turnId));
    if (waiting.length > 0) {
      waiting.forEach(({ turnId }) => session.removeQueued(turnId));
    } else {
      session.cancel();
    }
  }

  /** Returns a session that the client has opened and may change. */
  private forAnswer(key: string): SharedSession {
    this.requireInitialized();
    const session = this.opened.has(key) ? this.deps.session(key) : undefined;
    if (!session) {
      throw RequestError.resourceNotFound(key);
    }
    requireRight(this.facts.right);
    return session;
  }

  private requireInitialized(): void {
    if (!this.isInitialized) {
      throw RequestError.invalidRequest(undefined, 'initialize comes first.');
    }
  }
}

/** Removes the message that still waits, or stops its turn. */
function takeBack(session: SharedSession, turnId: string): void {
  if (isQueued(session.state, turnId)) {
    session.removeQueued(turnId);
  } else if (session.state.turn?.turnId === turnId) {
    session.cancel();
  }
}

function requireRight(right: ShareRight): void {
  if (right !== 'answer') {
    throw RequestError.invalidRequest(undefined, READ_ONLY);
  }
}

/** The name that the client gives itself, without line breaks. */
function nameOf(info: unknown): string {
  const { title, name } = isRecord(info) ? info : {};
  const given = [title, name].find((each): each is string => typeof each === 'string' && each.trim() !== '');
  return (given ?? '').replace(/\s+/g, ' ').trim().slice(0, MAX_CLIENT_NAME) || 'ACP';
}
