/**
 * The host's side of a view, inside the page: reduces events, counts them, answers requests like a feed, and reacts to the user like a simple agent.
 */
import { markEnded } from '../../src/core/toolCalls/markEnded';
import { alikeAnswers } from '../../src/core/approval/alikeAnswers';
import { floodOf } from '../../src/core/approval/questionFlood';
import { knownContent } from '../../src/core/mentions/mention';
import type { ContentBlock } from '../../src/core/model/content';
import type { SessionEvent, EventInput } from '../../src/core/model/event';
import { editedContent } from '../../src/core/queue/queuedContent';
import { sizeOfContent } from '../../src/core/model/queuedMessage';
import { possibleContinuation } from '../../src/core/queue/limits';
import { messageDestination, nextQueued } from '../../src/core/queue/rules';
import { ConversationTexts } from '../../src/text/find/conversationTexts';
import { findIn, matcherFor } from '../../src/text/find/find';
import type { FindQuery } from '../../src/core/protocol/messages/findQuery';
import { mentionRows, pickedMention } from './mentionRows';
import { reduce } from '../../src/core/reduce/reduce';
import { trimEvent } from '../../src/core/protocol/trimForView';
import { bodiesOf, terminalsOf, toSnapshot } from '../../src/core/protocol/snapshot';
import { EMPTY_STATE, type SessionState, isAbsent } from '../../src/core/model/state';
import { turnChanges, turnEndedBy } from '../../src/core/toolCalls/turnChanges';
import type { FileReference, FromView, StartPage, ToView } from '../../src/core/protocol/view';

export class Stage {
  state: SessionState = EMPTY_STATE;
  /** The number of the next event. */
  seq = 0;
  /** All messages from the view, oldest first. */
  readonly posted: FromView[] = [];
  /** Entries at the end of a snapshot that include their bodies. */
  tail = 60;
  /** False: the user's messages are only recorded. */
  reacts = true;
  /** The content of the start page; undefined leaves its request unanswered. */
  startPage: StartPage | undefined;
  /** False: requests for mentions stay unanswered. */
  answersMentions = true;
  /** The number of envelopes to lose. */
  lose = 0;
  private finding: (FindQuery & { readonly findId: number }) | undefined;

  constructor(
    private readonly deliver: (message: ToView) => void,
    private readonly now: () => number,
  ) {}

  /** Emits events with one present time: a slow machine must not give a turn a duration. */
  happen(...events: EventInput[]): void {
    const at = this.now();
    this.events(events.map((event) => ({ ...event, at }) as SessionEvent));
  }

  /** Emits events with their own times. */
  events(events: readonly SessionEvent[]): void {
    const first = this.seq;
    const told = events.flatMap((event): SessionEvent[] => {
      const ended = turnEndedBy(this.state, event);
      this.state = reduce(this.state, event);
      const changes = ended === undefined ? undefined : turnChanges(this.state, ended);
      if (!changes) {
        return [event];
      }
      const counted: SessionEvent = { ...changes, at: event.at };
      this.state = reduce(this.state, counted);
      return [event, counted];
    });
    this.seq += told.length;
    if (this.lose > 0) {
      this.lose--;
    } else {
      this.deliver({ type: 'events', seq: first, next: this.seq, events: told.map(trimEvent) });
    }
    this.find();
  }

  send(message: ToView): void {
    this.deliver(message);
  }

  /** Resets the session and sends a snapshot of the empty state. */
  restart(): void {
    this.state = EMPTY_STATE;
    this.seq = 0;
    this.snapshot([]);
  }

  snapshot(want: readonly string[]): void {
    this.deliver({ type: 'snapshot', seq: this.seq, snapshot: toSnapshot(this.state, { tail: this.tail, want }) });
  }

  /** Receives a message from the view. */
  receive(message: FromView): void {
    // Each event is delivered at once here, whatever the page's pace.
    if (message.type === 'drawn') {
      return;
    }
    this.posted.push(message);
    switch (message.type) {
      case 'ready':
        this.snapshot([]);
        break;
      case 'resync':
        this.snapshot(message.want);
        break;
      case 'bodies':
        this.deliver({ type: 'bodies', seq: this.seq, bodies: bodiesOf(this.state, message.entryIds) });
        break;
      case 'terminals':
        this.deliver({ type: 'terminals', seq: this.seq, terminals: terminalsOf(this.state, message.terminalIds) });
        break;
      case 'bulk':
        this.bulk(message);
        break;
      case 'files':
        this.deliver({ type: 'files', files: message.texts.map((text) => ({ text, ...this.fileOf(text) })) });
        break;
      case 'start_page':
        if (this.startPage) {
          this.deliver({ type: 'start_page', ...this.startPage });
        }
        break;
      case 'find_mentions':
        if (this.answersMentions) {
          this.deliver({ type: 'mention_rows', queryId: message.queryId, rows: mentionRows(message.text), done: true });
        }
        break;
      case 'pick_mention':
        this.deliver({ type: 'attach', blocks: [pickedMention()] });
        break;
      case 'find':
        this.finding = message;
        this.find();
        break;
      default:
        if (this.reacts) {
          this.react(message);
        }
    }
  }

  /** The playground has no files, so the name decides: a word that looks like a file is a file, unless its name says otherwise. */
  private fileOf(text: string): Pick<FileReference, 'is'> {
    if (/^(?:\/|~|[A-Za-z]:)/.test(text)) {
      return { is: 'outside' };
    }
    return { is: !text.includes('missing') && /\.(?:[cm]?[jt]sx?|json|md|css|html)\b|file$/.test(text) ? 'file' : 'nothing' };
  }

  /** Searches all entries at once, because no other work waits here. */
  private find(): void {
    const sought = this.finding && matcherFor(this.finding);
    if (!sought) {
      return;
    }
    const run = findIn(this.state, sought, new Map(), new ConversationTexts());
    let step = run.next();
    while (!step.done) {
      step = run.next();
    }
    this.deliver({ type: 'found', findId: this.finding!.findId, ...step.value });
  }

  private bulk({ entryId, field }: FromView & { type: 'bulk' }): void {
    const slot = this.state.entries.get(entryId);
    if (!slot || isAbsent(slot)) {
      return;
    }
    const value = (slot as unknown as Record<string, unknown>)[field] ?? (slot.kind === 'unknown' ? slot.raw : undefined);
    this.deliver({ type: 'bulk', entryId, field, text: typeof value === 'string' ? value : JSON.stringify(value, null, 2) });
  }

  private turn(turnId: string, content: readonly ContentBlock[]): void {
    this.happen(
      { type: 'turn_started', turnId },
      { type: 'message', role: 'user', messageId: `prompt-${this.seq}`, content },
      {
        type: 'message_chunk',
        role: 'agent',
        messageId: `answer-${this.seq}`,
        content: { type: 'text', text: 'This page plays recorded sessions; nobody is here to answer.' },
      },
      { type: 'turn_ended', turnId, stopReason: 'end_turn' },
    );
  }

  private sendQueued({ queueId, now }: FromView & { type: 'send_queued' }): void {
    const message = this.state.queue.find((each) => each.queueId === queueId);
    if (message && now === 'steer') {
      this.happen(
        { type: 'queued_message_removed', queueId },
        { type: 'message', role: 'user', messageId: queueId, content: message.content },
      );
      return;
    }
    this.happen({ type: 'queued_message_first', queueId });
    if (this.state.turn) {
      this.happen({ type: 'turn_cancelling', interrupting: true });
      this.happen({ type: 'turn_ended', turnId: this.state.turn.turnId, stopReason: 'cancelled' });
    }
    for (let next = nextQueued(this.state); next; next = nextQueued(this.state)) {
      this.turn(next.queueId, next.content);
    }
  }

  private react(message: FromView): void {
    switch (message.type) {
      case 'prompt': {
        const content = knownContent(message.content);
        if (messageDestination(this.state) === 'turn') {
          this.turn(`turn-${this.seq}`, content);
        } else {
          this.happen({ type: 'message_queued', queueId: `queued-${this.seq}`, content, size: sizeOfContent(content) });
        }
        break;
      }
      case 'cancel':
        if (this.state.turn) {
          this.happen({ type: 'turn_cancelling' }, { type: 'turn_ended', turnId: this.state.turn.turnId, stopReason: 'cancelled' });
        }
        break;
      case 'edit_queued':
      case 'cancel_queued_edit':
        this.happen({ type: 'queued_message_editing', queueId: message.queueId, editing: message.type === 'edit_queued' });
        break;
      case 'save_queued': {
        const { queueId, text, kept } = message;
        const content = editedContent(this.state.queue.find((each) => each.queueId === queueId)?.content ?? [], text, kept);
        this.happen({ type: 'queued_message_edited', queueId, content, size: sizeOfContent(content) });
        break;
      }
      case 'move_queued':
        this.happen({ type: 'queued_message_moved', queueId: message.queueId, index: message.index });
        break;
      case 'remove_queued':
        this.happen({ type: 'queued_message_removed', queueId: message.queueId });
        break;
      case 'send_queued':
        this.sendQueued(message);
        break;
      case 'resume_queue':
        this.happen({ type: 'queue_resumed' });
        for (let next = nextQueued(this.state); next; next = nextQueued(this.state)) {
          this.turn(next.queueId, next.content);
        }
        break;
      case 'continue_later': {
        const wait = possibleContinuation(this.state);
        if (wait) {
          this.happen({ type: 'continue_scheduled', continuesAt: wait.at, turnId: message.turnId });
        }
        break;
      }
      case 'stop_waiting':
        this.happen({ type: 'continue_scheduled' });
        break;
      case 'answer_permission':
        this.happen({ type: 'permission_resolved', permissionId: message.permissionId, outcome: 'selected', optionId: message.optionId });
        break;
      case 'answer_alike':
        for (const { permissionId, optionId } of alikeAnswers(floodOf(this.state), message.kind, this.state)) {
          this.happen({ type: 'permission_resolved', permissionId, outcome: 'selected', optionId });
        }
        break;
      case 'set_permission_mode':
        this.happen({ type: 'permission_mode', mode: message.mode });
        break;
      case 'answer_elicitation': {
        const outcome = ({ accept: 'accepted', decline: 'declined', cancel: 'cancelled' } as const)[message.action];
        this.happen({
          type: 'elicitation_resolved',
          requestKey: message.requestKey,
          outcome,
          ...(message.content && { content: message.content }),
        });
        break;
      }
      case 'set_config':
        this.happen({ type: 'config_value', configId: message.configId, value: message.value });
        break;
      case 'mark_ended':
        this.happen(...markEnded(this.state, message.toolCallId));
        break;
      case 'stop_tool_call':
        this.happen({ type: 'tool_call_update', toolCallId: message.toolCallId, patch: { status: 'cancelled', canCancel: null } });
        break;
      case 'stop_terminal':
        this.happen({ type: 'terminal_update', terminalId: message.terminalId, exitStatus: { signal: 'SIGTERM' } });
        break;
    }
  }
}
