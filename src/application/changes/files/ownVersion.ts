/** Decides whether a file that the editor should have written may be replaced on the disk. Pure. */
import { type FileStat, isSameFile } from '../../../changes/disk/fileStat';
import { withLineFeeds } from '../../../util/text';

/** A file after the editor's save. */
export interface VersionOnDisk {
  /** Null: there is nothing. */
  readonly stat: FileStat | null;
  /** The file's text in the document's encoding; undefined where it could not be read. */
  readonly text: string | undefined;
  /** The document's text right after it was saved; undefined where the editor did not save it. */
  readonly saved: string | undefined;
}

/**
 * True for the version that was expected, and for the one that the editor has saved in its place, formatted perhaps. Any other one is newer.
 * @param expected null: there was nothing. Absent: any version may be replaced
 */
export function isOwnVersion({ stat, text, saved }: VersionOnDisk, expected: FileStat | null | undefined): boolean {
  if (expected === undefined) {
    return true;
  }
  if (stat === null || expected === null) {
    return stat === expected;
  }
  return isSameFile(stat, expected) || (saved !== undefined && text !== undefined && withLineFeeds(text) === withLineFeeds(saved));
}
