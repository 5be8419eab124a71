/**
 * The turns of version 2 (protocol v2 page "Prompt Lifecycle"): the agent reports their states, and a prompt's answer says only that its message was
 * inserted. A turn that no prompt has caused is the agent's own.
 */
import type { BackgroundItem, ContentBlock } from '../../core/model/content';
import type { EventInput } from '../../core/model/event';
import type { Failure } from '../../core/model/failure';
import { subagentsId } from '../../core/subagents/innerEvents';
import type { Client, TurnEnd } from '../dialect';
import { type Fields, isPresent, isRecord, keep, labelOf, misfits, restOf, textOf, withRest } from '../json/fields';
import { failureOfError } from '../jsonrpc/rpc';
import { rest } from '../v1/statelessUpdates';
import { decodeTurnUsage } from '../v1/turnUsage';
import { type Prompt, Prompts } from './prompts';

/** A running turn. `owner`: its prompt, or the agent. Absent after the refusal of its prompt, so that its end is not reported. */
interface Turn {
  owner?: Prompt | 'agent';
}

interface SessionTurns {
  readonly prompts: Prompts;
  turn?: Turn;
  /** The prompts that have had a turn. */
  readonly attached: WeakSet<Prompt>;
  /** The state of the session, reported last. */
  state: string;
  /** The lists of background work of the session itself, under '', and of its subagents, by their ids. */
  readonly background: Map<string, readonly BackgroundItem[]>;
  /** All of these lists, reported last, as JSON. */
  reported?: string;
  /** The client has opened the session. States before that describe it at the time of the answer. */
  isOpen: boolean;
  /** The client has requested the session again. */
  isRequested?: boolean;
  /** The session was open when it was requested again. */
  wasOpen?: boolean;
  /** The client has asked the agent to close the session. */
  isClosing?: boolean;
  /** The agent has sent the whole history. */
  isReplayed?: boolean;
  /** The newest state before the session is open. */
  early?: Fields;
}

/** Sessions that are not open and whose states are remembered, because an agent can invent ids. */
const MAX_SESSIONS = 1000;

export const STATE_FIELDS: ReadonlySet<string> = new Set(['sessionUpdate', 'state', 'background', 'stopReason', 'error', 'usage']);

type Listener = Pick<Client, 'onUpdate' | 'onTurnStarted' | 'onTurnEnded'>;

export class V2Turns {
  private readonly sessions = new Map<string, SessionTurns>();

  constructor(
    private readonly client: Listener,
    /** Makes the event of an update that cannot be read. */
    private readonly unknown: (label: string, raw: unknown) => EventInput,
    /** Redacts the failure of a turn, and adds its cause. */
    private readonly explained: (failure: Failure) => Failure,
  ) {}

  /** The client has sent a prompt. @param ownId the conversation's id of the message */
  sent(sessionId: string, content: readonly ContentBlock[], ownId: string | undefined): Prompt {
    return this.of(sessionId).prompts.add(content, ownId);
  }

  inserted(sessionId: string, prompt: Prompt, messageId: string | undefined): void {
    this.report(sessionId, this.of(sessionId).prompts.inserted(prompt, messageId));
  }

  refused(sessionId: string, prompt: Prompt): void {
    const session = this.of(sessionId);
    if (session.turn?.owner === prompt) {
      delete session.turn.owner;
    }
    this.report(sessionId, session.prompts.refused(prompt));
  }

  /** The agent has taken a message into the running turn, and may echo it. */
  steered(sessionId: string, content: readonly ContentBlock[]): void {
    this.of(sessionId).prompts.steered(content);
  }

  /** Returns the events of an update of a user's message. */
  echo(sessionId: string, event: EventInput): readonly EventInput[] {
    const isMessage = (event.type === 'message' || event.type === 'message_chunk') && event.role === 'user';
    return isMessage ? (this.sessions.get(sessionId)?.prompts.echo(event) ?? [event]) : [event];
  }

  /** The session is requested again. The states before the answer are those at its time. */
  reopening(sessionId: string): void {
    if (this.sessions.get(sessionId)?.isClosing) {
      this.sessions.delete(sessionId);
    }
    const session = this.of(sessionId);
    session.isRequested = true;
    session.wasOpen = session.isOpen;
    session.isOpen = false;
    delete session.early;
    delete session.isReplayed;
    session.background.clear();
    delete session.reported;
  }

  /** The agent has refused to open the session again. One that was open continues. */
  notOpened(sessionId: string): void {
    if (this.sessions.get(sessionId)?.wasOpen) {
      this.opened(sessionId);
    }
  }

  /** The agent has opened the session, and the client has taken the answer. */
  opened(sessionId: string): void {
    const session = this.of(sessionId);
    const { early } = session;
    session.isOpen = true;
    delete session.isRequested;
    delete session.wasOpen;
    delete session.early;
    if (early) {
      this.state(sessionId, early);
    }
  }

  /** The agent has sent the whole history. */
  replayed(sessionId: string): void {
    this.of(sessionId).isReplayed = true;
  }

  /** True when the agent has sent the whole history since the session was requested. */
  hasReplayed(sessionId: string): boolean {
    return this.sessions.get(sessionId)?.isReplayed === true;
  }

  /** The client asks the agent to close the session. Returns a function that forgets it, unless it was requested again meanwhile. */
  closing(sessionId: string): () => void {
    const session = this.sessions.get(sessionId);
    if (session) {
      session.isClosing = true;
    }
    return () => {
      if (session && this.sessions.get(sessionId) === session) {
        this.sessions.delete(sessionId);
      }
    };
  }

  /** The agent has deleted the session. */
  deleted(sessionId: string): void {
    this.sessions.delete(sessionId);
  }

  /** Takes the newest state of a session that the client has not requested: a subagent may report its state before its announcement. */
  takeEarly(sessionId: string): Fields | undefined {
    const session = this.sessions.get(sessionId);
    if (!session?.early || session.isOpen || session.isRequested) {
      return undefined;
    }
    this.sessions.delete(sessionId);
    return session.early;
  }

  /** Handles a `state_update`. */
  state(sessionId: string, update: Fields): void {
    const session = this.of(sessionId);
    const state = labelOf(update.state);
    if (state === undefined) {
      this.report(sessionId, [this.unknown('state_update', update)]);
      return;
    }
    if (!session.isOpen) {
      const other = session.early && rest(session.early, STATE_FIELDS);
      session.early = update;
      this.report(sessionId, other ? [{ type: 'session_info', ...other }] : []);
      return;
    }
    const before = session.state;
    session.state = state;
    const base = otherFields(update, state);
    this.background(sessionId, session, update.background);
    if (state === 'idle') {
      this.idle(sessionId, session, update, base);
      return;
    }
    const begins = !session.turn && (state === 'running' || state === 'requires_action');
    if (begins) {
      this.begin(sessionId, session);
    }
    if (base || (state !== before && !(begins && state === 'running'))) {
      this.report(sessionId, [{ type: 'turn_activity', activity: state, ...base }]);
    }
  }

  /** Handles the background work in a `state_update` of a subagent. In a history, it is not the present work. */
  childState(sessionId: string, subagentId: string, { background }: Fields): void {
    const session = this.of(sessionId);
    if (session.isOpen) {
      this.background(sessionId, session, background, subagentId);
    }
  }

  /** Every state has the complete list of its session. A malformed one counts as not reported. */
  private background(sessionId: string, session: SessionTurns, raw: unknown, subagentId?: string): void {
    if (Array.isArray(raw)) {
      session.background.set(
        subagentId ?? '',
        raw.map((item) => itemOf(item, subagentId)),
      );
    } else if (!session.background.delete(subagentId ?? '')) {
      return;
    }
    const items = session.background.size === 0 ? undefined : [...session.background.values()].flat();
    const reported = items && JSON.stringify(items);
    if (reported !== session.reported) {
      delete session.reported;
      this.report(sessionId, [{ type: 'background_work', ...(items && { items }) }]);
      if (reported !== undefined) {
        session.reported = reported;
      }
    }
  }

  private begin(sessionId: string, session: SessionTurns): void {
    const prompt = session.prompts.open.find((each) => !session.attached.has(each));
    session.turn = { owner: prompt ?? 'agent' };
    if (prompt) {
      session.attached.add(prompt);
    } else {
      this.client.onTurnStarted(sessionId);
    }
  }

  private idle(sessionId: string, session: SessionTurns, update: Fields, base: OtherFields): void {
    const stopReason = labelOf(update.stopReason);
    const end = this.endOf(update, stopReason, base);
    // An agent may not report the state in between.
    const skipped = session.turn ? undefined : session.prompts.open.find((each) => each.isInserted && !session.attached.has(each));
    const owner = session.turn ? session.turn.owner : stopReason === undefined ? undefined : skipped;
    const isEnd = session.turn !== undefined || owner !== undefined;
    delete session.turn;
    if (owner === undefined) {
      // A snapshot. The usage in it was counted at the end of its turn.
      this.report(sessionId, isEnd ? end.events : base ? [{ type: 'session_info', ...base }] : []);
      return;
    }
    if (owner !== 'agent') {
      session.prompts.remove(owner);
    }
    this.client.onTurnEnded(sessionId, end);
  }

  private endOf(update: Fields, stopReason: string | undefined, base: OtherFields): TurnEnd {
    const usage = decodeTurnUsage(update.usage);
    const info = base ? [{ type: 'session_info', ...base } as const] : [];
    const failure = stopReason === 'error' ? this.explained(failureIn(update.error)) : undefined;
    return { stopReason: stopReason ?? 'unknown', events: [...(usage ? [usage] : []), ...info], ...(failure && { failure }) };
  }

  private report(sessionId: string, events: readonly EventInput[]): void {
    if (events.length > 0) {
      this.client.onUpdate(sessionId, events);
    }
  }

  private of(sessionId: string): SessionTurns {
    let session = this.sessions.get(sessionId);
    if (!session) {
      session = { prompts: new Prompts(), attached: new WeakSet(), state: 'idle', background: new Map(), isOpen: false };
      if (this.sessions.size >= MAX_SESSIONS) {
        const unopened = [...this.sessions].find(([, { isOpen, isRequested }]) => !isOpen && !isRequested);
        this.sessions.delete((unopened ?? this.sessions.entries().next().value!)[0]);
      }
      this.sessions.set(sessionId, session);
    }
    return session;
  }
}

type OtherFields = ReturnType<typeof rest>;

/** Returns the fields of a state that have no effect: unknown ones, those of another type, and those that belong to other states. */
function otherFields(update: Fields, state: string): OtherFields {
  const base = rest(update, STATE_FIELDS);
  const isIdle = state === 'idle';
  const isRead: Readonly<Record<string, boolean>> = {
    background: Array.isArray(update.background),
    stopReason: isIdle && labelOf(update.stopReason) !== undefined,
    error: isIdle && update.stopReason === 'error' && isPlainError(update.error),
    usage: isIdle && decodeTurnUsage(update.usage) !== undefined,
  };
  let extra = base?.extra && { ...base.extra };
  for (const name in isRead) {
    if (!isRead[name] && isPresent(update[name])) {
      extra = keep(extra, name, update[name]);
    }
  }
  return extra ? { ...base, extra } : base;
}

/** True for an error whose fields are those of a failure. */
function isPlainError(error: unknown): boolean {
  return (
    isRecord(error) && Number.isFinite(error.code) && typeof error.message === 'string' && !isPresent(error.data) && !restOf(error, ERROR)
  );
}

const ERROR: ReadonlySet<string> = new Set(['code', 'message', 'data']);

/** The agent may not say why the turn failed. */
function failureIn(error: unknown): Failure {
  return isRecord(error) ? failureOfError('session/prompt', error) : { code: 'turn.failed' };
}

function itemOf(raw: unknown, owner: string | undefined): BackgroundItem {
  const item = isRecord(raw) ? raw : { raw };
  const [terminalId, toolCallId, subagentId] = [textOf(item.terminalId), textOf(item.toolCallId), textOf(item.sessionId)];
  const known: BackgroundItem = {
    type: textOf(item.type) ?? 'unknown',
    ...(terminalId !== undefined && { terminalId }),
    ...(toolCallId !== undefined && { toolCallId: owner === undefined ? toolCallId : subagentsId(owner, toolCallId) }),
    ...(subagentId !== undefined && { subagentId }),
    ...misfits(item, ['type', 'terminalId', 'toolCallId', 'sessionId']),
  };
  return withRest(known, item, ITEM);
}

const ITEM: ReadonlySet<string> = new Set(['type', 'terminalId', 'toolCallId', 'sessionId', 'subagentId', 'malformed']);
