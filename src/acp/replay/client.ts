/**
 * The client of a replayed log: turns the agent's messages, as the interpreter reads them, into the events of recordings. The answers to the agent's
 * requests are those in the log.
 */
import type { ExitStatus } from '../../core/model/content';
import { type Failure, fault } from '../../core/model/failure';
import type { ClientFrames } from '../clientFrames';
import type {
  Client,
  ElicitationAnswer,
  ElicitationScope,
  PermissionParams,
  ElicitationParams,
  TerminalCommand,
  TurnEnd,
} from '../dialect';
import type { EventInput } from '../../core/model/event';
import { type Fields, isRecord } from '../json/fields';
import { failureOfError, RPC } from '../jsonrpc/rpc';
import type { OpenRequests, TheirRequest } from './openRequests';
import type { Recording } from './recording';
import type { ReplaySessions } from './sessions';

/** The client's answer in the log. `isWithdrawn`: the agent has cancelled its request. */
interface Answer {
  readonly result: Fields;
  readonly failure?: Failure;
  readonly isWithdrawn: boolean;
}

/** A prompt in the log. */
export interface LoggedPrompt {
  readonly session: Recording;
  readonly turnId: string;
  /** True when the agent has taken it. */
  isTaken: boolean;
}

export class ReplayClient implements Client {
  /** The agent's request that is being delivered. */
  request: TheirRequest | undefined;
  private readonly pages = new Map<string, { readonly session: Recording; readonly requestKey: string }>();
  private readonly terminals = new Set<string>();
  /** The prompts whose turns have not ended, by session id. */
  private readonly prompts = new Map<string, LoggedPrompt[]>();

  constructor(
    private readonly sessions: ReplaySessions,
    private readonly requests: OpenRequests,
    private readonly frames: () => ClientFrames,
  ) {}

  resolveSession(named: string): ReturnType<NonNullable<Client['resolveSession']>> {
    return this.sessions.targetOf(named);
  }

  registerSubagent(parent: string, child: string): boolean {
    return this.sessions.registerSubagent(parent, child);
  }

  runsTerminal(terminalId: string): boolean {
    return this.terminals.has(terminalId);
  }

  onUpdate(sessionId: string, events: readonly EventInput[]): void {
    this.sessions.happened(sessionId, events);
  }

  promptSent(sessionId: string, prompt: LoggedPrompt): void {
    const prompts = this.prompts.get(sessionId) ?? [];
    prompts.push(prompt);
    this.prompts.set(sessionId, prompts);
  }

  onTurnStarted(sessionId: string): void {
    this.sessions.known(sessionId)?.startTurn([]);
  }

  onTurnEnded(sessionId: string, { events, stopReason, failure }: TurnEnd): void {
    // Clients may send a prompt before the turn of another one has ended.
    const prompts = this.prompts.get(sessionId) ?? [];
    const ended = prompts.find(({ isTaken }) => isTaken) ?? prompts[0];
    this.forgetPrompt(sessionId, ended);
    const session = ended?.session ?? this.sessions.known(sessionId) ?? this.sessions.current;
    session?.append(...events);
    session?.endTurn(ended?.turnId, stopReason, failure);
  }

  promptRefused(sessionId: string, prompt: LoggedPrompt | undefined, failure: Failure): void {
    this.forgetPrompt(sessionId, prompt);
    prompt?.session.endTurn(prompt.turnId, 'error', failure);
  }

  private forgetPrompt(sessionId: string, prompt: LoggedPrompt | undefined): void {
    this.prompts.set(sessionId, this.prompts.get(sessionId)?.filter((each) => each !== prompt) ?? []);
  }

  /** Another connection follows. */
  clear(): void {
    this.prompts.clear();
  }

  onUnknown(method: string, params: unknown, sessionId?: string): void {
    const requestId = isRecord(params) ? params.requestId : undefined;
    const isRefused = this.request !== undefined && sessionId !== undefined && !this.sessions.isAwaited(sessionId);
    const session = isRefused
      ? this.sessions.of(sessionId)
      : sessionId === undefined
        ? this.requests.ourRequest(String(requestId))?.session
        : this.sessions.known(sessionId);
    session?.unknown(method, params);
  }

  async requestPermission(
    sessionId: string,
    request: PermissionParams,
    signal: AbortSignal,
  ): Promise<{ readonly optionId: string } | 'cancelled'> {
    if (this.sessions.isAwaited(sessionId)) {
      throw fault('session.not_ready'); // The client refused the request, because the session was not open yet.
    }
    const session = this.sessions.of(sessionId);
    const permissionId = session.askPermission(request);
    let optionId: string | undefined;
    let isStopped = false;
    // An agent withdraws its question when the user stops the turn.
    signal.addEventListener('abort', () => (isStopped = session.state.turn?.cancelling === true));
    await this.answer(signal, ({ result, ...answer }) => {
      const isWithdrawn = answer.isWithdrawn && !isStopped;
      optionId = isWithdrawn ? undefined : this.frames().permission(result, session.state.turn?.cancelling === true);
      session.answerPermission(permissionId, optionId, isWithdrawn);
    });
    return optionId === undefined ? 'cancelled' : { optionId };
  }

  async elicit(scope: ElicitationScope, request: ElicitationParams, signal: AbortSignal): Promise<ElicitationAnswer> {
    const because = 'sessionId' in scope ? undefined : String(scope.requestId);
    const session = 'sessionId' in scope ? this.sessions.of(scope.sessionId) : this.sessionOfRequest(String(scope.requestId));
    const requestKey = session?.elicit(request);
    if (session && requestKey !== undefined && request.body.mode === 'url') {
      this.pages.set(request.body.elicitationId, { session, requestKey });
    }
    const { result } = await this.answer(
      signal,
      ({ result: answer, isWithdrawn }) =>
        void (requestKey !== undefined && session?.answerElicitation(requestKey, this.frames().elicitation(answer), isWithdrawn)),
      because,
    );
    return this.frames().elicitation(result);
  }

  onElicitationComplete(elicitationId: string): void {
    const page = this.pages.get(elicitationId);
    page?.session.completeElicitation(page.requestKey);
  }

  async readTextFile(_sessionId: string, _request: object, signal: AbortSignal): Promise<string> {
    await this.answer(signal);
    return '';
  }

  async writeTextFile(sessionId: string, { path }: { readonly path: string }, signal: AbortSignal): Promise<void> {
    const session = this.sessions.known(sessionId);
    await this.answer(signal, ({ failure, isWithdrawn }) => {
      if (!isWithdrawn) {
        void (failure ? session?.refuseWrite(path, failure.detail) : session?.write(path));
      }
    });
  }

  async createTerminal(sessionId: string, command: TerminalCommand, signal: AbortSignal): Promise<string> {
    const session = this.sessions.known(sessionId);
    const { result } = await this.answer(signal, ({ result: answer }) => {
      const terminalId = this.frames().terminalId(answer);
      if (terminalId !== undefined) {
        this.terminals.add(terminalId);
        session?.startTerminal(terminalId, command);
      }
    });
    return this.frames().terminalId(result) ?? '';
  }

  async terminalOutput(sessionId: string, terminalId: string): Promise<{ output: string; truncated: boolean }> {
    await this.terminalAnswer(sessionId, terminalId, (result) => this.frames().terminalOutput(result));
    return { output: '', truncated: false };
  }

  async waitForTerminalExit(sessionId: string, terminalId: string): Promise<ExitStatus> {
    await this.terminalAnswer(sessionId, terminalId, (result) => ({ exitStatus: this.frames().terminalExit(result) }));
    return {};
  }

  async killTerminal(sessionId: string, terminalId: string): Promise<void> {
    await this.terminalAnswer(sessionId, terminalId, () => ({}));
  }

  async releaseTerminal(sessionId: string, terminalId: string): Promise<void> {
    await this.terminalAnswer(sessionId, terminalId, () => ({ released: true }));
  }

  private async terminalAnswer(
    sessionId: string,
    terminalId: string,
    updateOf: (result: Fields) => Parameters<Recording['updateTerminal']>[1],
  ): Promise<void> {
    const session = this.sessions.known(sessionId);
    await this.answer(undefined, ({ result, failure }) => void (failure ?? session?.updateTerminal(terminalId, updateOf(result))));
  }

  /**
   * Resolves to the answer in the log. `record` is called with it at once, before the next message of the log.
   * @param because the id of the client's request that caused the agent's
   */
  private answer(signal: AbortSignal | undefined, record?: (answer: Answer) => void, because?: string): Promise<Answer> {
    const { request } = this;
    return new Promise((resolve) => {
      if (!request) {
        return;
      }
      signal?.addEventListener('abort', () => (request.withdrawn = true));
      if (because !== undefined) {
        request.because = because;
      }
      request.answer = (result, error) => {
        const failure = error === undefined ? undefined : failureOfError('', error);
        const isWithdrawn = request.withdrawn === true || failure?.params?.['code'] === RPC.requestCancelled;
        const answer = { result, isWithdrawn, ...(failure && { failure }) };
        record?.(answer);
        resolve(answer);
      };
    });
  }

  /**
   * The session of an open request that an elicitation names. Undefined for an unknown id, whose elicitation was refused. For a log without client
   * requests it is a guess.
   */
  private sessionOfRequest(idLiteral: string): Recording | undefined {
    const request = this.requests.ourRequest(idLiteral);
    return request || !this.requests.isOurs() ? (request?.session ?? this.sessions.current) : undefined;
  }
}
