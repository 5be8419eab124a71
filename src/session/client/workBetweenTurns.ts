/**
 * The work of an agent while no prompt is open: a turn that it began by itself. Updates after the end of a turn count as work until the agent has sent
 * none for a while. An agent that reports such a turn as a task decides itself when it begins and ends. The events `work_started` and `work_ended`
 * record it in the conversation, and the reducer keeps its text apart from the turn before it.
 */
import type { SessionEvent, EventInput } from '../../core/model/event';
import type { Clock } from '../../core/platform/clock';
import type { Disposable } from '../../core/platform/disposable';
import { hasOwnTurn } from '../../core/background/activeTasks';
import { isBusy, needsYou } from '../../core/model/select';
import { entryIdOf, isFinalStatus } from '../../core/model/state';
import type { SessionStore } from '../state/store';

/** ms after the end of a turn in which text belongs to its answer and updates count as late. */
export const TAIL_MS = 1000;
/** ms without an update after which work is over. Agents that stream pause for seconds while their model thinks. */
export const QUIET_MS = 5000;

/** Updates that show an agent at work. */
const ACTIVE: ReadonlySet<EventInput['type']> = new Set([
  'message_chunk',
  'tool_call_update',
  'tool_call_content_chunk',
  'terminal_output',
  'terminal_update',
  'plan_update',
  'compaction_update',
  'compaction_chunk',
]);

export class WorkBetweenTurns implements Disposable {
  /** ms since the epoch: the end of the last turn, or when the session became ready. */
  private restingSince = -Infinity;
  /** True when the last turn was stopped and the session was not opened again since. */
  private isStopped = false;
  /** True while the agent reports a turn of its own. */
  private hadOwnTurn = false;
  private timer: Disposable | undefined;
  private readonly subscription: Disposable;

  constructor(
    private readonly store: SessionStore,
    private readonly clock: Clock,
    /** Called when the work has ended. Messages may wait for that. */
    private readonly ended: () => void,
  ) {
    this.subscription = store.onEvents((_, events) => events.forEach((event) => this.watch(event)));
  }

  /** Appends the agent's updates to the conversation. Without a running turn they start or continue its work. */
  append(...events: readonly EventInput[]): void {
    const { store } = this;
    if (store.state.work === undefined && this.isWork(events)) {
      this.start(events);
    } else {
      store.append(...events);
      this.checkLateCalls();
    }
    this.followOwnTurn();
    if (store.state.work !== undefined && events.some(({ type }) => ACTIVE.has(type))) {
      this.waitForQuiet();
    }
  }

  /** Begins and ends the work with the turn that the agent reports. */
  private followOwnTurn(): void {
    const { store, hadOwnTurn } = this;
    this.hadOwnTurn = hasOwnTurn(store.state);
    if (this.hadOwnTurn && this.isResting) {
      store.append({ type: 'work_started', workId: `work-${store.seq}` });
      this.waitForQuiet();
    } else if (hadOwnTurn && !this.hadOwnTurn && store.state.work) {
      this.endWork();
    }
  }

  dispose(): void {
    this.timer?.dispose();
    this.subscription.dispose();
  }

  private watch({ type, at, ...event }: SessionEvent): void {
    switch (type) {
      case 'turn_ended':
        this.restingSince = at;
        this.isStopped = 'stopReason' in event && event.stopReason === 'cancelled';
        break;
      case 'session_ready':
        this.restingSince = at;
        this.isStopped = false;
        break;
      case 'turn_started':
      case 'disconnected':
      case 'session_failed':
      case 'session_ended':
        this.timer?.dispose();
        this.timer = undefined;
        break;
      default:
    }
  }

  /** True while no turn runs, and the agent may work unannounced. An agent that reports its turns is idle between them. */
  private get isResting(): boolean {
    const { state } = this.store;
    return state.status === 'ready' && !isBusy(state) && !state.capabilities.reportsTurns;
  }

  private get isTail(): boolean {
    return this.clock.now() - this.restingSince < TAIL_MS;
  }

  private isWork(events: readonly EventInput[]): boolean {
    return this.isResting && !this.isTail && events.some((event) => this.showsWork(event));
  }

  /** True for text of the agent, a new tool call, or one that runs (again). The final status of a background call is not work. */
  private showsWork(event: EventInput): boolean {
    const { entries, stoppedToolCalls } = this.store.state;
    if (event.type === 'message_chunk') {
      return event.role !== 'user';
    }
    if (event.type !== 'tool_call_update' || stoppedToolCalls.includes(event.toolCallId)) {
      return false;
    }
    const { status } = event.patch;
    return (
      entries.indexOf(entryIdOf.toolCall(event.toolCallId)) < 0 || (status !== undefined && (status === null || !isFinalStatus(status)))
    );
  }

  private start(events: readonly EventInput[]): void {
    const { store, isStopped } = this;
    store.append({ type: 'work_started', workId: `work-${store.seq}`, ...(isStopped && { isLate: true }) }, ...events);
  }

  /** A call that was opened right after the turn counts as work when it still runs a moment later: most are late updates. */
  private checkLateCalls(): void {
    if (this.timer || !this.isResting || this.store.state.openToolCalls.length === 0) {
      return;
    }
    this.timer = this.clock.after(Math.max(0, this.restingSince + TAIL_MS - this.clock.now()), () => {
      this.timer = undefined;
      if (this.isResting && this.store.state.openToolCalls.length > 0) {
        this.start([]);
        this.waitForQuiet();
      }
    });
  }

  private waitForQuiet(): void {
    this.timer?.dispose();
    this.timer = this.clock.after(QUIET_MS, () => {
      this.timer = undefined;
      const { state } = this.store;
      if (state.work && (state.openToolCalls.length > 0 || needsYou(state) || hasOwnTurn(state))) {
        this.waitForQuiet();
      } else {
        this.endWork();
      }
    });
  }

  private endWork(): void {
    const { store } = this;
    const { work } = store.state;
    this.timer?.dispose();
    this.timer = undefined;
    if (work) {
      store.append({ type: 'work_ended', workId: work.workId });
      this.ended();
    }
  }
}
