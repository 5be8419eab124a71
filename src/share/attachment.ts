/**
 * A shared session at one client: a replay, then what changes. Only the ids of changed entries wait, not the changes, so a slow client takes no more
 * memory than the conversation has entries.
 */
import type { AgentContext } from '@agentclientprotocol/sdk';
import type { SessionEvent } from '../core/model/event';
import { entryIdOf, isAbsent, type Slot } from '../core/model/state';
import type { Clock } from '../core/platform/clock';
import { turnMeta } from '../core/share/shareMeta';
import type { Disposable } from '../core/platform/disposable';
import { factUpdates, type Facts } from './wire/facts';
import { endsToolCalls, entriesOf, entryUpdates, type Growth, type Sent, wholeEntry } from './wire/updates';
import type { Wire } from './wire/wireContent';
import type { Redaction } from './wire/redaction';
import type { SharedSession } from './sharedSession';

/** The most entries of a replay. The earlier ones of a longer conversation are left out. */
const MAX_REPLAY = 10_000;
/** ms between two rounds of updates, so that a stream of small chunks is sent in few messages */
const ROUND_MS = 30;
/** The newest entries that a client without a replay is assumed to have in full. */
const RECENT = 64;
/** Updates that are sent without a pause for other work. */
const AT_ONCE = 16;

export class Attachment {
  private following: Disposable | undefined;
  private readonly sent = new Map<string, Sent>();
  private readonly dirty = new Set<string>();
  /** The entries of this client's own prompts, which it has already. */
  private readonly own = new Set<string>();
  private facts: Facts | undefined;
  private isRunning = false;
  private count = 0;
  private isOver = false;
  /** The message that may still grow, so that the end of its text may wait as the beginning of a secret. */
  private growing: string | undefined;
  private pause: Disposable | undefined;
  /** True when something has happened since the last round began, such as a question, which changes no entry. True before the first round. */
  private isBehind = true;
  /** Entries before this index count as received. */
  private baseline = 0;
  /** The turn of another client that started last, while its start was not sent. */
  private newTurn: string | undefined;
  /** The stop reason of the last turn. */
  private stopReason = 'end_turn';
  /** True while the client counts a turn of another client as running. */
  private isInTurn = false;
  /** Resolve when the client has everything. */
  private readonly waiting: (() => void)[] = [];

  constructor(
    readonly session: SharedSession,
    private readonly client: AgentContext,
    private readonly deps: { readonly clock: Clock; readonly redaction: Redaction },
    /** Called after each round, when the client has all that a question is about. */
    private readonly settled: () => void,
    private readonly failed: () => void,
  ) {}

  /** Sends the conversation, then follows it. Resolves when the client has the conversation as it is now. */
  async replay(): Promise<void> {
    this.isRunning = true;
    this.follow();
    const { entries } = this.session.state;
    for (let index = Math.max(0, entries.length - MAX_REPLAY); index < entries.length && !this.isOver; index++) {
      const id = entries.headAt(index)?.entryId;
      await (id === undefined ? undefined : this.sendEntry(this.session.state.entries.get(id)));
    }
    await this.sendFacts();
    this.newTurn = this.session.state.turn?.turnId;
    // The client hears of a running turn after the answer to its request.
    this.wait();
  }

  /** Follows the conversation from now on. */
  resume(): void {
    const { entries } = this.session.state;
    this.baseline = entries.length;
    for (let index = Math.max(0, entries.length - RECENT); index < entries.length; index++) {
      const slot = entries.peek(index);
      const mark = slot && !isAbsent(slot) ? wholeEntry(slot, this.growthOf(slot)) : undefined;
      if (slot && mark) {
        this.sent.set(slot.entryId, mark);
      }
    }
    this.facts = this.session.state;
    this.newTurn = this.session.state.turn?.turnId;
    this.follow();
    this.isRunning = true;
    this.wait();
  }

  /** The client sent the prompt of this turn itself. */
  addOwn(turnId: string): void {
    this.own.add(entryIdOf.message('user', turnId));
  }

  /** Resolves when the client has the conversation as it is now. */
  flush(): Promise<void> {
    return new Promise((resolve) => {
      this.waiting.push(resolve);
      this.release();
    });
  }

  dispose(): void {
    this.isOver = true;
    this.release();
    this.pause?.dispose();
    this.following?.dispose();
  }

  private follow(): void {
    this.following = this.session.onEvents((events, whole) => this.onEvents(events, whole));
  }

  private release(): void {
    const isSending = this.isRunning && !this.pause;
    if (this.isOver || (!isSending && this.dirty.size === 0)) {
      this.waiting.splice(0).forEach((resolve) => resolve());
    }
  }

  private onEvents(events: readonly SessionEvent[], whole: boolean): void {
    const { state } = this.session;
    this.isBehind = true;
    if (whole) {
      // A replay of the agent may have added entries anywhere. They follow at the end, because version 1 cannot insert them.
      for (let index = this.baseline; index < state.entries.length; index++) {
        this.dirty.add(state.entries.headAt(index)!.entryId);
      }
    }
    if (this.growing !== undefined) {
      this.dirty.add(this.growing);
    }
    for (const event of events) {
      if (event.type === 'turn_started') {
        this.newTurn = event.turnId;
      } else if (event.type === 'turn_ended') {
        this.stopReason = event.stopReason;
      }
      entriesOf(event, state).forEach((id) => this.dirty.add(id));
      if (endsToolCalls(event.type)) {
        this.sent.forEach((mark, id) => mark.kind === 'tool_call' && mark.isOpen && this.dirty.add(id));
      }
    }
    this.run();
  }

  private run(): void {
    if (this.isRunning || this.isOver) {
      return;
    }
    this.isRunning = true;
    // After the caller, which may have made these events by a prompt of this client (`addOwn`).
    const round = Promise.resolve().then(() => this.round());
    round.then(
      () => this.wait(),
      () => this.failed(),
    );
  }

  /** Pauses between two rounds. */
  private wait(): void {
    if (this.isOver) {
      return;
    }
    this.pause = this.deps.clock.after(ROUND_MS, () => {
      this.pause = undefined;
      this.isRunning = false;
      if (this.isBehind || this.hasNewFacts() || this.hasNewTurn()) {
        this.run();
      }
    });
    this.release();
  }

  private async round(): Promise<void> {
    this.isBehind = false;
    const ids = [...this.dirty];
    this.dirty.clear();
    await this.beginTurn();
    const { entries } = this.session.state;
    // In the order of the conversation.
    for (const id of ids.sort((a, b) => entries.indexOf(a) - entries.indexOf(b))) {
      await this.sendEntry(this.session.state.entries.get(id));
    }
    await this.sendFacts();
    await this.endTurn();
    this.settled();
  }

  /** True when a turn of another client has begun or ended without the client's knowledge. */
  private hasNewTurn(): boolean {
    return this.newTurn !== undefined || (this.isInTurn && !this.isOtherTurn(this.session.state.turn?.turnId));
  }

  /** True for a turn that the client did not start itself. */
  private isOtherTurn(turnId: string | undefined): boolean {
    return turnId !== undefined && !this.own.has(entryIdOf.message('user', turnId));
  }

  private async beginTurn(): Promise<void> {
    const { newTurn } = this;
    this.newTurn = undefined;
    if (!this.isInTurn && this.isOtherTurn(newTurn)) {
      this.isInTurn = true;
      await this.send({ sessionUpdate: 'session_info_update', _meta: turnMeta({ type: 'started' }) });
    }
  }

  /** After the texts of the turn. */
  private async endTurn(): Promise<void> {
    if (this.isInTurn && !this.isOtherTurn(this.session.state.turn?.turnId) && this.dirty.size === 0) {
      this.isInTurn = false;
      await this.send({ sessionUpdate: 'session_info_update', _meta: turnMeta({ type: 'ended', stopReason: this.stopReason }) });
    }
  }

  private async sendEntry(slot: Slot | undefined): Promise<void> {
    if (!slot || isAbsent(slot) || this.own.has(slot.entryId) || this.isOver) {
      return;
    }
    const before = this.sent.get(slot.entryId);
    const isEarlier = !before && this.session.state.entries.indexOf(slot.entryId) < this.baseline;
    if (isEarlier && slot.kind !== 'tool_call') {
      return;
    }
    const growth = this.growthOf(slot);
    const next = entryUpdates(slot, before ?? (isEarlier ? wholeEntry(slot) : undefined), (id) => this.session.outputOf(id), growth);
    if (!next) {
      return;
    }
    this.sent.set(slot.entryId, next.sent);
    for (const update of next.updates) {
      await this.send(update);
    }
  }

  /** Remembers the message that may still grow. */
  private growthOf({ entryId, kind }: Slot): Growth {
    const { turn, work, entries } = this.session.state;
    const isGrowing = kind === 'message' && (turn !== undefined || work !== undefined) && entries.indexOf(entryId) === entries.length - 1;
    if (isGrowing) {
      this.growing = entryId;
    } else if (this.growing === entryId) {
      this.growing = undefined;
    }
    return { redaction: this.deps.redaction, isGrowing };
  }

  private hasNewFacts(): boolean {
    const { state } = this.session;
    return factUpdates(this.facts, state).length > 0;
  }

  private async sendFacts(): Promise<void> {
    const { state } = this.session;
    const updates = factUpdates(this.facts, state);
    this.facts = state;
    for (const update of updates) {
      await this.send(update);
    }
  }

  private async send(update: Wire): Promise<void> {
    if (!this.isOver) {
      if (++this.count % AT_ONCE === 0) {
        // Other work of the window comes first while the client reads as fast as it is sent.
        await new Promise((resolve) => setImmediate(resolve));
      }
      await this.client.notify('session/update', { sessionId: this.session.key, update });
    }
  }
}
