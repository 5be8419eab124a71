/**
 * The view's copy of the session: a snapshot, then numbered envelopes, reduced with the host's reducer. It makes no decisions. Listeners are called
 * at most once a frame; unchanged entries keep their identity.
 */
import { NO_PREFERENCES, type ShownPreferences } from '../../src/core/preferences/agentPreferences';
import { type Entry, type SessionState, type TerminalState, EMPTY_STATE, isAbsent } from '../../src/core/model/state';
import { reduce } from '../../src/core/reduce/reduce';
import { slotIn } from '../../src/core/subagents/subagentTree';
import { fromSnapshot, withBodies, withTerminals } from '../../src/core/protocol/snapshot';
import type { BulkField, FromView, ToView } from '../../src/core/protocol/view';
import type { PermissionPresent } from '../../src/core/approval/askingSurface';
import type { SessionEvent } from '../../src/core/model/event';
import { Listeners } from '../../src/core/platform/listeners';

export interface PageFacts {
  readonly folderName: string;
  readonly multiRoot: boolean;
  /** The machine of an agent that runs elsewhere. */
  readonly host?: string | undefined;
  /** The name of the file in the text editor into which code can be inserted; absent when there is none. */
  readonly editor?: string | undefined;
  /** The place where permission questions are shown. */
  readonly present: PermissionPresent;
  /** The user's favourites and recently used items at the session's agent. */
  readonly preferences: ShownPreferences;
}

/** Clocks of host and view may differ (remote windows). A smaller difference is considered latency. ms. */
const SKEW_THRESHOLD = 2000;

export interface MirrorDependencies {
  post(message: FromView): void;
  /** Runs the callback before the next paint. */
  schedule(callback: () => void): void;
  /** Runs the callback once the current frame is painted. */
  afterPaint(callback: () => void): void;
  /** ms since the epoch, by the view's clock */
  now(): number;
}

export class Mirror {
  state: SessionState = EMPTY_STATE;
  /** False until the first snapshot. */
  loaded = false;
  /** Changes with each snapshot, after which loaded entries may be absent again. */
  generation = 0;
  facts: PageFacts = { folderName: '', multiRoot: false, present: 'auto', preferences: NO_PREFERENCES };
  /** The entries on screen, for a resync. Set by the transcript. */
  onScreen: () => readonly string[] = () => [];
  /** Called with each new event when it is reduced, but not with the events in a snapshot. */
  onEvent: (event: SessionEvent) => void = () => {};

  /** The number of the next event. */
  private next = 0;
  private resyncing = false;
  private skew = 0;
  private scheduled = false;
  /** Events have come that the host does not yet know to be drawn. */
  private undrawn = false;
  private disposed = false;
  private readonly listeners = new Listeners();
  private readonly bulks = new Map<string, string>();
  private readonly requested = new Set<string>();
  private wanted: string[] = [];
  private readonly received = new Map<string, ToView>();

  constructor(private readonly deps: MirrorDependencies) {}

  /** Calls `listener` after changes, at most once a frame. Returns a function that unsubscribes. */
  subscribe(listener: () => void): () => void {
    return this.listeners.subscribe(listener);
  }

  /** The session is no longer shown: stops all requests and notifications. */
  dispose(): void {
    this.disposed = true;
    this.listeners.clear();
    this.onEvent = () => {};
  }

  /** The host's time, to show how long a task has been running. ms since the epoch. */
  now(): number {
    return this.deps.now() - this.skew;
  }

  /** Takes a message from the host. Returns false when it is not about the session's state. */
  receive(message: ToView): boolean {
    if (this.disposed) {
      return false;
    }
    switch (message.type) {
      case 'snapshot':
        this.state = fromSnapshot(message.snapshot);
        this.next = message.seq;
        this.loaded = true;
        this.generation++;
        this.resyncing = false;
        this.requested.clear();
        this.undrawn = true;
        break;
      case 'events':
        this.undrawn = true;
        this.reduce(message.seq, message.next, message.events);
        break;
      case 'bodies':
        this.takeBodies(message.seq, message.bodies);
        break;
      case 'terminals':
        this.takeTerminals(message.seq, message.terminals);
        break;
      case 'bulk':
        this.bulks.set(bulkKey(message.entryId, message.field), message.text);
        break;
      case 'page':
        this.facts = {
          ...this.facts,
          folderName: message.folderName,
          multiRoot: message.multiRoot,
          host: message.host,
          present: message.present ?? 'auto',
          preferences: message.preferences ?? NO_PREFERENCES,
        };
        break;
      case 'editor':
        this.facts = { ...this.facts, editor: message.fileName };
        break;
      default:
        return false;
    }
    this.changed();
    return true;
  }

  /** Keeps a message for the component of a feature, in place of an earlier one of its type. */
  keep(message: ToView): void {
    this.received.set(message.type, message);
    this.changed();
  }

  /** Returns the newest message of this type that `keep` got. */
  newest<T extends ToView['type']>(type: T): Extract<ToView, { readonly type: T }> | undefined {
    return this.received.get(type) as Extract<ToView, { readonly type: T }> | undefined;
  }

  /** Requests the bodies of those of these entries that are absent and not requested yet. */
  want(entryIds: readonly string[]): void {
    for (const entryId of entryIds) {
      const slot = slotIn(this.state, entryId);
      if (!slot || !isAbsent(slot) || this.requested.has(entryId)) {
        continue;
      }
      this.requested.add(entryId);
      // Requested in a microtask and not at the next frame, because the answer may then arrive before that frame.
      if (this.wanted.push(entryId) === 1) {
        queueMicrotask(() => this.askForBodies());
      }
    }
  }

  /** Requests the output of this terminal if it is absent and not requested yet. */
  wantTerminal(terminalId: string): void {
    if (!this.state.terminals[terminalId]?.absent || this.requested.has(terminalKey(terminalId))) {
      return;
    }
    this.requested.add(terminalKey(terminalId));
    this.post({ type: 'terminals', terminalIds: [terminalId] });
  }

  /** The whole text of a `Bulk` once it has arrived. */
  bulk(entryId: string, field: BulkField): string | undefined {
    return this.bulks.get(bulkKey(entryId, field));
  }

  askForBulk(entryId: string, field: BulkField): void {
    this.post({ type: 'bulk', entryId, field });
  }

  private reduce(first: number, next: number, events: readonly SessionEvent[]): void {
    if (!this.loaded || this.resyncing) {
      return;
    } // The requested snapshot contains these events.
    if (next <= this.next) {
      return;
    } // The events are already known.
    // The events have a gap, or overlap. An overlap cannot be cut, because joined chunks count for several events.
    if (first !== this.next) {
      return this.resync();
    }
    let state = this.state;
    for (const event of events) {
      state = reduce(state, event);
    }
    this.state = state;
    this.next = next;
    const newest = events.at(-1);
    if (newest) {
      const behind = this.deps.now() - newest.at;
      this.skew = Math.abs(behind) > SKEW_THRESHOLD ? behind : 0;
    }
    for (const event of events) {
      this.onEvent(event);
    }
  }

  private takeBodies(seq: number, bodies: readonly Entry[]): void {
    if (!this.loaded || this.resyncing) {
      return;
    }
    for (const body of bodies) {
      this.requested.delete(body.entryId);
    }
    if (seq > this.next) {
      return this.resync();
    }
    // Bodies older than our state would revert it, so they are requested again.
    if (seq === this.next) {
      this.state = withBodies(this.state, bodies);
    } else {
      this.want(bodies.map((body) => body.entryId));
    }
  }

  private takeTerminals(seq: number, terminals: readonly TerminalState[]): void {
    for (const { terminalId } of terminals) {
      this.requested.delete(terminalKey(terminalId));
    }
    if (!this.loaded || this.resyncing) {
      return;
    }
    if (seq > this.next) {
      return this.resync();
    }
    if (seq === this.next) {
      this.state = withTerminals(this.state, terminals);
    } else {
      terminals.forEach(({ terminalId }) => this.wantTerminal(terminalId));
    }
  }

  private resync(): void {
    this.resyncing = true;
    this.post({ type: 'resync', want: [...this.onScreen()] });
  }

  private askForBodies(): void {
    const entryIds = this.wanted;
    this.wanted = [];
    if (entryIds.length > 0) {
      this.post({ type: 'bodies', entryIds });
    }
  }

  private post(message: FromView): void {
    if (!this.disposed) {
      this.deps.post(message);
    }
  }

  private changed(): void {
    if (this.scheduled) {
      return;
    }
    this.scheduled = true;
    this.deps.schedule(() => {
      this.scheduled = false;
      this.listeners.call();
      if (this.undrawn) {
        this.undrawn = false;
        const seq = this.next;
        this.deps.afterPaint(() => this.post({ type: 'drawn', seq }));
      }
    });
  }
}

function bulkKey(entryId: string, field: BulkField): string {
  return `${field}\n${entryId}`;
}

/** The key of a terminal, which no entry's id can equal. */
function terminalKey(terminalId: string): string {
  return `\n${terminalId}`;
}
