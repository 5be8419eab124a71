import { eolOf, withLineFeeds } from '../util/text';
import type { Eol } from '../util/text';
import type { Buffers, OpenBuffer, StoredFile, TextEdit } from './buffers';
import * as faults from './faults';

/**
 * The agent's knowledge of a file.
 *
 * After a write this is the agent's own text, not the file's. The agent never saw the lines that the user typed, so its next write lacks them and
 * must not remove them. The formatting by save participants is stored separately. It is used when the agent's next change affects a formatted
 * line.
 */
export interface MergeBase {
  /** The whole text that the agent last read or wrote. */
  readonly known: string;
  /** `known` with the changes that saving made to it. Undefined when there are none. */
  readonly saved?: string;
}

/** The maximum number of attempts to compute an edit when the text changes before it is applied. */
const MAX_ATTEMPTS = 8;

/** The result of a write. `before` is undefined for a new file. */
export interface Written {
  readonly before: string | undefined;
  readonly after: string;
}

/** A single write of one file. */
export class Writer {
  /** Undefined when nothing had to be written. */
  written: Written | undefined;

  constructor(
    private readonly buffers: Buffers,
    private readonly limits: { readonly maxBytes: number },
    private readonly path: string,
    private readonly content: string,
    private readonly base: MergeBase | undefined,
    private readonly signal: AbortSignal | undefined,
    /** False for a write that must leave the file's text unchanged. */
    private readonly mayChange = true,
  ) {}

  /** Writes the file and returns the agent's knowledge afterwards. Rejects with a `Fault`. */
  async write(): Promise<MergeBase> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      if (this.signal?.aborted) {
        throw faults.cancelled();
      }
      if (await this.isDirtyNotebook()) {
        throw faults.dirtyNotebook(this.path);
      }
      const open = await this.buffers.find(this.path);
      const base = open ? await this.writeOpen(open) : await this.writeClosed();
      if (base) {
        return base;
      }
    }
    throw faults.editRefused(this.path);
  }

  /** Returns the file's text after the write; undefined when nothing would change, or it cannot be written. @throws the `Fault` of a conflict */
  async proposed(): Promise<{ readonly before: string | null; readonly after: string } | undefined> {
    const open = await this.buffers.find(this.path);
    const before = open ? open.text : (await this.stored())?.text;
    if (before === undefined) {
      return { before: null, after: withoutMark(this.content) };
    }
    if ((open?.readOnly ?? false) || (open?.dirty && !this.base)) {
      return undefined;
    }
    const ours = withoutMark(this.content);
    const eol = open?.eol ?? eolOf(before) ?? eolOf(ours) ?? '\n';
    const edits = await this.merged(this.base ?? { known: before }, before, ours, eol);
    const { applyEdits } = await import('./merge');
    return edits.length > 0 ? { before, after: applyEdits(before, edits) } : undefined;
  }

  private async isDirtyNotebook(): Promise<boolean> {
    return this.path.toLowerCase().endsWith('.ipynb') && (await this.buffers.hasDirtyNotebook(this.path));
  }

  /** Resolves to undefined when the text changed before the edit was applied. */
  private async writeOpen(open: OpenBuffer): Promise<MergeBase | undefined> {
    if (open.readOnly) {
      throw faults.readOnly(this.path);
    }
    // For a notebook opened as text, merged JSON may not be a valid notebook.
    if (open.dirty && this.path.toLowerCase().endsWith('.ipynb')) {
      throw faults.dirtyNotebook(this.path);
    }
    // In a document a lone \r ends a line.
    const ours = withLineFeeds(withoutMark(this.content));
    const { text, version, eol } = open;
    const known = this.base ?? (open.dirty && withLineFeeds(text) !== ours ? undefined : { known: text });
    if (!known) {
      throw faults.conflict(this.path, await this.unsavedLines(text), true);
    }
    const edits = await this.merged(known, text, ours, eol);
    const { applyEdits } = await import('./merge');
    const wanted = applyEdits(text, edits);
    if (edits.length > 0) {
      this.refuseChange();
      const damage = await open.damage(wanted);
      if (damage) {
        throw faults.damaging(this.path, damage);
      }
      if (this.signal?.aborted) {
        throw faults.cancelled();
      }
      if (!(await open.edit(edits, version))) {
        return undefined;
      }
      this.written = { before: text, after: wanted };
    }
    if (open.dirty) {
      await this.save(open);
    }
    return this.afterSave(open, wanted, ours, eol);
  }

  private async save(open: OpenBuffer): Promise<void> {
    if (await open.isStale()) {
      throw faults.staleOnDisk(this.path);
    }
    let saved: boolean;
    try {
      saved = await open.save();
    } catch (error) {
      throw faults.saveFailed(this.path, error);
    }
    if (!saved) {
      throw (await open.isStale()) ? faults.staleOnDisk(this.path) : faults.saveFailed(this.path);
    }
  }

  /** @param wanted the text before save participants ran */
  private async afterSave(open: OpenBuffer, wanted: string, ours: string, eol: Eol): Promise<MergeBase> {
    const saved = await this.savedText(open);
    if (saved === undefined || withLineFeeds(saved) === withLineFeeds(wanted)) {
      return { known: ours };
    }
    const { applyEdits, merge } = await import('./merge');
    const participants = merge(wanted, ours, saved, eol);
    return 'conflicts' in participants ? { known: ours } : { known: ours, saved: applyEdits(ours, participants.edits) };
  }

  /** Returns the saved text. Text that the user has typed since is in the document, but the agent does not know it. */
  private async savedText(open: OpenBuffer): Promise<string | undefined> {
    if (!open.dirty) {
      return open.text;
    }
    return this.buffers.read(this.path, this.limits.maxBytes).then(
      ({ text }) => text,
      () => undefined,
    );
  }

  /** Resolves to undefined when the file was changed, created or deleted before it was written. */
  private async writeClosed(): Promise<MergeBase | undefined> {
    const file = await this.stored();
    if (!file) {
      this.refuseChange();
      // The file does not exist, or was deleted: the agent's text becomes a new file, and no text of the user is lost.
      if (!(await this.buffers.create(this.path, this.content))) {
        return undefined;
      }
      this.written = { before: undefined, after: this.content };
      return { known: withoutMark(this.content) };
    }
    const ours = withoutMark(this.content);
    const edits = await this.merged(this.base ?? { known: file.text }, file.text, ours, eolOf(file.text) ?? eolOf(ours) ?? '\n');
    if (this.signal?.aborted) {
      throw faults.cancelled();
    }
    if (edits.length > 0) {
      this.refuseChange();
      if (!(await this.buffers.rewrite(this.path, file, edits))) {
        return undefined;
      }
      const { applyEdits } = await import('./merge');
      this.written = { before: file.text, after: applyEdits(file.text, edits) };
    }
    return { known: ours };
  }

  private refuseChange(): void {
    if (!this.mayChange) {
      throw faults.editRefused(this.path);
    }
  }

  private async stored(): Promise<StoredFile | undefined> {
    try {
      return await this.buffers.read(this.path, this.limits.maxBytes);
    } catch (error) {
      if (faults.isNotFound(error)) {
        return undefined;
      }
      throw error;
    }
  }

  private async merged(base: MergeBase, theirs: string, ours: string, eol: Eol): Promise<readonly TextEdit[]> {
    const { merge } = await import('./merge');
    const first = merge(base.known, theirs, ours, eol);
    if (!('conflicts' in first)) {
      return first.edits;
    }
    if (base.saved !== undefined) {
      const second = merge(base.saved, theirs, ours, eol);
      if (!('conflicts' in second)) {
        return second.edits;
      }
    }
    throw faults.conflict(this.path, first.conflicts, false);
  }

  private async unsavedLines(text: string) {
    const { changedLines } = await import('./merge');
    return changedLines((await this.stored().catch(() => undefined))?.text ?? '', text);
  }
}

/** Removes the byte order mark, which encodings write themselves. Some agents send it as a character. */
export function withoutMark(content: string): string {
  return content.startsWith('\uFEFF') ? content.slice(1) : content;
}
