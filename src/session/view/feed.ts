/**
 * Sends a session to one view: a windowed snapshot, then numbered envelopes, and bodies and bulk texts on request. Independent of VS Code. A hidden
 * view has no page: it receives nothing, and a new snapshot after its next `ready`.
 */
import type { TextBlock } from '../../core/model/content';
import type { MessageChunk, SessionEvent } from '../../core/model/event';
import type { Clock } from '../../core/platform/clock';
import type { Disposable } from '../../core/platform/disposable';
import { trimEvent } from '../../core/protocol/trimForView';
import { bodiesOf, terminalsOf, toSnapshot } from '../../core/protocol/snapshot';
import { bodyOf } from '../../core/subagents/innerEvents';
import { slotIn } from '../../core/subagents/subagentTree';
import { isAbsent } from '../../core/model/state';
import type { BulkField, FromView, ToView } from '../../core/protocol/view';
import type { SessionStore } from '../state/store';

/** ms in which events collect for one envelope. A chunk of the agent's output holds many events. */
const COALESCE_MS = 1;
/** ms after which the next envelope is sent although the page has not reported `drawn`. The report may be lost, or the page busy. */
const UNDRAWN_MS = 1000;
/** Bodies in a snapshot: a few screens. */
const TAIL = 60;
/** Above this number of waiting events one snapshot is cheaper for both sides. The limit also bounds the size of a message. */
const MAX_ENVELOPE = 2000;
/** Maximum length of one bulk text, in UTF-16 units. */
const MAX_BULK = 8 * 1024 * 1024;

export class ViewFeed implements Disposable {
  private ready = false;
  private visible = true;
  private waiting: SessionEvent[] = [];
  private waitingFrom = 0;
  /** The number after the last event that was sent and is not drawn yet. Undefined while the page waits for the next envelope. */
  private undrawn: number | undefined;
  private timer: Disposable | undefined;
  private readonly subscription: Disposable;

  constructor(
    private readonly store: SessionStore,
    private readonly post: (message: ToView) => void,
    private readonly clock: Clock,
  ) {
    this.subscription = store.onEvents((firstSeq, events, whole) => (whole ? this.sendSnapshot([]) : this.onEvents(firstSeq, events)));
  }

  /** Called by the panel. Hiding destroys the page, so it must send `ready` again. */
  setVisible(visible: boolean): void {
    this.visible = visible;
    if (!visible) {
      this.ready = false;
      this.drop();
    }
  }

  /** True when the feed handles the intent. */
  handle(intent: FromView): boolean {
    switch (intent.type) {
      case 'ready':
        this.ready = this.visible;
        this.sendSnapshot([]);
        return true;
      case 'resync':
        this.sendSnapshot(intent.want);
        return true;
      case 'drawn':
        this.onDrawn(intent.seq);
        return true;
      case 'bodies':
        this.flush();
        this.send({ type: 'bodies', seq: this.store.seq, bodies: bodiesOf(this.store.state, intent.entryIds) });
        return true;
      case 'terminals':
        this.flush();
        this.send({ type: 'terminals', seq: this.store.seq, terminals: terminalsOf(this.store.state, intent.terminalIds) });
        return true;
      case 'bulk':
        this.send({ type: 'bulk', entryId: intent.entryId, field: intent.field, text: this.bulkText(intent.entryId, intent.field) });
        return true;
      default:
        return false;
    }
  }

  dispose(): void {
    this.ready = false;
    this.subscription.dispose();
    this.drop();
  }

  private onEvents(firstSeq: number, events: readonly SessionEvent[]): void {
    if (!this.ready) {
      return;
    }
    if (this.waiting.length === 0) {
      this.waitingFrom = firstSeq;
    }
    for (const event of events) {
      this.waiting.push(event);
    }
    this.timer ??= this.clock.after(this.undrawn === undefined ? COALESCE_MS : UNDRAWN_MS, () => this.flush());
  }

  /** The page sets the pace: it has drawn every event before `seq`, and gets those that have come meanwhile. */
  private onDrawn(seq: number): void {
    if (this.undrawn === undefined || seq < this.undrawn) {
      return;
    }
    this.undrawn = undefined;
    this.flush();
  }

  private flush(): void {
    if (this.waiting.length > MAX_ENVELOPE) {
      this.sendSnapshot([]);
    } else if (this.waiting.length > 0) {
      const seq = this.waitingFrom;
      const next = seq + this.waiting.length;
      const events = joinChunks(this.waiting).map(trimEvent);
      this.drop();
      this.undrawn = next;
      this.send({ type: 'events', seq, next, events });
    }
  }

  private sendSnapshot(want: readonly string[]): void {
    this.drop();
    this.undrawn = this.store.seq;
    this.send({ type: 'snapshot', seq: this.store.seq, snapshot: toSnapshot(this.store.state, { tail: TAIL, want }) });
  }

  private drop(): void {
    this.timer?.dispose();
    this.timer = undefined;
    this.waiting = [];
  }

  private send(message: ToView): void {
    if (this.ready) {
      this.post(message);
    }
  }

  private bulkText(entryId: string, field: BulkField): string {
    const slot = slotIn(this.store.state, entryId);
    if (!slot || isAbsent(slot)) {
      return '';
    }
    const source: unknown = slot.kind === 'permission' ? slot.subject : slot;
    let value: unknown;
    if (field === 'rawInput' || field === 'rawOutput') {
      value = slot.kind === 'unknown' ? slot.raw : (source as Record<string, unknown>)[field];
    } else {
      value = (source as { content?: readonly unknown[] }).content?.[Number(field.slice('content.'.length))];
    }
    const text = typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '');
    return text.length <= MAX_BULK ? text : text.slice(0, MAX_BULK);
  }
}

/** The chunks of a message. */
interface Run {
  readonly role: MessageChunk['role'];
  /** The subagent whose message it is. */
  readonly subagentId: string | undefined;
  /** The index of the second chunk in the result; -1 after the first chunk. */
  index: number;
  text: string;
  /** The newest chunk; undefined while there is nothing to join. */
  last?: SessionEvent;
}

/**
 * Joins a message's text chunks into two events, also when chunks of other messages are between them. The first chunk is unchanged, because its time
 * may be the entry's. The others become one event with the time of the last. The events reduce to the same state, and the page has less work.
 */
export function joinChunks(events: readonly SessionEvent[]): SessionEvent[] {
  const result: SessionEvent[] = [];
  /** The messages since the last other event, which ends them all, by their ids. */
  const open = new Map<string, Run>();
  const runs: Run[] = [];
  for (const event of events) {
    const chunk = bodyOf(event);
    if (!isText(chunk)) {
      open.clear();
      result.push(event);
      continue;
    }
    const subagentId = event.type === 'subagent_event' ? event.subagentId : undefined;
    const known = open.get(chunk.messageId);
    const run = known?.role === chunk.role && known.subagentId === subagentId ? known : undefined;
    if (run && run.index >= 0) {
      if (!run.last) {
        runs.push(run);
      }
      run.text += chunk.content.text;
      run.last = event;
      continue;
    }
    if (run) {
      run.index = result.length;
      run.text = chunk.content.text;
    } else {
      // The order of the user's messages decides which of them is the session's title.
      if (chunk.role === 'user') {
        open.clear();
      }
      open.set(chunk.messageId, { role: chunk.role, subagentId, index: -1, text: '' });
    }
    result.push(event);
  }
  for (const { index, text, last } of runs) {
    result[index] = withText(last!, text);
  }
  return result;
}

function withText(event: SessionEvent, text: string): SessionEvent {
  const whole: TextChunk = { ...(bodyOf(event) as TextChunk), content: { type: 'text', text } };
  return event.type === 'subagent_event' ? { ...event, event: whole } : whole;
}

type TextChunk = MessageChunk & { readonly content: TextBlock };

function isText(event: SessionEvent): event is TextChunk {
  return event.type === 'message_chunk' && event.content.type === 'text' && !event.content.annotations;
}
