/**
 * Decides whether the hunks of a file follow its open document or the disk. A document with unsaved changes whose file was written behind it does not
 * have the agent's change. Its typing must not become part of the hunks, and no hunk may be undone in it. Pure.
 */
import { applyEdit, type TextEdit } from '../../core/fileChanges/hunks';
import type { Review } from '../review/review';

/** A document after a change of its text. `text` may be costly and is read only when needed. */
export interface ChangedDocument {
  /** The document's line ends. */
  readonly eol: string;
  /** The edits, each relative to the text that the one before it left. */
  readonly edits: readonly TextEdit[];
  text(): string;
  /** True when it had no unsaved changes before this one. */
  readonly wasClean?: boolean;
  /** True when the document had this text when it last equalled the file on disk. */
  wasOnDisk(text: string): boolean;
}

interface Followed {
  /** The text of the hunks when it last equalled that of the document. */
  readonly text: string;
  readonly eol: string;
}

/** True when the document has unsaved text without the changes: the file was written behind it, so the lines of the changes are other ones there. */
export function isBehindDisk(
  document: { readonly isDirty: boolean; getText(): string },
  hunks: { readonly text: string } | undefined,
): boolean {
  return hunks !== undefined && document.isDirty && document.getText() !== hunks.text;
}

export class FollowedTexts {
  private readonly followed = new WeakMap<Review, Map<string, Followed>>();

  /** Called when the user changed the document's text. Returns false for a document that does not have the agent's change. */
  typed(review: Review, path: string, document: ChangedDocument): boolean {
    const hunks = review.file(path)?.hunks;
    if (!hunks) {
      return false;
    }
    if (document.wasClean && document.wasOnDisk(hunks.text)) {
      review.typingBegins(path);
    }
    const known = this.followed.get(review)?.get(path);
    const isFollowed = known?.text === hunks.text;
    if (isFollowed && known.eol === document.eol) {
      // The texts were the same before these edits, so a large document need not be read with each key.
      review.documentChanged(path, document.edits, { type: 'user' });
      return this.follow(review, path, document.eol);
    }
    const text = document.text();
    const before = hunks.text;
    const isEdited = text === before || document.edits.reduce(appliedInside, before) === text;
    if (!isEdited && !isFollowed && !document.wasOnDisk(before)) {
      this.followed.get(review)?.delete(path);
      return false;
    }
    review.documentIs(path, text, document.edits, { type: 'user' });
    return this.follow(review, path, document.eol);
  }

  /** Called when the document equals the file on disk, or the hunks have been given its text. */
  same(review: Review, path: string, eol: string): void {
    this.follow(review, path, eol);
  }

  private follow(review: Review, path: string, eol: string): true {
    const text = review.file(path)?.hunks?.text;
    const files = this.followed.get(review) ?? new Map<string, Followed>();
    this.followed.set(review, files);
    if (text === undefined) {
      files.delete(path);
    } else {
      files.set(path, { text, eol });
    }
    return true;
  }
}

function appliedInside(text: string, edit: TextEdit): string {
  return edit.start <= edit.end && edit.end <= text.length ? applyEdit(text, edit) : text;
}
