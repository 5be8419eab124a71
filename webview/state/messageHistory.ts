/** The messages that the user has sent in this session, to be recalled with the arrow keys as in a shell. Pure. */
import type { Mention } from '../../src/core/mentions/mention';
import { inlineContent } from '../../src/core/mentions/tokens';
import type { EntryList } from '../../src/core/model/entries';
import { type Slot, isAbsent } from '../../src/core/model/state';

/** Entries requested at once. */
const PORTION = 16;

/** The text for the message box, or the entries that must be loaded first. */
export type Step = { readonly text: string; readonly mentions?: readonly Mention[] } | { readonly want: readonly string[] };

/** The user's position in the history, their draft, and their edits of recalled messages. */
export class MessageHistory {
  /** The entry whose text is in the box; undefined while the box holds the draft. */
  private at: string | undefined;
  private draft = '';
  private readonly edited = new Map<string, string>();

  get isBrowsing(): boolean {
    return this.at !== undefined;
  }

  /** The user's draft, before a message from history replaced it. */
  get typed(): string {
    return this.draft;
  }

  /** Returns the message before the one in the box; undefined when there is none. @param text the text in the box */
  earlier(entries: EntryList<Slot>, text: string): Step | undefined {
    if (this.at !== undefined && text === '') {
      // The user cleared the box. The search starts at the newest message again, and the draft is kept.
      text = this.leave();
    }
    return this.go(entries, text, -1);
  }

  /** Returns the next message, or the draft after the newest one; undefined when the box already holds the draft. */
  later(entries: EntryList<Slot>, text: string): Step | undefined {
    return this.at === undefined ? undefined : (this.go(entries, text, 1) ?? { text: this.leave() });
  }

  /** Leaves the history and returns the draft. */
  leave(): string {
    this.at = undefined;
    return this.draft;
  }

  /** Resets the history after a message was sent. Returns the new text of the box: a draft that an earlier message had replaced. */
  sent(): string {
    const draft = this.isBrowsing ? this.draft : '';
    this.at = undefined;
    this.draft = '';
    this.edited.clear();
    return draft;
  }

  private go(entries: EntryList<Slot>, text: string, by: 1 | -1): Step | undefined {
    const found = this.at === undefined ? -1 : entries.indexOf(this.at);
    // The conversation may have been replaced, so the entry may be missing.
    const from = found >= 0 ? found : entries.length;
    const before = messageOf(entries.at(from))?.text ?? '';
    for (let index = from + by; index >= 0 && index < entries.length; index += by) {
      const slot = entries.at(index)!;
      if (isAbsent(slot) && slot.kind === 'message') {
        return { want: absentFrom(entries, index, by) };
      }
      const said = messageOf(slot);
      if (said !== undefined && said.text !== before) {
        this.keep(text, before);
        this.at = slot.entryId;
        return { ...said, text: this.edited.get(slot.entryId) ?? said.text };
      }
    }
    if (by > 0) {
      this.keep(text, before);
    }
    return undefined;
  }

  /** Stores the text of the box before it is replaced. */
  private keep(text: string, original: string): void {
    if (this.at === undefined) {
      this.draft = text;
    } else if (text !== original) {
      this.edited.set(this.at, text);
    }
  }
}

/** Returns the text and mentions of a message of the user; undefined for other entries and for a message without text. */
function messageOf(slot: Slot | undefined): { readonly text: string; readonly mentions?: readonly Mention[] } | undefined {
  if (!slot || isAbsent(slot) || slot.kind !== 'message' || slot.role !== 'user') {
    return undefined;
  }
  const { text: inline, mentions, others } = inlineContent(slot.content);
  const text = [inline, ...others.flatMap(({ block }) => (block.type === 'text' ? block.text : []))]
    .filter((part) => part !== '')
    .join('\n\n');
  return text.trim() === '' ? undefined : { text, ...(mentions.length > 0 && { mentions }) };
}

function absentFrom(entries: EntryList<Slot>, from: number, by: 1 | -1): string[] {
  const ids: string[] = [];
  for (let index = from; index >= 0 && index < entries.length && ids.length < PORTION; index += by) {
    const slot = entries.at(index)!;
    if (isAbsent(slot) && slot.kind === 'message') {
      ids.push(slot.entryId);
    }
  }
  return ids;
}
