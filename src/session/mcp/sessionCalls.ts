/**
 * The calls of the editor's tools in one session: their place in the conversation and their permission. Loaded when a session gets the editor's
 * server.
 */
import { EditorCalls, argumentsIn, isEqual } from '../../core/toolCalls/editorCalls';
import type { EventInput, SessionEvent } from '../../core/model/event';
import type { Clock } from '../../core/platform/clock';
import type { Disposable } from '../../core/platform/disposable';
import { Fault } from '../../core/model/failure';
import { entryIdOf, isAbsent, type ToolCallEntry } from '../../core/model/state';
import { bounded } from '../../mcp/editor/answer';
import type { ToolAnswer } from '../../mcp/editor/tool';
import type { AcceptedCall, CallObserver, OfferedTool, RequestedCall } from '../../mcp/editor/toolCall';
import { mcpToolsOf } from '../../policy/mcpTool';
import type { SessionPeer } from '../agent/agentConnection';
import type { QuestionStore } from '../questions/questions';
import type { ToolOperation } from '../questions/hostQuestions';
import type { SessionStore } from '../state/store';

export interface SessionCallsDependencies {
  /** The name of the editor's server towards agents. */
  readonly server: string;
  readonly clock: Clock;
  /** The store that the events of calls go to. */
  readonly target: QuestionStore;
  readonly store: Pick<SessionStore, 'onEvents' | 'state'>;
  /** Identifies the running turn. */
  turn(): string;
  /** Applies the policy to a call. Rejects with a fault when it must not run. */
  ask(operation: ToolOperation, signal: AbortSignal): Promise<void>;
}

/** ms; the agent's report of a call usually comes before the call, on another channel. */
const GRACE_MS = 400;
/** UTF-16 units of the input in the conversation. */
const MAX_INPUT = 20_000;
/** Bytes of the answer in the conversation. */
const MAX_RESULT = 20_000;
const MAX_GIVEN = 200;

type PermissionRequest = Parameters<SessionPeer['requestPermission']>[0];

interface Running {
  readonly id: string;
  readonly call: RequestedCall;
  /** The tool call in the conversation: our own, or the agent's. */
  shownAs: string | undefined;
  timer: Disposable | undefined;
  end: EventInput | undefined;
}

interface GivenCall {
  readonly tool: string;
  readonly input: unknown;
}

export class SessionCalls implements CallObserver, Disposable {
  private readonly calls: EditorCalls;
  private readonly running = new Map<string, Running>();
  private readonly listener: Disposable;
  /** The agent's requests about our tools that wait for an answer, by permission. */
  private readonly requests = new Map<string, GivenCall & { readonly options: readonly { optionId: string; kind: string }[] }>();
  /** The calls that the user or a rule has allowed in the agent's own requests of one turn. */
  private given: { readonly turn: string; readonly calls: GivenCall[] } = { turn: '', calls: [] };
  /** The tools that the user has allowed for always. The agent asks no more for them. */
  private readonly always = new Set<string>();
  private count = 0;
  private offered: () => readonly OfferedTool[] = () => [];

  constructor(private readonly deps: SessionCallsDependencies) {
    this.calls = new EditorCalls(deps.server);
    this.listener = deps.store.onEvents((_, events) => events.forEach((event) => this.onEvent(event)));
  }

  offers(tools: () => readonly OfferedTool[]): void {
    this.offered = tools;
  }

  /** The names of the offered tools that only read. */
  readOnlyTools(): ReadonlySet<string> {
    return new Set(this.offered().flatMap(({ name, isReadOnly }) => (isReadOnly ? name : [])));
  }

  begin(call: RequestedCall): AcceptedCall {
    const { clock, target } = this.deps;
    const id = `editor-${target.seq}-${++this.count}`;
    const match = this.calls.received(id, call.tool.name, call.input);
    const running: Running = { id, call, shownAs: match?.theirs, timer: undefined, end: undefined };
    this.running.set(id, running);
    if (!match) {
      running.timer = clock.after(GRACE_MS, () => this.show(running));
    }
    return {
      allowed: () => this.allowed(running),
      ended: (answer, isCancelled) => this.ended(running, answer, isCancelled),
    };
  }

  /** Returns the agent's events, with the ids of our own calls in place of its reports of them. */
  events(events: readonly EventInput[]): readonly EventInput[] {
    return events.map((event) => {
      if (event.type !== 'tool_call_update' && event.type !== 'tool_call_content_chunk') {
        return event;
      }
      const { toolCallId } = event;
      if (event.type === 'tool_call_update') {
        this.onReport(toolCallId, event.patch);
      }
      const named = this.toolCallId(toolCallId);
      return named === toolCallId ? event : { ...event, toolCallId: named };
    });
  }

  /** Returns the id in the conversation of a tool call that the agent names. */
  toolCallId(theirs: string): string {
    const ours = this.calls.ownOf(theirs);
    return ours !== undefined && this.aliased.has(ours) ? ours : theirs;
  }

  /** Returns the agent's permission request, with our own call in place of its report. */
  request(request: PermissionRequest): PermissionRequest {
    const { toolCall, subject } = request;
    if (toolCall) {
      this.onReport(toolCall.toolCallId, toolCall.patch);
    }
    const named = subject.toolCallId === undefined ? undefined : this.toolCallId(subject.toolCallId);
    return named === undefined || named === subject.toolCallId
      ? request
      : { ...request, subject: { ...subject, toolCallId: named }, ...(toolCall && { toolCall: { ...toolCall, toolCallId: named } }) };
  }

  dispose(): void {
    this.listener.dispose();
    this.running.forEach(({ timer }) => timer?.dispose());
    this.running.clear();
  }

  /** Our calls that were shown before the agent reported them. Its reports continue their entries. */
  private readonly aliased = new Set<string>();

  private onReport(
    theirs: string,
    fields: { title?: string | null; name?: string | null; status?: string | null; rawInput?: unknown },
  ): void {
    const match = this.calls.reported(theirs, fields);
    const running = match && this.running.get(match.ours);
    if (!match || !running) {
      return;
    }
    if (running.shownAs === undefined) {
      running.shownAs = theirs;
      running.timer?.dispose();
    } else if (match.isNew) {
      this.aliased.add(match.ours);
    }
    if (running.end) {
      this.running.delete(match.ours);
    }
  }

  /** Shows a call that the agent has not reported. */
  private show(running: Running): void {
    running.timer?.dispose();
    if (running.shownAs !== undefined) {
      return;
    }
    const match = this.calls.beforeShown(running.id);
    if (match) {
      running.shownAs = match.theirs;
      return;
    }
    running.shownAs = running.id;
    const { tool, input } = running.call;
    const isLong = JSON.stringify(input).length > MAX_INPUT;
    const patch = {
      title: tool.title,
      name: `${this.deps.server}/${tool.name}`,
      kind: toolKindOf(tool),
      status: 'in_progress',
      ...(Object.keys(input).length > 0 && { rawInput: isLong ? JSON.stringify(input).slice(0, MAX_INPUT) : input }),
    };
    this.deps.target.append({ type: 'tool_call_update', toolCallId: running.id, patch });
    if (running.end) {
      this.deps.target.append(running.end);
    }
  }

  private ended(running: Running, { text, isError }: ToolAnswer, isCancelled: boolean): void {
    const { id } = running;
    const status = isCancelled ? 'cancelled' : isError ? 'failed' : 'completed';
    const content = text === '' ? [] : [{ type: 'content' as const, content: { type: 'text' as const, text: bounded(text, MAX_RESULT) } }];
    running.end = { type: 'tool_call_update', toolCallId: id, patch: { status, content } };
    if (running.shownAs === undefined) {
      return; // The timer shows the call with its end.
    }
    if (running.shownAs === id && !this.aliased.has(id)) {
      this.deps.target.append(running.end);
    } else {
      this.running.delete(id);
    }
  }

  /** Resolves to a text for the model when the call must not run. */
  private async allowed(running: Running): Promise<string | undefined> {
    const { tool, input, signal } = running.call;
    try {
      await this.deps.ask(
        {
          server: this.deps.server,
          name: tool.name,
          title: tool.title,
          toolKind: toolKindOf(tool),
          isReadOnly: tool.isReadOnly,
          input,
          isGiven: (canLast) => (canLast && this.always.has(tool.name)) || this.takeGiven(tool.name, input),
          toolCallId: () => {
            this.show(running);
            return this.toolCallId(running.shownAs ?? running.id);
          },
        },
        signal,
      );
      return undefined;
    } catch (error) {
      if (error instanceof Fault) {
        return error.message;
      }
      throw error;
    }
  }

  /** True once for each call that was allowed in a request of the agent in this turn. */
  private takeGiven(tool: string, input: unknown): boolean {
    const { calls, turn } = this.given;
    const at = turn === this.deps.turn() ? calls.findIndex((each) => each.tool === tool && isEqual(each.input, input)) : -1;
    void (at >= 0 && calls.splice(at, 1));
    return at >= 0;
  }

  private onEvent(event: SessionEvent): void {
    switch (event.type) {
      case 'turn_ended':
        this.calls.turnEnded();
        this.running.forEach(({ end, shownAs }, id) => void (end && shownAs !== undefined && this.running.delete(id)));
        break;
      case 'permission_requested': {
        const { title, subject, meta, extra, permissionId, options } = event;
        const call = this.toolCall(subject.toolCallId);
        const rawInput = subject.rawInput ?? call?.rawInput;
        const [tool, ...others] = mcpToolsOf({ name: call?.name, callTitle: call?.title, rawInput, meta, extra });
        // The agent chooses the title that the user reads. An answer to a title without the tool does not allow the tool.
        if (
          tool &&
          this.isNamedBy([title, call?.title], tool.tool) &&
          tool.server === this.deps.server &&
          tool.certain &&
          others.length === 0
        ) {
          this.requests.set(permissionId, { tool: tool.tool, input: inputIn(rawInput, tool.server, tool.tool), options });
        }
        break;
      }
      case 'permission_resolved': {
        const { permissionId, outcome, optionId } = event;
        const request = this.requests.get(permissionId);
        this.requests.delete(permissionId);
        const kind = request?.options.find((option) => option.optionId === optionId)?.kind;
        if (!request || outcome !== 'selected') {
          break;
        }
        if (kind === 'allow_always') {
          this.always.add(request.tool);
        } else if (kind === 'allow_once') {
          const turn = this.deps.turn();
          this.given = this.given.turn === turn ? this.given : { turn, calls: [] };
          this.given.calls.push(request);
          this.given.calls.splice(0, this.given.calls.length - MAX_GIVEN);
        }
        break;
      }
    }
  }

  /** True when one of the titles has the name of a tool, or its title, which some agents show instead. */
  private isNamedBy(titles: readonly (string | undefined)[], tool: string): boolean {
    const names = [tool, ...this.offered().flatMap(({ name, title }) => (name === tool ? title : []))];
    return titles.some((each) => names.some((name) => each?.includes(name)));
  }

  private toolCall(toolCallId: string | undefined): ToolCallEntry | undefined {
    const slot = toolCallId === undefined ? undefined : this.deps.target.state.entries.get(entryIdOf.toolCall(toolCallId));
    return slot?.kind === 'tool_call' && !isAbsent(slot) ? slot : undefined;
  }
}

/**
 * Returns the input that the user has allowed. A call without arguments has an empty one. A member of an input is no input of another call, even when it
 * has the name of a wrapper, except where the agent names our tool beside it.
 */
function inputIn(rawInput: unknown, server: string, tool: string): unknown {
  const names = (typeof rawInput === 'object' ? rawInput : undefined) as { server?: unknown; tool?: unknown } | null | undefined;
  const isOther = typeof names?.server === 'string' && typeof names.tool === 'string' && (names.server !== server || names.tool !== tool);
  const [input = {}] = isOther ? [rawInput] : argumentsIn(rawInput);
  return input;
}

/** The kind of tool by which the conversation shows a call, and by which rules and modes decide about it. */
function toolKindOf({ category, isReadOnly }: RequestedCall['tool']): string {
  if (!isReadOnly) {
    return category === 'edits' || category === 'notebooks' ? 'edit' : category === 'user' ? 'other' : 'execute';
  }
  return category === 'search' || category === 'navigation' || category === 'symbols' ? 'search' : 'read';
}
