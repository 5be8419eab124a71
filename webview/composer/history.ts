/** The messages that the user has sent in this session, to be gone through with the arrow keys as in a shell. Pure. */
import type { Mention } from '../../src/core/mentions/mention';
import { inlineContent } from '../../src/core/mentions/tokens';
import type { EntryList } from '../../src/core/model/entries';
import { type Slot, isAbsent } from '../../src/core/model/state';

/** Entries asked for at once. */
const PORTION = 16;

/** What goes into the box; or the entries that have to be here first. */
export type Step = { readonly text: string; readonly mentions?: readonly Mention[] } | { readonly want: readonly string[] };

/** Where in them the user is, and what they typed besides: their draft, and what they changed in a message that was brought back. */
export class MessageHistory {
  /** The entry whose text is in the box; undefined: the user's own is. */
  private at: string | undefined;
  private draft = '';
  private readonly edited = new Map<string, string>();

  get isBrowsing(): boolean {
    return this.at !== undefined;
  }

  /** What was in the box before an earlier message was. */
  get typed(): string {
    return this.draft;
  }

  /** The message before the one in the box; undefined when there is none. `text`: what is in the box. */
  earlier(entries: EntryList<Slot>, text: string): Step | undefined {
    if (this.at !== undefined && text === '') {
      // Emptied by hand: it begins anew, and the draft is still the draft.
      text = this.leave();
    }
    return this.go(entries, text, -1);
  }

  /** The message after it, in the end what was typed before; undefined when the box holds that. */
  later(entries: EntryList<Slot>, text: string): Step | undefined {
    return this.at === undefined ? undefined : (this.go(entries, text, 1) ?? { text: this.leave() });
  }

  /** Back to what was typed before; returns it. */
  leave(): string {
    this.at = undefined;
    return this.draft;
  }

  /** The box was sent; returns what shall be in it now: a draft that was put aside for an earlier message. */
  sent(): string {
    const draft = this.isBrowsing ? this.draft : '';
    this.at = undefined;
    this.draft = '';
    this.edited.clear();
    return draft;
  }

  private go(entries: EntryList<Slot>, text: string, by: 1 | -1): Step | undefined {
    const found = this.at === undefined ? -1 : entries.indexOf(this.at);
    // Its conversation may have been replaced.
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

  /** What is in the box, before something else is. */
  private keep(text: string, original: string): void {
    if (this.at === undefined) {
      this.draft = text;
    } else if (text !== original) {
      this.edited.set(this.at, text);
    }
  }
}

/** The text of a message of the user's, with what it mentions; undefined for everything else, and for one without any. */
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
