/**
 * Removes echoes of the user's message. Some agents send it back while they work on it (`user_message_chunk` during the turn), whole or in pieces,
 * with an id or without. The conversation has that message already.
 */
import type { ContentBlock } from '../model/content';
import type { EventInput } from '../model/event';
import { entryIdOf, isAbsent, type SessionState } from '../model/state';
import { lettersOf, spellingsOf, textOf } from './letters';

type Echo = Extract<EventInput, { readonly type: 'message_chunk' }>;

/** Tracks the echoes of one session. */
export class PromptEcho {
  private turnId: string | undefined;
  /** The letters of all echoes that were removed in this turn. */
  private echoed = '';
  /** The message that may be an echo: its chunks so far, and its letters. */
  private held: { readonly messageId: string; readonly chunks: Echo[]; letters: string } | undefined;
  /** Ids of the messages that are not echoes. */
  private readonly shown = new Set<string>();

  /**
   * Returns the events without the echo of the running turn's message. Chunks that turn out to be no echo are returned with the chunk that proves it.
   *
   * @param state the conversation before the events
   */
  without(events: readonly EventInput[], state: SessionState): readonly EventInput[] {
    const { turn } = state;
    if (turn?.turnId !== this.turnId) {
      this.turnId = turn?.turnId;
      this.echoed = '';
      this.held = undefined;
      this.shown.clear();
    }
    if (!turn || !events.some(isUserChunk)) {
      return events;
    }
    const sent = sentIn(state, turn.turnId, this.shown);
    return events.flatMap((event) => (isUserChunk(event) ? this.take(event, sent) : [event]));
  }

  private take(event: Echo, sent: Sent): readonly EventInput[] {
    const { messageId, content } = event;
    if (this.shown.has(messageId)) {
      return [event];
    }
    if (this.held?.messageId !== messageId) {
      this.echoed += this.held?.letters ?? '';
      this.held = { messageId, chunks: [], letters: '' };
    }
    const { held } = this;
    held.chunks.push(event);
    held.letters += content.type === 'text' ? lettersOf(content.text) : '';
    const isKnown = content.type === 'text' || sent.blocks.has(blockKey(content));
    const isSent = sent.texts.some((text) => text.startsWith(held.letters) || text.startsWith(this.echoed + held.letters));
    if (isKnown && isSent) {
      return [];
    }
    this.shown.add(messageId);
    this.held = undefined;
    return held.chunks;
  }
}

interface Sent {
  /** The texts without white space. */
  readonly texts: readonly string[];
  /** The blocks that are not text: their addresses, or the blocks as JSON. */
  readonly blocks: ReadonlySet<string>;
}

/** Returns the user's messages of the running turn, including those that are being put into it. */
function sentIn({ entries, queue }: SessionState, turnId: string, shown: ReadonlySet<string>): Sent {
  const messages: (readonly ContentBlock[])[] = queue.filter(({ steering }) => steering).map(({ content }) => content);
  for (let index = entries.length - 1; index >= 0; index--) {
    const slot = entries.at(index)!;
    if (slot.kind === 'message' && !isAbsent(slot) && slot.role === 'user' && !shown.has(slot.messageId)) {
      messages.push(slot.content);
    }
    if (slot.entryId === entryIdOf.message('user', turnId)) {
      break;
    }
  }
  const blocks = messages.flat();
  return {
    texts: [...messages.flatMap((content) => spellingsOf(content)), ...blocks.map((block) => lettersOf(textOf([block])))],
    blocks: new Set(blocks.filter(({ type }) => type !== 'text').map(blockKey)),
  };
}

function blockKey(block: ContentBlock): string {
  return 'uri' in block && block.uri !== undefined ? block.uri : JSON.stringify(block);
}

function isUserChunk(event: EventInput): event is Echo {
  return event.type === 'message_chunk' && event.role === 'user';
}
