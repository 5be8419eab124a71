/** A session's rooms, and what an agent gets from them. Each answer to the agent is an event of the conversation first. */
import { newsOfToolCall, titleOfToolCall } from '../core/asked';
import type { ExitStatus, PermissionOption, PermissionSubject, ToolContent } from '../core/content';
import type { SessionHappening } from '../core/event';
import { failureOf, fault } from '../core/failure';
import type { Clock, Disposable, Log, Roots } from '../core/ports';
import { entryIdOf, isAbsent } from '../core/state';
import { writtenFile } from '../core/turnChanges';
import type { TerminalSize } from '../core/terminalSize';
import type { FileRoom } from '../fs/room';
import type { PermissionRoom } from '../permission/room';
import type { TerminalRoom } from '../terminal/room';
import { abortOutcome } from './abortOutcome';
import { Elicitations } from './elicitations';
import type { SessionPeer } from './link';
import type { Replay } from './replay';
import type { SessionStore } from './store';

export interface RoomPorts {
  readonly clock: Clock;
  readonly log: Log;
  readonly permissions: PermissionRoom;
  /** New for each session: it remembers what the agent read. */
  files(roots: Roots): FileRoom;
  terminals(roots: Roots, emit: (happening: SessionHappening) => void): TerminalRoom;
}

type Told = Pick<SessionStore, 'append' | 'seq' | 'state'>;

type PermissionRequest = Parameters<SessionPeer['requestPermission']>[0];

export class SessionRooms implements Disposable {
  private files: FileRoom | undefined;
  private terminals: TerminalRoom | undefined;
  private permissions = 0;
  /** Where questions to the user belong, and what runs for the agent: on the screen at once, and in what is told aside, which may take its place. */
  private readonly asked: Told;
  readonly elicitations: Elicitations;
  /** Requests that wait for a command's end, by the turn they were made in. */
  private readonly waits = new Set<{ readonly turnId: string | undefined; readonly abort: AbortController }>();
  /** Where updates go while the agent brings an earlier conversation back. */
  private replay: Replay | undefined;

  constructor(
    private readonly key: string,
    private readonly agentName: string,
    private readonly roots: Roots,
    private readonly store: SessionStore,
    private readonly ports: RoomPorts,
  ) {
    const replay = (): Replay | undefined => this.replay;
    this.asked = {
      get seq() {
        return store.seq;
      },
      get state() {
        return store.state;
      },
      append: (...happenings) => {
        store.append(...happenings);
        replay()?.mirror(...happenings);
      },
    };
    this.elicitations = new Elicitations(this.asked);
  }

  /** Ready for an agent's session; a new one remembers nothing of the one before. */
  open(): void {
    this.close();
    this.files = this.ports.files(this.roots);
    this.terminals = this.ports.terminals(this.roots, (happening) => this.asked.append(happening));
  }

  /** The agent is gone: its commands end, its requests are lost. */
  close(): void {
    this.replay = undefined;
    this.settleRequests('lost');
    void this.terminals?.dispose();
    this.terminals = undefined;
    this.files = undefined;
  }

  dispose(): void {
    this.close();
  }

  /** Everything that waits for the user's answer ends without one. */
  settleRequests(outcome: 'cancelled' | 'lost'): void {
    this.ports.permissions.settleAll(this.key, outcome);
    this.elicitations.settleAll(outcome);
  }

  /**
   * The agent has ended this turn because it was stopped: it waits no longer for the user, nor for the commands that it began to wait for in this
   * turn. The commands themselves are the agent's to end, or the user's: it may have started a server.
   */
  turnStopped(turnId: string): void {
    this.settleRequests('cancelled');
    [...this.waits].filter((wait) => wait.turnId === turnId).forEach(({ abort }) => abort.abort());
  }

  /** Updates go to `replay` until {@link endReplay}. */
  startReplay(replay: Replay): void {
    this.replay = replay;
  }

  endReplay(): void {
    this.replay = undefined;
  }

  async stopTerminal(terminalId: string): Promise<void> {
    await this.terminals?.stop(terminalId);
  }

  /** What the user types in a command's terminal. False when it reaches nobody. */
  typeInTerminal(terminalId: string, text: string): boolean {
    return this.terminals?.write(terminalId, text) ?? false;
  }

  resizeTerminal(terminalId: string, size: TerminalSize): void {
    this.terminals?.resize(terminalId, size);
  }

  /** What the agent may ask of this session. */
  readonly peer: SessionPeer = {
    onUpdate: (happenings) => this.told.append(...happenings),
    onUnknown: (method, params) => this.told.append({ type: 'unknown', unknownId: `message-${this.told.seq}`, label: method, raw: params }),
    requestPermission: (request, signal) => this.requestPermission(request, signal),
    elicit: (request, signal) => this.elicitations.ask(request, signal),
    onElicitationComplete: (elicitationId) => this.elicitations.complete(elicitationId),
    readTextFile: (params, signal) => this.fileRoom().read(params, signal),
    writeTextFile: (params, signal) => this.write(params, signal),
    createTerminal: (params) => this.terminalRoom().create(params),
    terminalOutput: (terminalId) => this.terminalRoom().output(terminalId),
    waitForTerminalExit: (terminalId, signal) => this.waitForExit(terminalId, signal),
    killTerminal: (terminalId) => this.terminalRoom().kill(terminalId),
    releaseTerminal: (terminalId) => this.terminalRoom().release(terminalId),
  };

  private async waitForExit(terminalId: string, signal: AbortSignal): Promise<ExitStatus> {
    const wait = { turnId: this.store.state.turn?.turnId, abort: new AbortController() };
    this.waits.add(wait);
    try {
      return await this.terminalRoom().waitForExit(terminalId, AbortSignal.any([signal, wait.abort.signal]));
    } finally {
      this.waits.delete(wait);
    }
  }

  private async requestPermission(request: PermissionRequest, signal: AbortSignal): Promise<{ optionId: string } | 'cancelled'> {
    const { description, options, subject, toolCall, meta, extra } = request;
    const permissionId = `permission-${this.store.seq}-${++this.permissions}`;
    const news = toolCall && newsOfToolCall(this.told.state, toolCall);
    if (news) {
      this.told.append({ type: 'tool_call_update', toolCallId: toolCall.toolCallId, patch: news });
    }
    const title = request.title || titleOfToolCall(this.told.state, subject.toolCallId);
    const whole = this.wholeSubject(subject);
    const requested = (shown: PermissionSubject): SessionHappening => ({
      type: 'permission_requested',
      permissionId,
      title,
      ...(description !== undefined && { description }),
      options,
      subject: shown,
      ...(meta !== undefined && { meta }),
      ...(extra && { extra }),
    });
    // Its tool call is not on the screen while it is told aside.
    this.store.append(requested(this.replay ? whole : subject));
    this.replay?.mirror(requested(subject));
    const outcome = await this.ask(permissionId, { title, description, options, subject: whole }, signal);
    this.asked.append({
      type: 'permission_resolved',
      permissionId,
      outcome: outcome.outcome,
      ...(outcome.outcome === 'selected' && { optionId: outcome.optionId }),
    });
    return outcome.outcome === 'selected' ? { optionId: outcome.optionId } : 'cancelled';
  }

  private async ask(
    permissionId: string,
    request: { title: string; description?: string | undefined; options: readonly PermissionOption[]; subject: PermissionSubject },
    signal: AbortSignal,
  ): ReturnType<PermissionRoom['ask']> {
    if (this.store.state.turn?.cancelling || this.store.state.status === 'ended') {
      return { outcome: 'cancelled' };
    }
    if (signal.aborted) {
      return { outcome: abortOutcome(signal) };
    }
    const withdraw = (): void => this.ports.permissions.settle(this.key, permissionId, abortOutcome(signal));
    signal.addEventListener('abort', withdraw, { once: true });
    try {
      const { title, description, options, subject } = request;
      return await this.ports.permissions.ask({
        sessionKey: this.key,
        agentName: this.agentName,
        permissionId,
        title,
        ...(description !== undefined && { description }),
        options,
        subject,
        cwd: this.roots.cwd,
      });
    } finally {
      signal.removeEventListener('abort', withdraw);
    }
  }

  /** What could not be written is the user's affair as much as the agent's: it may be their typing that stood in the way. */
  private async write(params: Parameters<SessionPeer['writeTextFile']>[0], signal: AbortSignal): Promise<void> {
    try {
      const written = await this.fileRoom().write(params, signal);
      if (written) {
        this.asked.append({ type: 'file_written', file: writtenFile(params.path, written.before, written.after) });
      }
    } catch (error) {
      const failure = failureOf(error);
      // That a folder is another one is said once, not at each write.
      if (failure.code !== 'request.cancelled' && failure.code !== 'session.root_changed') {
        const noticeId = `write-${this.store.seq}`;
        this.asked.append({ type: 'notice', noticeId, severity: 'warning', title: params.path, failure });
      }
      throw error;
    }
  }

  /** A request often names a tool call that says more than it does itself; the card finds that by itself, the quick pick must be told. */
  private wholeSubject(subject: PermissionSubject): PermissionSubject {
    const slot = subject.toolCallId === undefined ? undefined : this.told.state.entries.get(entryIdOf.toolCall(subject.toolCallId));
    if (slot?.kind !== 'tool_call' || isAbsent(slot)) {
      return subject;
    }
    const own = subject.content ?? [];
    const content = own.some(isDiff) ? own : [...own, ...slot.content.filter(isDiff)];
    const { rawInput = slot.rawInput, kind = slot.toolKind } = subject;
    return {
      ...subject,
      kind,
      ...(content.length > 0 && { content }),
      locations: subject.locations?.length ? subject.locations : slot.locations,
      ...(rawInput !== undefined && { rawInput }),
    };
  }

  /** Where what the agent tells belongs now. */
  private get told(): Told {
    return this.replay ?? this.store;
  }

  private fileRoom(): FileRoom {
    return this.files ?? notReady();
  }

  private terminalRoom(): TerminalRoom {
    return this.terminals ?? notReady();
  }
}

function isDiff({ type }: ToolContent): boolean {
  return type === 'diff';
}

function notReady(): never {
  throw fault('session.not_ready', undefined, { message: 'The session is not open.' });
}
