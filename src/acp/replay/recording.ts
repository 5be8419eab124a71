/** One session of a log as the events of its conversation, equal to those that a live session creates from the same frames. */
import { newsOfToolCall, titleOfToolCall, wholeSubject } from '../../core/approval/permissionSubject';
import type { ContentBlock, ExitStatus } from '../../core/model/content';
import type { ElicitationOutcome } from '../../core/elicitation/answer';
import type { SessionEvent, EventInput } from '../../core/model/event';
import { hasOwnTurn } from '../../core/background/activeTasks';
import { isBusy } from '../../core/model/select';
import { inSubagent } from '../../core/subagents/innerEvents';
import type { Failure } from '../../core/model/failure';
import { isAbort } from '../../core/model/failure';
import { reduce } from '../../core/reduce/reduce';
import { PromptEcho } from '../../core/replay/promptEcho';
import { EMPTY_STATE, entryIdOf, isAbsent, type SessionState } from '../../core/model/state';
import { turnChanges, turnEndedBy } from '../../core/toolCalls/turnChanges';
import { displayCommand } from '../../util/commandLine';
import type { ElicitationAnswer, ElicitationParams, PermissionParams, TerminalCommand } from '../dialect';

export class Recording {
  readonly events: SessionEvent[] = [];
  private reduced: SessionState = EMPTY_STATE;
  private minted = 0;
  private readonly echo = new PromptEcho();

  /** @param clock the time in the log */
  constructor(private readonly clock: { readonly now: number }) {}

  /** The state reduced from {@link events}. */
  get state(): SessionState {
    return this.reduced;
  }

  /** True when the conversation has entries other than notices. */
  get hasContent(): boolean {
    return [...this.state.entries].some(({ kind }) => kind !== 'notice');
  }

  /** The number of entries. */
  get length(): number {
    return this.state.entries.length;
  }

  /** The text of the first prompt, with its mentions; '' when none is known. */
  get firstPrompt(): string {
    return this.state.firstPrompt?.text ?? '';
  }

  append(...events: readonly EventInput[]): void {
    for (const event of events) {
      this.add({ ...event, at: this.clock.now } as SessionEvent);
    }
  }

  /** Adds updates of the agent, without its echo of a prompt. */
  update(...events: readonly EventInput[]): void {
    const told = this.echo.without(events, this.reduced);
    this.append(...told);
    if (told.some(({ type }) => type === 'background_task')) {
      this.followOwnTurn();
    }
  }

  /** Begins and ends the work between turns with a turn that the agent reports as its own. Other work needs the clock of a live session. */
  private followOwnTurn(): void {
    const { state } = this;
    const isOwn = hasOwnTurn(state);
    if (isOwn && !isBusy(state)) {
      this.append({ type: 'work_started', workId: this.mint('work') });
    } else if (!isOwn && state.work) {
      this.append({ type: 'work_ended', workId: state.work.workId });
    }
  }

  /** Adds an event that already has its time. */
  add(event: SessionEvent): void {
    const ended = turnEndedBy(this.reduced, event);
    this.reduced = reduce(this.reduced, event);
    this.events.push(event);
    const changes = ended === undefined ? undefined : turnChanges(this.reduced, ended);
    if (changes) {
      this.add({ ...changes, at: event.at });
    }
  }

  /** Begins a turn and returns its id. */
  startTurn(content: readonly ContentBlock[]): string {
    const turnId = this.mint('turn');
    this.append({ type: 'turn_started', turnId });
    if (content.length > 0) {
      this.append({ type: 'message', role: 'user', messageId: turnId, content });
    }
    return turnId;
  }

  /** Adds a message of the user within a turn. */
  say(content: readonly ContentBlock[]): void {
    this.append({ type: 'message', role: 'user', messageId: this.mint('message'), content });
  }

  /** @param turnId of {@link startTurn}; absent when the log does not contain the prompt */
  endTurn(turnId: string | undefined, stopReason: string, failure?: Failure): void {
    const cancelled = failure !== undefined && this.state.turn?.cancelling === true && isAbort(failure);
    this.append({
      type: 'turn_ended',
      turnId: turnId ?? this.state.turn?.turnId ?? this.mint('turn'),
      stopReason: cancelled ? 'cancelled' : stopReason,
      ...(failure && !cancelled && { failure }),
    });
  }

  cancel(): void {
    if (this.state.turn) {
      this.append({ type: 'turn_cancelling' });
    }
  }

  /** Adds a permission request and returns its id, by which its answer is found. */
  askPermission({
    title,
    description,
    askedBy,
    subagentId,
    options,
    defaultToNo,
    subject,
    toolCall,
    meta,
    extra,
  }: PermissionParams): string {
    const permissionId = this.mint('permission');
    const news = toolCall && newsOfToolCall(this.state, toolCall);
    if (news) {
      this.append(inSubagent(this.state, subagentId, { type: 'tool_call_update', toolCallId: toolCall.toolCallId, patch: news }));
    }
    this.append({
      type: 'permission_requested',
      permissionId,
      title: title || titleOfToolCall(this.state, subject.toolCallId),
      ...(description !== undefined && { description }),
      ...(askedBy !== undefined && { askedBy }),
      ...(subagentId !== undefined && { subagentId }),
      options,
      ...(defaultToNo && { defaultToNo }),
      subject: subagentId === undefined ? subject : wholeSubject(subject, this.state),
      ...(meta !== undefined && { meta }),
      ...(extra && { extra }),
    });
    return permissionId;
  }

  /** @param optionId undefined when the user chose none */
  answerPermission(permissionId: string, optionId: string | undefined, withdrawn: boolean): void {
    this.append({
      type: 'permission_resolved',
      permissionId,
      ...(optionId === undefined ? { outcome: withdrawn ? 'withdrawn' : 'cancelled' } : { outcome: 'selected', optionId }),
    });
  }

  /** Adds an elicitation and returns its key, by which its answer is found. */
  elicit({ message, body, toolCallId, askedBy, subagentId, meta, extra }: ElicitationParams): string {
    const requestKey = this.mint('elicitation');
    this.append({
      type: 'elicitation_requested',
      requestKey,
      message,
      body,
      ...(toolCallId !== undefined && { toolCallId }),
      ...(askedBy !== undefined && { askedBy }),
      ...(subagentId !== undefined && { subagentId }),
      ...(meta !== undefined && { meta }),
      ...(extra && { extra }),
    });
    return requestKey;
  }

  answerElicitation(requestKey: string, answer: ElicitationAnswer, withdrawn: boolean): void {
    const { action } = answer;
    const outcome: ElicitationOutcome =
      action === 'accept' ? 'accepted' : action === 'decline' ? 'declined' : withdrawn ? 'withdrawn' : 'cancelled';
    const content = answer.action === 'accept' ? answer.content : undefined;
    this.append({ type: 'elicitation_resolved', requestKey, outcome, ...(content && { content }) });
  }

  completeElicitation(requestKey: string): void {
    const slot = this.state.entries.get(entryIdOf.elicitation(requestKey));
    if (slot?.kind !== 'elicitation' || isAbsent(slot) || slot.completed || (slot.outcome && slot.outcome.type !== 'accepted')) {
      return; // The elicitation is no longer open.
    }
    this.append({ type: 'elicitation_completed', requestKey }, { type: 'elicitation_resolved', requestKey, outcome: 'accepted' });
  }

  /**
   * Adds a command that the agent ran in the original window, as far as the frames describe it. Its output is known only if the agent requested it.
   */
  startTerminal(terminalId: string, { command, args, cwd = this.state.cwd }: TerminalCommand): void {
    this.append({
      type: 'terminal_update',
      terminalId,
      command: args ? displayCommand(command, args) : command,
      ...(cwd !== '' && { cwd }),
    });
  }

  /** Updates the command from a client's response. */
  updateTerminal(
    terminalId: string,
    update: { readonly output?: string; readonly exitStatus?: ExitStatus; readonly released?: true },
  ): void {
    this.append({ type: 'terminal_update', terminalId, ...update });
  }

  notice(title: string, severity: 'info' | 'warning' | 'error', failure: Failure): void {
    this.append({ type: 'notice', noticeId: this.mint('notice'), severity, title, failure });
  }

  /** Records a written file. The log does not show how much of it was new. */
  write(path: string): void {
    this.append({ type: 'file_written', file: { path, operation: 'modify' } });
  }

  /** Adds the notice about a file that could not be written. The reason is known only from the client's response. */
  refuseWrite(path: string, reason: string | undefined): void {
    const noticeId = this.mint('notice');
    this.append({ type: 'notice', noticeId, severity: 'warning', title: path, ...(reason !== undefined && { description: reason }) });
  }

  unknown(label: string, raw: unknown): void {
    this.append({ type: 'unknown', unknownId: this.mint('message'), label, raw });
  }

  private mint(kind: string): string {
    return `${kind}-${this.events.length}-${++this.minted}`;
  }
}
