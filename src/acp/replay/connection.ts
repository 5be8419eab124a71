/**
 * Converts the frames of a log, both ways, to recordings of their sessions. Uses the decoders of a live connection, so the result is what the user
 * saw. Facts that only the client knew (a prompt's text, the user's answers) are read from the client's frames, if the log contains them.
 */
import type { Failure } from '../../core/model/failure';
import type { SessionTarget } from '../dialect';
import type { Fields } from '../json/fields';
import { isRecord, textOf } from '../json/fields';
import { idLiteral as literalOf } from '../json/source';
import type { Direction } from './logLines';
import { isQwenNotification, qwenNotification } from '../quirks/qwenNotifications';
import type { Recording } from './recording';
import { methodByAnswer, recordOurAnswer, recordSteering, refusedOption, withOption } from './answers';
import { type OpenRequest, ReplayQuestions } from './openRequests';
import type { ReplaySessions } from './sessions';
import { failureOfError } from '../jsonrpc/rpc';
import { withCause } from '../../text/messages/recognizeCause';
import { decodePermission } from '../v1/client';
import { decodeBlocks } from '../v1/content';
import { withCaller, withTarget } from '../v1/sessionTarget';
import { Subagents } from '../v1/subagents';
import { decodeElicitation } from '../v1/elicitation';
import { decodeTurn, SETUP, STEERING, steerOutcome } from '../v1/methods';
import { V1Updates } from '../v1/updates';

/** Methods whose responses are read. */
const READ_ANSWERS = /^(?:initialize|session\/(?:new|load|resume|prompt|set_mode|set_model|set_config_option)|_session\/steering)$/;
/** Requests that ask the user. */
const ASKS: ReadonlySet<string> = new Set(['session/request_permission', 'elicitation/create']);
const SETS_OPTION = /^session\/set_(?:mode|model|config_option)$/;
/** Requests that the user waited for. A refusal of another request was not shown. */
const SHOWN_WHEN_REFUSED = /^(?:initialize|authenticate|session\/(?:new|load|resume))$/;

export class ReplayConnection {
  private readonly questions = new ReplayQuestions();
  /** Ids of new sessions of this connection. */
  private readonly taken = new Set<string>();
  private readonly pages = new Map<string, { readonly session: Recording; readonly requestKey: string }>();
  private readonly ourTerminals = new Set<string>();
  private updates!: V1Updates;
  private readonly subagents: Subagents;
  private connections = 0;

  constructor(private readonly sessions: ReplaySessions) {
    this.subagents = new Subagents(
      () => this.updates,
      (parent, child) => sessions.registerSubagent(parent, child),
    );
    this.connect();
  }

  /** True when this side waits for the response with that id. */
  requested(side: Direction, idLiteral: string): boolean {
    return this.questions.has(side, idLiteral);
  }

  /** Handles a request (with an id) or a notification. */
  called(direction: Direction, method: string, params: unknown, idLiteral: string | undefined): void {
    const fields = isRecord(params) ? params : {};
    const question = direction === 'c2a' ? this.weCall(method, fields) : this.agentCalls(method, fields, params, idLiteral !== undefined);
    if (idLiteral !== undefined) {
      this.questions.add(direction, idLiteral, { method, params: fields, ...question });
    }
  }

  answered(direction: Direction, message: Fields, idLiteral: string): void {
    const asker = direction === 'a2c' ? 'c2a' : 'a2c';
    const literal = this.requested(asker, idLiteral) ? idLiteral : idLiteral.replace(/^"(-?\d+)"$/, '$1');
    const found = this.questions.take(asker, literal);
    if (direction === 'a2c' && !found && this.questions.isOurs(literal)) {
      return; // A second response. A response without a request is interpreted only if its request may precede the log.
    }
    const error = message.error ?? undefined;
    if (direction === 'a2c') {
      this.questions.withdrawBecauseOf(literal);
      const question = found ?? { method: methodByAnswer(message.result), params: {} };
      const failure = error === undefined ? this.wrongWith(question, message.result) : withCause(failureOfError(question.method, error));
      if (failure) {
        this.agentRefuses(question, failure);
      } else {
        this.agentAnswers(question, isRecord(message.result) ? message.result : {});
      }
    } else if (found) {
      const terminalId = found.method === 'terminal/create' && isRecord(message.result) ? textOf(message.result.terminalId) : undefined;
      if (terminalId !== undefined) {
        this.ourTerminals.add(terminalId);
      }
      recordOurAnswer(found, message.result, error === undefined ? undefined : failureOfError(found.method, error));
    }
  }

  private weCall(method: string, params: Fields): Partial<OpenRequest> {
    const sessionId = textOf(params.sessionId);
    switch (method) {
      case 'initialize':
        this.connect();
        return {};
      case 'session/new':
        return { session: this.sessions.begin(params) };
      case 'session/load':
      case 'session/resume':
        if (sessionId === undefined) {
          return {};
        }
        this.updates.forget(sessionId);
        return this.sessions.comeBack(sessionId, params, method === 'session/load');
      case 'session/prompt': {
        if (sessionId === undefined) {
          return {};
        }
        this.updates.nextTurn(sessionId);
        const session = this.sessions.of(sessionId);
        return { session, subject: session.startTurn(decodeBlocks(params.prompt ?? [])) };
      }
      case 'session/cancel':
        this.sessions.known(sessionId)?.cancel();
        return {};
      default:
        return { session: this.sessions.known(sessionId) };
    }
  }

  private agentCalls(method: string, asSent: Fields, raw: unknown, isRequest: boolean): Partial<OpenRequest> {
    const named = isRecord(raw) ? this.targetOf(method, asSent) : undefined;
    const target = ASKS.has(method) ? this.targetOfQuestion(named, asSent) : named;
    if (target?.child !== undefined && ASKS.has(method)) {
      this.sessions.happened(target.sessionId, this.subagents.implication(target.child));
    }
    const params = ASKS.has(method) ? this.question(asSent, target) : asSent;
    const sessionId = textOf(params.sessionId);
    switch (method) {
      case 'session/update':
        this.update(params, sessionId, target);
        return {};
      case 'session/request_permission':
        return sessionId === undefined ? {} : this.permission(sessionId, params);
      case 'elicitation/create':
        return this.elicitation(sessionId, params);
      case 'elicitation/complete': {
        const page = this.pages.get(textOf(params.elicitationId) ?? '');
        page?.session.completeElicitation(page.requestKey);
        return {};
      }
      case '$/cancel_request':
        this.questions.withdraw(literalOf(params.requestId, '', []) ?? '');
        return {};
    }
    if (sessionId !== undefined && isQwenNotification(method)) {
      this.sessions.happened(sessionId, [qwenNotification(method, raw)]);
    } else if (!isRequest && !method.startsWith('$/')) {
      this.sessions.known(sessionId)?.unknown(method, raw);
    }
    return { session: this.sessions.known(sessionId) };
  }

  /** The target of a question, with the subagent whose tool call it is about. */
  private targetOfQuestion(named: SessionTarget | undefined, params: Fields): SessionTarget | undefined {
    const sessionId = textOf(params.sessionId);
    const target = named ?? (sessionId === undefined ? undefined : withCaller(this.subagents, { sessionId }, params));
    return named ? withCaller(this.subagents, named, params) : target?.child === undefined ? undefined : target;
  }

  private targetOf(method: string, params: Fields): SessionTarget | undefined {
    const isOfRequest = method === 'elicitation/create' && 'requestId' in params;
    const named = params.sessionId ?? (isOfRequest ? undefined : '');
    return typeof named === 'string' && (ASKS.has(method) || method === 'session/update') ? this.sessions.targetOf(named) : undefined;
  }

  /** The params of a question, which ends the message before it. */
  private question(params: Fields, target: SessionTarget | undefined): Fields {
    const sessionId = target?.child ?? target?.sessionId ?? textOf(params.sessionId);
    const requestParams = sessionId === undefined ? params : this.updates.question(sessionId, params);
    this.updates.breakMessage(target?.sessionId ?? '');
    return target
      ? withTarget(requestParams, target, target.child === undefined ? undefined : this.subagents.nameOf(target.child))
      : requestParams;
  }

  private update(params: Fields, named: string | undefined, target: SessionTarget | undefined): void {
    const sessionId = named ?? target?.sessionId;
    if (sessionId === undefined) {
      return;
    }
    const of = target ?? { sessionId };
    this.sessions.happened(of.sessionId, this.subagents.decode(of, params));
  }

  private permission(sessionId: string, params: Fields): Partial<OpenRequest> {
    if (this.sessions.isAwaited(sessionId)) {
      return {}; // The client refused the request, because the session was not open yet.
    }
    const session = this.sessions.of(sessionId);
    const ask = attempt(() => decodePermission(params));
    if (!ask) {
      session.unknown('session/request_permission', params);
    }
    return { session, subject: ask && session.askPermission(ask) };
  }

  private elicitation(sessionId: string | undefined, params: Fields): Partial<OpenRequest> {
    const requestParams = attempt(() => decodeElicitation(params));
    if (!requestParams) {
      const session =
        sessionId === undefined ? this.questions.get('c2a', String(params.requestId))?.session : this.sessions.known(sessionId);
      session?.unknown('elicitation/create', params);
      return {};
    }
    const { scope, request } = requestParams;
    const session = 'sessionId' in scope ? this.sessions.of(scope.sessionId) : this.sessionOfRequest(String(scope.requestId));
    const requestKey = session?.elicit(request);
    if (session && requestKey !== undefined && request.body.mode === 'url') {
      this.pages.set(request.body.elicitationId, { session, requestKey });
    }
    return { session, subject: requestKey };
  }

  /**
   * The session of an open request that an elicitation names. Undefined for an unknown id, whose elicitation was refused. For a log without client
   * requests it is a guess.
   */
  private sessionOfRequest(literal: string): Recording | undefined {
    const question = this.questions.get('c2a', literal);
    return question || !this.questions.isOurs() ? (question?.session ?? this.sessions.current) : undefined;
  }

  /** The reason why the original window could not use this answer, if it changed what was shown. */
  private wrongWith({ method }: OpenRequest, result: unknown): Failure | undefined {
    const isUnread = !isRecord(result ?? {}) && READ_ANSWERS.test(method);
    const sessionId = isRecord(result) && method === 'session/new' ? textOf(result.sessionId) : undefined;
    const isTaken = sessionId !== undefined && this.taken.has(sessionId);
    if (sessionId !== undefined) {
      this.taken.add(sessionId);
    }
    return isUnread || isTaken ? { code: 'protocol.bad_answer', params: { method } } : undefined;
  }

  private agentAnswers(question: OpenRequest, result: Fields): void {
    const { method, params, session, subject } = question;
    switch (method) {
      case 'initialize':
        this.sessions.describeAgent(result);
        break;
      case 'session/new':
      case 'session/load':
      case 'session/resume': {
        const sessionId = textOf(result.sessionId) ?? textOf(params.sessionId);
        if (sessionId !== undefined) {
          this.sessions.opened(session, sessionId, this.updates.decodeSetup(sessionId, result, SETUP));
        }
        break;
      }
      case 'session/prompt': {
        const turn = session ?? this.sessions.current;
        const { stopReason, events } = decodeTurn(this.updates, turn?.state.sessionId ?? '', result);
        turn?.append(...events);
        turn?.endTurn(subject, stopReason);
        break;
      }
      case STEERING: {
        const answer = steerOutcome(result) ?? { code: 'protocol.bad_answer' as const, params: { method } };
        if (session && recordSteering(session, params, answer)) {
          this.updates.breakMessage(textOf(params.sessionId) ?? '');
        }
        break;
      }
      case 'session/set_mode':
      case 'session/set_model':
      case 'session/set_config_option':
        if (method === 'session/set_model') {
          this.updates.modelSet(textOf(params.sessionId) ?? '', textOf(params.modelId) ?? '');
        }
        session?.append(...withOption(question, this.updates.decodeSetup(textOf(params.sessionId) ?? '', result, SETUP)));
    }
  }

  private agentRefuses({ method, params, session, subject, before }: OpenRequest, failure: Failure): void {
    if (method === 'session/prompt') {
      session?.endTurn(subject, 'error', failure);
    } else if (method === STEERING && session) {
      recordSteering(session, params, failure);
    } else if (SETS_OPTION.test(method)) {
      session?.notice('', 'error', failure.code === 'auth.required' ? failure : refusedOption({ method, params }, session.state, failure));
    } else if (SHOWN_WHEN_REFUSED.test(method)) {
      const target = before && session ? this.sessions.goBack(session, before) : (session ?? this.sessions.begun);
      target.notice(method, 'error', failure);
    }
  }

  private connect(): void {
    this.updates = new V1Updates((terminalId) => this.ourTerminals.has(terminalId), `${++this.connections}.`);
    this.questions.clear();
    this.taken.clear();
  }
}

/** Undefined when the params are invalid: a live connection answers with an error. */
function attempt<T>(decode: () => T): T | undefined {
  try {
    return decode();
  } catch {
    return undefined;
  }
}
