/**
 * Finds the lines of the diffs in tool calls and permission requests, and adds them to the conversation as separate events. A restored conversation
 * has them without reading files. The search runs after the event that brought the diff, one file at a time, and after a burst of diffs, so that it
 * never delays the display.
 */
import type { FileChange, ToolContent, DiffLine, DiffFit } from '../core/model/content';
import type { EventInput, SessionEvent } from '../core/model/event';
import { phaseOf } from '../core/toolCalls/locateChange';
import { type ChangeFit, fitInPhase, fitOfChange } from '../core/toolCalls/fitOfChange';
import type { Clock } from '../core/platform/clock';
import type { Disposable } from '../core/platform/disposable';
import { entryIdOf, isAbsent, type PermissionEntry, type ToolCallEntry } from '../core/model/state';
import { inSubagent, bodyOf } from '../core/subagents/innerEvents';
import { ownerOf, slotIn } from '../core/subagents/subagentTree';
import type { SessionStore } from './state/store';

/** Entries to locate when a whole conversation arrives: the newest. */
const MAX_AT_ONCE = 200;
/** Changes of one entry. */
const MAX_CHANGES = 50;
/** UTF-16 units of a change's texts: larger ones are not shown in the page. */
const MAX_TEXT = 512 * 1024;
/** Tool calls whose lines are cached: agents report the same change again with each status. */
const MAX_KNOWN = 200;
/** ms without another diff, after which a burst is over. */
const QUIET = 500;
/** Number of pauses during a burst before some entries are located anyway. */
const MAX_WAITS = 5;
/** Entries that share one reader, and the most that are located at a time during a burst. */
const IN_A_ROW = 20;

type Located = ToolCallEntry | PermissionEntry;
/** Reads the current text of a file in the session's folders; undefined when there is none or it cannot be read. Must not reject. */
export type ReadText = (path: string) => Promise<string | undefined>;
type DiffPosition = Omit<DiffLine, 'line'>;

export class DiffLocator implements Disposable {
  /** Entries to locate, oldest first. */
  private readonly waiting = new Set<string>();
  /** The located changes, by tool call. */
  private readonly known = new Map<string, FileChange[]>();
  private timer: Disposable | undefined;
  private working = false;
  /** The number of entries that were added to `waiting` so far. */
  private wanted = 0;
  private disposed = false;

  /** @param reader creates the function that reads the files of several changes; it may cache the resolved folders */
  constructor(
    private readonly store: SessionStore,
    private readonly clock: Clock,
    private readonly reader: () => ReadText,
  ) {}

  dispose(): void {
    this.disposed = true;
    this.timer?.dispose();
    this.waiting.clear();
  }

  /** Receives the store's events. */
  onEvents(events: readonly SessionEvent[], whole: boolean): void {
    if (whole) {
      this.waiting.clear();
      this.known.clear();
    }
    for (const event of events.map(bodyOf)) {
      switch (event.type) {
        case 'tool_call_update':
          if (event.patch.content || event.patch.status) {
            this.want(entryIdOf.toolCall(event.toolCallId), whole);
          }
          break;
        case 'tool_call_content_chunk':
          if (event.content.type === 'diff') {
            this.want(entryIdOf.toolCall(event.toolCallId), whole);
          }
          break;
        case 'permission_requested':
          if (event.subject.content) {
            this.want(entryIdOf.permission(event.permissionId), whole);
          }
          break;
      }
    }
  }

  private want(entryId: string, whole: boolean): void {
    if (whole) {
      const entry = this.entry(entryId);
      if (!entry || unlocated(entry).length === 0) {
        return;
      }
      if (this.waiting.size >= MAX_AT_ONCE) {
        this.waiting.delete(this.waiting.values().next().value!);
      }
    }
    this.waiting.add(entryId);
    this.wanted++;
    if (!this.working) {
      this.timer ??= this.clock.after(0, () => void this.work());
    }
  }

  private async work(): Promise<void> {
    this.timer = undefined;
    this.working = true;
    const wanted = this.wanted;
    let looked = 0;
    let read = this.reader();
    for (const entryId of this.waiting) {
      if (this.wanted !== wanted && looked >= IN_A_ROW) {
        break;
      }
      this.waiting.delete(entryId);
      await this.locate(entryId, read);
      if (++looked % IN_A_ROW === 0) {
        read = this.reader();
      }
    }
    this.working = false;
    if (!this.disposed) {
      this.pause();
    }
  }

  /** Waits for the end of a burst. */
  private pause(waits = 0): void {
    const wanted = this.wanted;
    this.timer = this.clock.after(QUIET, () => {
      this.timer = undefined;
      if (this.wanted !== wanted && waits < MAX_WAITS) {
        this.pause(waits + 1);
      } else if (this.waiting.size > 0) {
        void this.work();
      }
    });
  }

  private async locate(entryId: string, read: ReadText): Promise<void> {
    const entry = this.entry(entryId);
    const positions = entry ? unlocated(entry).slice(0, MAX_CHANGES) : [];
    if (!entry || positions.length === 0) {
      return;
    }
    const phase = entry.kind === 'tool_call' ? phaseOf(entry.status) : entry.outcome ? 'unknown' : 'before';
    const isProposed = entry.kind === 'tool_call' ? entry.status === 'pending' : !entry.outcome;
    const locations = entry.kind === 'tool_call' ? entry.locations : (entry.subject.locations ?? []);
    const known = this.knownOf(entry);
    const texts = new Map<string, string | undefined>();
    const lines: DiffLine[] = [];
    const fits: DiffFit[] = [];
    for (const { at, change } of positions) {
      let fit: ChangeFit | undefined = known.find((each) => isSame(each, change));
      if (!fit) {
        if (!texts.has(change.path)) {
          texts.set(change.path, await read(change.path));
        }
        const told = locations.flatMap((location) => (location.path === change.path ? (location.line ?? []) : []));
        const text = texts.get(change.path);
        fit = isProposed ? fitOfChange(text, change, told) : fitInPhase(text, change, phase, told);
      }
      const { line, match, context, fileText, lineParts } = fit;
      const now = this.disposed ? undefined : this.entry(entryId);
      // A change that was replaced meanwhile is located by itself.
      if ((line === undefined && match === undefined) || !now || changeAt(now, at) !== change) {
        continue;
      }
      if (line !== undefined) {
        lines.push({ ...at, line });
        known.push({ ...change, ...fit });
      }
      if (match !== change.match || context || fileText !== undefined || lineParts) {
        fits.push({
          ...at,
          ...(match !== undefined && { match }),
          ...(context && { context }),
          ...(fileText !== undefined && { fileText }),
          ...(lineParts && { lineParts }),
        });
      }
    }
    if ((lines.length > 0 || fits.length > 0) && !this.disposed) {
      const { state } = this.store;
      const located: EventInput = { type: 'diff_located', entryId, lines, ...(fits.length > 0 && { fits }) };
      this.store.append(inSubagent(state, ownerOf(state, entryId), located));
    }
  }

  /** The located changes of a call, shared by its permission request and its statuses. */
  private knownOf(entry: Located): FileChange[] {
    const key = entry.kind === 'tool_call' ? entry.toolCallId : (entry.subject.toolCallId ?? entry.entryId);
    const known = this.known.get(key) ?? [];
    this.known.delete(key);
    this.known.set(key, known);
    if (this.known.size > MAX_KNOWN) {
      this.known.delete(this.known.keys().next().value!);
    }
    return known;
  }

  private entry(entryId: string): Located | undefined {
    const slot = slotIn(this.store.state, entryId);
    return slot && !isAbsent(slot) && (slot.kind === 'tool_call' || slot.kind === 'permission') ? slot : undefined;
  }
}

function contentOf(entry: Located): readonly ToolContent[] {
  return entry.kind === 'tool_call' ? entry.content : (entry.subject.content ?? []);
}

function changeAt(entry: Located, at: DiffPosition): FileChange | undefined {
  const content = contentOf(entry)[at.content];
  return content?.type === 'diff' ? content.changes[at.change] : undefined;
}

/** The changes of an entry whose lines are unknown. The text of a new file needs no search: it begins at line 1. */
function unlocated(entry: Located): readonly { readonly at: DiffPosition; readonly change: FileChange }[] {
  return contentOf(entry).flatMap((content, index) =>
    content.type !== 'diff'
      ? []
      : content.changes.flatMap((change, at) => {
          const { line, oldText, newText = '' } = change;
          const isKnown = line !== undefined || typeof oldText !== 'string' || oldText === newText;
          return isKnown || oldText.length + newText.length > MAX_TEXT ? [] : [{ at: { content: index, change: at }, change }];
        }),
  );
}

function isSame(one: FileChange, other: FileChange): boolean {
  return one.path === other.path && one.oldText === other.oldText && one.newText === other.newText;
}
