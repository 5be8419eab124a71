/**
 * The writes and commands of an agent after Stop. They are refused until the user's next message, also when the agent has confirmed the end of its
 * turn. Those that have not begun are withdrawn.
 */
import { fault } from '../../core/model/failure';
import { busyId, isCancelling } from '../../core/model/select';
import { entryIdOf, isAbsent } from '../../core/model/state';
import type { SessionEvent } from '../../core/model/event';
import type { Disposable } from '../../core/platform/disposable';
import { isRunning, lineOf, subagentName, type SubagentState } from '../../core/subagents/subagentTree';
import type { SessionStore } from '../state/store';

/** UTF-16 units of a subagent's name in a notice. */
const MAX_NAME = 80;

interface Start {
  readonly subagentId: string | undefined;
  readonly abort: AbortController;
}

export class StoppedWork implements Disposable {
  /** Writes and commands that have not begun. */
  private readonly starts = new Set<Start>();
  /** ms since the epoch: the start of the last turn, or of the last work between turns. */
  private startedAt = 0;
  /** The turn or the work that the user has stopped. Undefined after the user's next message. */
  private stopped: { readonly id: string; readonly startedAt: number } | undefined;
  /** The subagents that the user has stopped. One that the agent starts again is not stopped while it runs. */
  private readonly subagents = new Set<string>();
  private readonly subscription: Disposable;

  constructor(
    private readonly agentName: () => string,
    private readonly store: SessionStore,
  ) {
    this.subscription = store.onEvents((_, events) => events.forEach((event) => this.watch(event)));
  }

  /**
   * Runs an action that changes something for the agent. `act` gets a signal that Stop aborts as well.
   *
   * @param subagentId the subagent that asks for the action
   * @throws Fault `turn.stopped` when the user has stopped the agent, or this subagent, with one notice per stop
   */
  async unlessStopped<T>(signal: AbortSignal, subagentId: string | undefined, act: (signal: AbortSignal) => Promise<T>): Promise<T> {
    this.refuseStopped(subagentId);
    const start = { subagentId, abort: new AbortController() };
    this.starts.add(start);
    try {
      return await act(AbortSignal.any([signal, start.abort.signal]));
    } finally {
      this.starts.delete(start);
    }
  }

  /** Withdraws everything that has not begun. */
  withdraw(): void {
    this.starts.forEach(({ abort }) => abort.abort());
  }

  /** Refuses these subagents' writes and commands, and withdraws those that have not begun. */
  stopSubagents(branch: ReadonlySet<string>): void {
    branch.forEach((subagentId) => this.subagents.add(subagentId));
    this.starts.forEach(({ subagentId, abort }) => subagentId !== undefined && branch.has(subagentId) && abort.abort());
  }

  /** Forgets all stops: the agent has opened a session. */
  reset(): void {
    this.stopped = undefined;
    this.subagents.clear();
  }

  dispose(): void {
    this.subscription.dispose();
  }

  private watch(event: SessionEvent): void {
    switch (event.type) {
      case 'turn_started':
        this.stopped = undefined;
        this.startedAt = event.at;
        break;
      case 'work_started':
        this.startedAt = event.at;
        break;
      case 'turn_cancelling':
        this.stopped = { id: busyId(this.store.state) ?? '', startedAt: this.startedAt };
        break;
      case 'permission_resolved':
        if (event.outcome === 'selected' && !event.byRule && this.isAllowed(event.permissionId, event.optionId)) {
          this.stopped = undefined; // The user has let the agent go on.
        }
        break;
      default:
    }
  }

  private isAllowed(permissionId: string, optionId: string | undefined): boolean {
    const request = this.store.state.entries.get(entryIdOf.permission(permissionId));
    const isOfSession = request?.kind === 'permission' && !isAbsent(request) && request.subagentId === undefined;
    return isOfSession && request.options.some((option) => option.optionId === optionId && /^allow_/.test(option.kind));
  }

  private refuseStopped(subagentId: string | undefined): void {
    const { store, stopped } = this;
    const { state } = store;
    const line = subagentId === undefined ? [] : lineOf(state, subagentId);
    const child = line.find((each) => this.isStopped(each));
    if (!child && !isCancelling(state) && (!stopped || this.outlives(line[0], stopped))) {
      return;
    }
    const agent = child ? subagentName(child).slice(0, MAX_NAME) : this.agentName();
    const failure = { code: 'turn.stopped', params: { agent } } as const;
    const noticeId = `stopped-${child ? `${child.subagentId}-${child.worked}` : (busyId(state) ?? stopped?.id)}`;
    if (state.entries.indexOf(entryIdOf.notice(noticeId)) < 0) {
      store.append({ type: 'notice', noticeId, severity: 'warning', title: '', failure });
    }
    throw fault(failure.code, failure.params, {
      rpcCode: -32800,
      message: 'Refused: the user has stopped this work. No file is written and no command is started before the next message of the user.',
    });
  }

  private isStopped(child: SubagentState): boolean {
    return child.isStopping === true || (this.subagents.has(child.subagentId) && !isRunning(child));
  }

  /** True for a subagent that ran before the stopped turn, and is shown as running: its card has a Stop of its own. */
  private outlives(child: SubagentState | undefined, { startedAt }: { readonly startedAt: number }): boolean {
    return child !== undefined && !child.isImplied && isRunning(child) && child.at < startedAt;
  }
}
