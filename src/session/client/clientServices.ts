/**
 * The client methods that a session offers its agent: permissions, elicitations, files and terminals. Each response to the agent is recorded as an
 * event first.
 */
import type { ElicitationAnswer, ElicitationParams } from '../../acp/dialect';
import type { ExitStatus } from '../../core/model/content';
import type { EventInput } from '../../core/model/event';
import { type FailureCode, failureOf, fault } from '../../core/model/failure';
import type { Clock } from '../../core/platform/clock';
import type { Disposable } from '../../core/platform/disposable';
import type { Log } from '../../core/platform/log';
import type { Roots } from '../../core/model/roots';
import { toolCallIn } from '../../core/approval/permissionSubject';
import { EDITOR_SERVER } from '../../core/mcp/mcpServer';
import { writtenFile } from '../../core/fileChanges/writtenFile';
import type { TerminalSize } from '../../core/model/terminalSize';
import { PromptEcho } from '../../core/replay/promptEcho';
import type { AddedFile, FileEdit, FileGuard, FileService, WriteReview } from '../../fs/fileService';
import type { PermissionPromptQueue } from '../permission/promptQueue';
import type { TerminalDependencies, TerminalService } from '../../terminal/terminalService';
import type { AgentPolicy } from '../questions/agentPolicy';
import { Elicitations } from '../questions/elicitations';
import { Consents } from '../../policy/consents';
import type { RuleSource } from '../../policy/rule';
import type { HostQuestions } from '../questions/hostQuestions';
import type { QuestionDependencies, QuestionObserver } from '../questions/questionDependencies';
import type { SessionPeer } from '../agent/agentConnection';
import { Permissions } from '../questions/permissions';
import type { Question } from '../questions/questions';
import { type EarlierQuestions, type QuestionStore, Questions } from '../questions/questions';
import { outlivesStop, subagentOf } from '../../core/subagents/subagentTree';
import type { ReplayTarget } from '../state/replayTarget';
import type { SessionStore } from '../state/store';
import type { SandboxMode, SandboxRefusal } from '../../core/sandbox/sandbox';
import type { SandboxChoice } from '../sandbox/sandboxChoice';
import type { LostTerminals } from './lostTerminals';
import { StoppedWork } from './stoppedWork';
import { WorkBetweenTurns } from './workBetweenTurns';
import type { SessionAgent } from '../../core/agents/agentIds';
import type { UnaskedMemory } from '../questions/unaskedCalls';
import type { SessionCalls } from '../mcp/sessionCalls';
import type { ApplyEdits } from './editFiles';
import { modeOf } from '../../core/modes/permissionMode';
import { lazy } from '../../util/lazy';

export interface ClientServiceDependencies extends QuestionDependencies {
  readonly clock: Clock;
  readonly log: Log;
  /** Offers questions with options as quick picks. */
  readonly permissions: Pick<PermissionPromptQueue, 'prompt'>;
  /** Called for each session, because the service remembers the files that the agent has read. */
  files(roots: Roots, guard: FileGuard, review: WriteReview, added: AddedFile): FileService | Promise<FileService>;
  terminals(
    roots: Roots,
    emit: (event: EventInput) => void,
    guard: NonNullable<TerminalDependencies['guard']>,
    agent: SessionAgent & { sandboxMode(): SandboxMode },
  ): TerminalService | Promise<TerminalService>;
  /** Returns the accesses that the sandbox of the agent's process refused, as an output shows them. */
  refusalsIn?(agentId: string, roots: Roots, output: string): Promise<readonly SandboxRefusal[]>;
  /** The agents that act without a request. Undefined: no work without a request is noted. */
  unasked?: UnaskedMemory;
}

/** Failures of writes that the conversation shows already: on the card, or once for a folder or a turn. */
const SHOWN_ELSEWHERE: ReadonlySet<FailureCode> = new Set([
  'request.cancelled',
  'session.root_changed',
  'fs.protected',
  'fs.rejected',
  'policy.denied',
  'turn.stopped',
]);

export class ClientServices implements Disposable {
  /** The services for files and terminals, loaded with the first request of the agent. */
  private files: (() => Promise<FileService>) | undefined;
  private terminals: (() => Promise<TerminalService>) | undefined;
  /** The resolved {@link terminals}; undefined until the agent creates a terminal. */
  private opened: TerminalService | undefined;
  /** The host's questions of the agent's session. */
  private host: (() => Promise<HostQuestions>) | undefined;
  /** The calls of the editor's tools. Undefined while the session has none of them. */
  private calls: SessionCalls | undefined;
  private readonly loadCalls = lazy(() => this.openCalls());
  /** The store for questions and running commands: they are shown at once and also added to the replay, which may replace the conversation. */
  private readonly mirroredStore: QuestionStore;
  readonly questions: Questions;
  /** The files that the user has agreed to show to the agent, for as long as the session is open in this window. */
  readonly consents: Consents;
  readonly elicitations: Elicitations;
  private readonly permissions: Permissions;
  /** The sources of the window, and the session's permission mode. */
  private readonly ruleSources: readonly RuleSource[];
  private readonly observer: QuestionObserver | undefined;
  /** Returns undefined while there are no rules for the agent's own requests. A rule can be made during the session. */
  private readonly agentPolicy: () => Promise<AgentPolicy> | undefined;
  /** Requests that wait for a command's end, with the turn in which they were made. */
  private readonly waits = new Set<{ readonly turnId: string | undefined; readonly abort: AbortController }>();
  private readonly stopped: StoppedWork;
  private readonly work: WorkBetweenTurns;
  /** The buffer for updates while the agent replays an earlier conversation. */
  private replay: ReplayTarget | undefined;
  private readonly echo = new PromptEcho();
  /** The terminals of an earlier window; see {@link adopt}. */
  private lost: LostTerminals | undefined;

  constructor(
    key: string,
    private readonly agent: SessionAgent,
    private readonly roots: Roots,
    private readonly store: SessionStore,
    private readonly deps: ClientServiceDependencies,
    private readonly sandbox: Pick<SandboxChoice, 'mode'> = { mode: 'off' },
    /** Called when the agent has ended work between turns. */
    workEnded: () => void = () => undefined,
    /** Sends a text to the model: into the running turn, or with the next prompt. */
    tellAgent: (text: string) => void = () => undefined,
  ) {
    const replay = (): ReplayTarget | undefined => this.replay;
    this.mirroredStore = {
      get seq() {
        return store.seq;
      },
      get state() {
        return store.state;
      },
      append: (...events) => {
        store.append(...events);
        replay()?.mirror(...events);
      },
    };
    this.questions = new Questions(this.mirroredStore, (question, answer) => {
      if (question.kind !== 'permission') {
        return undefined; // A quick pick cannot show a form.
      }
      if (question.isCardOnly) {
        return undefined;
      }
      const { questionId, title, description, askedBy, options, subject } = question;
      const about = { sessionKey: key, agentName: agent.agentName, permissionId: questionId, cwd: roots.cwd, store };
      const more = { ...(description !== undefined && { description }), ...(askedBy !== undefined && { askedBy }) };
      const call = toolCallIn(this.mirroredStore.state, subject.toolCallId);
      const ask = { ...about, title, ...more, options, subject, ...(call && { call }) };
      return deps.permissions.prompt(ask, (optionId) => answer({ optionId }));
    });
    this.consents = new Consents(deps.identityOf);
    this.elicitations = new Elicitations(this.questions, this.mirroredStore);
    const session = { key, ...agent, roots };
    const modes: RuleSource = {
      isActive: () => modeOf(store.state) !== 'ask',
      rulesFor: async (request) => (await import('../../policy/modes/modeSource')).rulesOfMode(modeOf(store.state), request, roots),
    };
    this.ruleSources = [...(deps.ruleSources?.(session) ?? []), modes];
    let hasAnswers = false;
    const policy = lazy(
      async () =>
        new (await import('../questions/agentPolicy')).AgentPolicy({
          agent,
          roots,
          sources: this.ruleSources,
          readOnlyTools: () => this.calls?.readOnlyTools() ?? new Set(),
          protectedRules: deps.protectedRules,
          turn: () => turnOf(store),
        }),
    );
    this.agentPolicy = () =>
      hasAnswers || this.calls || this.ruleSources.some((source) => source.isActive?.() ?? true) ? policy() : undefined;
    this.observer = deps.observe?.(session);
    this.permissions = new Permissions(
      this.questions,
      store,
      replay,
      this.agentPolicy,
      this.observer,
      tellAgent,
      () => {
        hasAnswers = true;
        return policy();
      },
      (error) => deps.log.error(`The rules could not be applied to a request, so the user is asked: ${String(error)}`),
    );
    this.work = new WorkBetweenTurns(store, deps.clock, workEnded);
    this.stopped = new StoppedWork(() => agent.agentName, store);
    const { unasked } = deps;
    if (unasked) {
      store.onEvents((_, events) => {
        const kinds = events.some(({ type }) => type === 'session_ready') && !store.state.unasked ? unasked.of(agent.agentId) : [];
        if (kinds.length > 0) {
          // The other listeners receive these events first.
          queueMicrotask(() => store.state.unasked ?? store.append({ type: 'unasked', kinds: [...kinds] }));
        }
      });
    }
  }

  /** Creates the services for an agent's session. A new session does not inherit the old one's state. */
  open(): void {
    this.close();
    this.stopped.reset();
    // Created for each session of the agent, because a permission holds for one session.
    const questions = lazy(() => this.hostQuestions());
    this.host = questions;
    this.files = lazy(() =>
      this.deps.files(
        this.roots,
        async (operation, signal) => (await questions()).aboutFile(operation, signal),
        async (write, signal) => (await questions()).aboutWrite(write, signal),
        (path) => this.consents.agreedFile(path),
      ),
    );
    const terminals = lazy(async () => {
      const opened = await this.deps.terminals(
        this.roots,
        (event) => this.mirroredStore.append(event),
        async (operation, signal) => (await questions()).aboutCommand(operation, signal),
        { ...this.agent, sandboxMode: () => this.sandbox.mode },
      );
      if (this.terminals === terminals) {
        this.opened = opened;
      }
      return opened;
    });
    this.terminals = terminals;
  }

  /** Continues the work of an earlier window. @param allowedIn the running turn, if the user has allowed a request in it */
  adopt(
    lost: LostTerminals,
    questions: (conversation: QuestionStore, clock: Clock) => EarlierQuestions,
    allowedIn: string | undefined,
  ): void {
    this.lost = lost;
    this.questions.adopted = questions(this.mirroredStore, this.deps.clock);
    if (allowedIn !== undefined) {
      this.permissions.allowIn(allowedIn);
    }
  }

  /** Ends the commands and the pending questions after the agent has ended. */
  close(): void {
    this.replay = undefined;
    this.lost = undefined;
    this.settleRequests('lost');
    void this.opened?.dispose();
    this.opened = undefined;
    this.terminals = undefined;
    this.files = undefined;
    this.host = undefined;
  }

  /** The user has ended the session. */
  ended(): void {
    this.observer?.ended?.();
  }

  dispose(): void {
    this.close();
    this.work.dispose();
    this.stopped.dispose();
    this.calls?.dispose();
  }

  /** The calls of the editor's tools in this session. */
  editorCalls(): Promise<SessionCalls> {
    return this.loadCalls();
  }

  /** Cancels questions, writes and commands that have not started, after the user pressed Stop. */
  stop(): void {
    this.settleRequests('cancelled', this.isStopped);
    this.stopped.withdraw();
  }

  /** Cancels the questions of these subagents, and their writes and commands that have not started, after the user has stopped one of them. */
  stopSubagents(branch: ReadonlySet<string>): void {
    this.settleRequests('cancelled', ({ subagentId }) => subagentId !== undefined && branch.has(subagentId));
    this.stopped.stopSubagents(branch);
  }

  /** Ends all questions without an answer. */
  settleRequests(outcome: 'cancelled' | 'lost', isMeant?: (question: Question) => boolean): void {
    this.questions.endAll(outcome, isMeant);
  }

  /** True for a question of the work that Stop ends. */
  private readonly isStopped = ({ subagentId }: Question): boolean => {
    const child = subagentId === undefined ? undefined : subagentOf(this.store.state, subagentId);
    return !child || !outlivesStop(this.store.state, child);
  };

  /**
   * Ends the questions and the waits for commands of a turn that the agent has ended because it was stopped. The commands continue until the agent
   * or the user ends them: one may be a server.
   */
  turnStopped(turnId: string): void {
    // An announced subagent may outlive the turn.
    const outlives = (subagentId: string): boolean => subagentOf(this.store.state, subagentId)?.isImplied !== true;
    this.settleRequests('cancelled', ({ subagentId }) => subagentId === undefined || !outlives(subagentId));
    [...this.waits].filter((wait) => wait.turnId === turnId).forEach(({ abort }) => abort.abort());
  }

  /** Updates go to `replay` until {@link endReplay}. */
  startReplay(replay: ReplayTarget): void {
    this.replay = replay;
  }

  endReplay(): void {
    this.replay = undefined;
  }

  /** Makes an edit of the editor for the agent, all files or none. Rejects with the `Fault` of a file that may not be written. */
  editFiles(edits: readonly FileEdit[], apply: ApplyEdits, signal: AbortSignal): Promise<void> {
    return this.stopped.unlessStopped(signal, undefined, async (either) =>
      (await import('./editFiles')).editFiles(await this.fileService(), this.mirroredStore, edits, apply, either),
    );
  }

  async stopTerminal(terminalId: string): Promise<void> {
    await this.opened?.stop(terminalId);
  }

  /** Sends the user's input to a command's terminal. False when no command receives it. */
  typeInTerminal(terminalId: string, text: string): boolean {
    return this.opened?.write(terminalId, text) ?? false;
  }

  resizeTerminal(terminalId: string, size: TerminalSize): void {
    this.opened?.resize(terminalId, size);
  }

  /** The handlers for the agent's messages, except for the starts and the ends of its turns. */
  readonly peer: Omit<SessionPeer, 'onTurnStarted' | 'onTurnEnded'> = {
    onUpdate: (events) => this.update(events),
    onUnknown: (method, params) =>
      this.updateTarget.append({ type: 'unknown', unknownId: `message-${this.updateTarget.seq}`, label: method, raw: params }),
    onAccount: (account) => this.updateTarget.append({ type: 'account', ...account }),
    isTurnRunning: () => this.store.state.turn !== undefined,
    onRefused: (method, sessionId) => this.warnOfRefusal(method, sessionId),
    requestPermission: (request, signal) => this.permissions.request(this.calls?.request(request) ?? request, signal),
    elicit: (request, signal) => this.elicit(request, signal),
    onElicitationComplete: (elicitationId) => this.elicitations.complete(elicitationId),
    readTextFile: async (params, signal) => (await this.fileService()).read(params, signal),
    writeTextFile: (params, signal) => this.stopped.unlessStopped(signal, params.subagentId, (either) => this.write(params, either)),
    createTerminal: ({ subagentId, ...params }, signal) =>
      this.stopped.unlessStopped(signal, subagentId, async (either) => (await this.terminalService()).create(params, either)),
    terminalOutput: async (terminalId) => this.lost?.read(terminalId) ?? (await this.terminalService()).output(terminalId),
    waitForTerminalExit: async (terminalId, signal) => this.lost?.read(terminalId)?.exitStatus ?? this.waitForExit(terminalId, signal),
    killTerminal: async (terminalId) => void (this.lost?.read(terminalId) ?? (await (await this.terminalService()).kill(terminalId))),
    releaseTerminal: async (terminalId) =>
      this.lost?.read(terminalId) ? this.lost.release(terminalId) : (await this.terminalService()).release(terminalId),
  };

  private update(events: readonly EventInput[]): void {
    if (this.replay) {
      this.replay.append(...events);
      return;
    }
    const merged = this.calls?.events(events) ?? events;
    this.work.append(...this.echo.without(merged, this.store.state));
    const { store, agent, roots } = this;
    if (this.deps.unasked && merged.some((event) => event.type === 'tool_call_update' && event.patch.status === 'completed')) {
      const { state } = store;
      void import('../questions/unaskedCalls').then(({ noteUnaskedCalls }) =>
        noteUnaskedCalls(merged, state, store, agent, roots, this.deps.unasked),
      );
    }
    const { refusalsIn } = this.deps;
    if (
      refusalsIn &&
      this.sandbox.mode === 'agent' &&
      events.some(({ type }) => type === 'tool_call_update' || type.startsWith('terminal_'))
    ) {
      const find = (output: string) => refusalsIn(this.agent.agentId, this.roots, output);
      void import('../sandbox/refusedCalls').then(({ noteRefusedCalls }) => noteRefusedCalls(events, this.store, find));
    }
  }

  /** Declines a web page that a rule denies. Otherwise asks the user. */
  private async elicit(request: ElicitationParams, signal: AbortSignal): Promise<ElicitationAnswer> {
    const { body } = request;
    if (body.mode !== 'url') {
      return this.elicitations.ask(request, signal);
    }
    const { url } = body;
    return this.elicitations.askForPage({ ...request, body }, signal, async () => {
      const policy = await this.agentPolicy();
      return !policy || policy.mayOpen(url, this.permissions, this.deps.questionWords);
    });
  }

  private warnOfRefusal(method: string, sessionId: string): void {
    const failure = { code: 'session.unknown', params: { method, ...(sessionId !== '' && { sessionId }) } } as const;
    this.mirroredStore.append({ type: 'notice', noticeId: `refused-${this.store.seq}`, severity: 'warning', title: '', failure });
  }

  private async waitForExit(terminalId: string, signal: AbortSignal): Promise<ExitStatus> {
    const wait = { turnId: this.store.state.turn?.turnId, abort: new AbortController() };
    this.waits.add(wait);
    try {
      return await (await this.terminalService()).waitForExit(terminalId, AbortSignal.any([signal, wait.abort.signal]));
    } finally {
      this.waits.delete(wait);
    }
  }

  /** Writes a file. A failure is also shown to the user, because their own edits may have prevented the write. */
  private async write(params: Parameters<SessionPeer['writeTextFile']>[0], signal: AbortSignal): Promise<void> {
    try {
      const written = await (await this.fileService()).write(params, signal);
      if (written) {
        const file = writtenFile(params.path, written.before, written.after, params.subagentId);
        this.mirroredStore.append({ type: 'file_written', file });
      }
    } catch (error) {
      const failure = failureOf(error);
      if (!SHOWN_ELSEWHERE.has(failure.code)) {
        const noticeId = `write-${this.store.seq}`;
        this.mirroredStore.append({ type: 'notice', noticeId, severity: 'warning', title: params.path, failure });
      }
      throw error;
    }
  }

  /** The conversation for the agent's updates. */
  private get updateTarget(): QuestionStore {
    return this.replay ?? this.store;
  }

  private async hostQuestions(): Promise<HostQuestions> {
    const { HostQuestions } = await import('../questions/hostQuestions');
    const { agent, roots, deps, permissions, consents, ruleSources, store } = this;
    return new HostQuestions({ ...agent, roots, deps, permissions, consents, ruleSources, turn: () => turnOf(store) });
  }

  private async openCalls(): Promise<SessionCalls> {
    const { SessionCalls: SessionCalls } = await import('../mcp/sessionCalls');
    return (this.calls = new SessionCalls({
      server: EDITOR_SERVER,
      clock: this.deps.clock,
      target: this.mirroredStore,
      store: this.store,
      turn: () => turnOf(this.store),
      ask: async (operation, signal) => void (await (await (this.host?.() ?? notReady())).aboutTool(operation, signal)),
    }));
  }

  private fileService(): Promise<FileService> {
    return this.files?.() ?? notReady();
  }

  private async terminalService(): Promise<TerminalService> {
    const { terminals } = this;
    const service = await (terminals?.() ?? notReady());
    // The session may have been closed meanwhile.
    return this.terminals === terminals ? service : notReady();
  }
}

/** Identifies the running turn, or the work between turns. */
function turnOf({ state }: SessionStore): string {
  return state.turn?.turnId ?? state.work?.workId ?? '';
}

function notReady(): never {
  throw fault('session.not_ready', undefined, { message: 'The session is not open.' });
}
