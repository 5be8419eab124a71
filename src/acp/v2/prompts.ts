/**
 * The user's messages of one session that the agent echoes. Every agent sends the message of a prompt back, before or after it has answered the prompt,
 * whole or in chunks. The conversation shows that message already.
 */
import type { ContentBlock } from '../../core/model/content';
import type { EventInput } from '../../core/model/event';
import { lettersOf, spellingsOf, textOf } from '../../core/replay/letters';

export interface Prompt {
  /** The conversation's id of the message. */
  readonly ownId: string | undefined;
  readonly spellings: readonly string[];
  /** The agent's id of the message. Taken from an echo before the answer, it is `assumed`. */
  messageId?: string;
  isAssumed?: boolean;
  /** The agent has inserted the message into the conversation. */
  isInserted: boolean;
  /** The agent's content so far. */
  content: readonly ContentBlock[];
  /** The agent has changed the message. */
  differs: boolean;
  /** Updates whose message turns out to be another one when the agent answers with another id. */
  readonly held: EventInput[];
}

/** Messages whose echoes are recognized. */
const MAX_ECHOES = 50;

type Message = Extract<EventInput, { readonly type: 'message' | 'message_chunk' }>;

export class Prompts {
  /** The prompts whose turns have not ended, oldest first. */
  readonly open: Prompt[] = [];
  /** Messages that were put into a running turn. */
  private readonly later: Prompt[] = [];
  private readonly byId = new Map<string, Prompt>();

  add(content: readonly ContentBlock[], ownId: string | undefined): Prompt {
    const prompt: Prompt = { ownId, spellings: spellingsOf(content), isInserted: false, content: [], differs: false, held: [] };
    this.open.push(prompt);
    return prompt;
  }

  /** Adds a message of the running turn, whose echo may still come. It has no turn of its own. */
  steered(content: readonly ContentBlock[]): void {
    this.later.push({ ownId: undefined, spellings: spellingsOf(content), isInserted: true, content: [], differs: false, held: [] });
    this.later.splice(0, this.later.length - MAX_ECHOES);
  }

  remove(prompt: Prompt): void {
    const index = this.open.indexOf(prompt);
    if (index >= 0) {
      this.open.splice(index, 1);
    }
  }

  /** The agent has inserted the message under this id. Returns the updates that were taken for its echo and are another message's. */
  inserted(prompt: Prompt, messageId: string | undefined): readonly EventInput[] {
    prompt.isInserted = true;
    if (messageId === undefined || prompt.messageId === messageId) {
      delete prompt.isAssumed;
      return [];
    }
    const { held } = prompt;
    if (prompt.messageId !== undefined) {
      this.byId.delete(prompt.messageId);
    }
    const others = held.splice(0);
    prompt.content = [];
    prompt.differs = false;
    this.name(prompt, messageId);
    delete prompt.isAssumed;
    return others;
  }

  /** The agent has refused the message. Returns the updates that were taken for its echo. */
  refused(prompt: Prompt): readonly EventInput[] {
    this.remove(prompt);
    if (prompt.messageId !== undefined) {
      this.byId.delete(prompt.messageId);
    }
    return prompt.held.splice(0);
  }

  /** Returns the events of an update of a user's message: none for an echo, and the event itself for the message of another client. */
  echo(event: Message): readonly EventInput[] {
    let prompt = this.byId.get(event.messageId);
    if (!prompt) {
      prompt =
        this.open.find(({ messageId }) => messageId === undefined) ??
        this.later.find((each) => each.messageId === undefined && isPart(lettersIn(event), each));
      if (!prompt) {
        return [event];
      }
      this.name(prompt, event.messageId);
      prompt.isAssumed = !prompt.isInserted;
    }
    if (prompt.isAssumed) {
      prompt.held.push(event);
    }
    return echoed(prompt, event);
  }

  private name(prompt: Prompt, messageId: string): void {
    prompt.messageId = messageId;
    if (this.byId.size >= MAX_ECHOES) {
      this.byId.delete(this.byId.keys().next().value!);
    }
    this.byId.set(messageId, prompt);
  }
}

/** The content of the agent counts when its text is not a part of the user's. */
function echoed(prompt: Prompt, event: Message): readonly EventInput[] {
  const { ownId } = prompt;
  if (event.type === 'message' && event.content === undefined) {
    return [];
  }
  prompt.content = event.type === 'message' ? (event.content ?? []) : [...prompt.content, event.content];
  if (ownId === undefined) {
    return [];
  }
  if (prompt.differs) {
    return [{ ...event, messageId: ownId }];
  }
  prompt.differs = !isPart(lettersOf(textOf(prompt.content)), prompt);
  return prompt.differs ? [{ type: 'message', role: 'user', messageId: ownId, content: prompt.content }] : [];
}

/** True when the message begins with these letters. */
function isPart(letters: string, { spellings }: Prompt): boolean {
  return letters === '' || spellings.some((spelling) => spelling.startsWith(letters));
}

function lettersIn(event: Message): string {
  return lettersOf(textOf(event.type === 'message' ? (event.content ?? []) : [event.content]));
}
