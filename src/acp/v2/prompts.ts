/**
 * The user's messages of one session that the agent echoes. Every agent sends the message of a prompt back, before or after it has answered the prompt,
 * whole or in chunks. The conversation shows that message already.
 */
import type { ContentBlock } from '../../core/model/content';
import type { EventInput } from '../../core/model/event';
import { lettersOf, spellingsOf, textOf } from '../../core/replay/letters';

type Message = Extract<EventInput, { readonly type: 'message' | 'message_chunk' }>;

export interface Prompt {
  /** The conversation's id of the message. Undefined for a message whose id in the conversation is not known. */
  ownId: string | undefined;
  readonly spellings: readonly string[];
  /** The agent's id of the message. Taken from an echo before the answer, it is `assumed`. */
  messageId?: string;
  isAssumed?: boolean;
  /** The agent has inserted the message into the conversation. */
  isInserted: boolean;
  /** The agent's content so far. Not continued once it differs. */
  content: ContentBlock[];
  /** The spellings that begin with the letters of the agent's content, and the number of these letters. */
  alike: readonly string[];
  letters: number;
  /** The agent has changed the message. */
  differs: boolean;
  /** Updates that count once the answer has this id. With another id, they are another message's. */
  readonly held: Message[];
}

/** Messages whose echoes are recognized. */
const MAX_ECHOES = 50;
/** Updates that wait for the answer to a prompt. A message with more of them is shown as another client's. */
const MAX_HELD = 1000;

export class Prompts {
  /** The prompts whose turns have not ended, oldest first. */
  readonly open: Prompt[] = [];
  /** Messages that were put into a running turn. */
  private readonly later: Prompt[] = [];
  private readonly byId = new Map<string, Prompt>();
  /** Ids of messages that are shown although they may be echoes. */
  private readonly shown = new Set<string>();

  add(content: readonly ContentBlock[], ownId: string | undefined): Prompt {
    const prompt = promptOf(content, ownId, false);
    this.open.push(prompt);
    return prompt;
  }

  /** Adds a message of the running turn, whose echo may still come. It has no turn of its own. */
  steered(content: readonly ContentBlock[]): void {
    this.later.push(promptOf(content, undefined, true));
    this.later.splice(0, this.later.length - MAX_ECHOES);
  }

  remove(prompt: Prompt): void {
    const index = this.open.indexOf(prompt);
    if (index >= 0) {
      this.open.splice(index, 1);
    }
  }

  /** The agent has inserted the message under this id. Returns the events of the updates that waited for that. */
  inserted(prompt: Prompt, messageId: string | undefined): readonly EventInput[] {
    prompt.isInserted = true;
    delete prompt.isAssumed;
    const held = prompt.held.splice(0);
    if (messageId === undefined || prompt.messageId === messageId) {
      return held.flatMap((event) => echoed(prompt, event));
    }
    if (prompt.messageId !== undefined) {
      this.byId.delete(prompt.messageId);
    }
    this.name(prompt, messageId);
    return held;
  }

  /** The agent has refused the message. Returns the updates that were taken for its echo. */
  refused(prompt: Prompt): readonly EventInput[] {
    this.remove(prompt);
    if (prompt.messageId !== undefined) {
      this.byId.delete(prompt.messageId);
    }
    return prompt.held.splice(0);
  }

  /** Returns the events of an update of a user's message: the changes by an echo, or the event itself for the message of another client. */
  echo(event: Message): readonly EventInput[] {
    let prompt = this.byId.get(event.messageId);
    if (!prompt) {
      prompt = this.shown.has(event.messageId)
        ? undefined
        : (this.open.find(({ messageId }) => messageId === undefined) ??
          this.later.find((each) => each.messageId === undefined && isPart(lettersIn(event), each)));
      if (!prompt) {
        return [event];
      }
      this.name(prompt, event.messageId);
      prompt.isAssumed = !prompt.isInserted;
    }
    if (!prompt.isAssumed) {
      return echoed(prompt, event);
    }
    prompt.held.push(event);
    return prompt.held.length > MAX_HELD ? this.release(prompt, event.messageId) : [];
  }

  /** Shows a message that is too long to wait for the answer. Returns its updates. */
  private release(prompt: Prompt, messageId: string): readonly EventInput[] {
    this.byId.delete(messageId);
    delete prompt.messageId;
    delete prompt.isAssumed;
    if (this.shown.size >= MAX_ECHOES) {
      this.shown.delete(this.shown.values().next().value!);
    }
    this.shown.add(messageId);
    return prompt.held.splice(0);
  }

  private name(prompt: Prompt, messageId: string): void {
    prompt.messageId = messageId;
    if (this.byId.size >= MAX_ECHOES) {
      this.byId.delete(this.byId.keys().next().value!);
    }
    this.byId.set(messageId, prompt);
  }
}

function promptOf(content: readonly ContentBlock[], ownId: string | undefined, isInserted: boolean): Prompt {
  const spellings = spellingsOf(content);
  return { ownId, spellings, isInserted, content: [], alike: spellings, letters: 0, differs: false, held: [] };
}

/** Returns the changes of the message. The content of the agent counts when its text is not a part of the user's. */
function echoed(prompt: Prompt, event: Message): readonly EventInput[] {
  if (event.type === 'message') {
    if (event.content === undefined) {
      return withoutContent(event);
    }
    Object.assign(prompt, { content: [], alike: prompt.spellings, letters: 0 });
  }
  if (prompt.differs) {
    return [{ ...event, messageId: prompt.ownId! }];
  }
  for (const block of blocksOf(event)) {
    prompt.content.push(block);
    const letters = block.type === 'text' ? lettersOf(block.text) : '';
    if (letters !== '') {
      const { letters: before } = prompt;
      prompt.alike = prompt.alike.filter((spelling) => spelling.startsWith(letters, before));
      prompt.letters = before + letters.length;
    }
  }
  if (prompt.letters === 0 || prompt.alike.length > 0) {
    return withoutContent(event);
  }
  prompt.differs = true;
  prompt.ownId ??= event.messageId;
  const { type: _type, content: _content, ...rest } = event;
  return [{ ...rest, type: 'message', messageId: prompt.ownId, content: prompt.content }];
}

/** Returns the other fields of an update whose content is shown already. */
function withoutContent({ meta, extra }: Message): readonly EventInput[] {
  return meta === undefined && extra === undefined
    ? []
    : [{ type: 'session_info', ...(meta !== undefined && { meta }), ...(extra && { extra }) }];
}

/** True when the message begins with these letters. */
function isPart(letters: string, { spellings }: Prompt): boolean {
  return letters === '' || spellings.some((spelling) => spelling.startsWith(letters));
}

function blocksOf(event: Message): readonly ContentBlock[] {
  return event.type === 'message' ? (event.content ?? []) : [event.content];
}

function lettersIn(event: Message): string {
  return lettersOf(textOf(blocksOf(event)));
}
