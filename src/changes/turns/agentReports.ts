/** The agent's own accounts of what it did to files in a turn: its reports, and the writes that the host made for it. */
import { eolOf, withLineFeeds } from '../../util/text';
import { hashOf } from '../store/objectStore';
import type { ReportedChange } from './textBefore';

/** The texts of a file before and after a write of the host for the agent, as of {@link textKey}. */
export interface HostWrite {
  readonly from: string;
  readonly to: string;
}

/** The key of a file that does not exist. */
const NOTHING = 'none';

/** Returns the key of a text. @param text null when the file does not exist */
export function textKey(text: string | null): string {
  return text === null ? NOTHING : hashOf(Buffer.from(text));
}

/**
 * Returns the write of a text as the host makes it when no one changes the file meanwhile: with the file's line ends, and without a byte order mark.
 * @param present null when the file does not exist
 */
export function hostWriteOf(present: string | null, content: string): HostWrite {
  const text = content.startsWith('\uFEFF') ? content.slice(1) : content;
  const eol = present === null ? undefined : eolOf(present);
  const written = eol === undefined ? text : withLineFeeds(text).replaceAll('\n', eol);
  return { from: textKey(present), to: textKey(written) };
}

/** The accounts of one turn. All paths are real. */
export class AgentReports {
  /** The changes that the agent reported, in order. */
  readonly changes = new Map<string, readonly ReportedChange[]>();
  /** Files and folders whose deletion the agent reported. */
  readonly deleted = new Set<string>();
  /** The old paths of files and folders whose move the agent reported, by the new ones. */
  readonly movedFrom = new Map<string, string>();
  /** The writes of the host for the agent, in order. Not for files in which the user has typed. Only while the agent outlives the window. */
  readonly writes = new Map<string, readonly HostWrite[]>();

  change(path: string, reported: readonly ReportedChange[]): void {
    this.changes.set(path, [...(this.changes.get(path) ?? []), ...reported]);
  }

  write(path: string, write: HostWrite): void {
    this.writes.set(path, [...(this.writes.get(path) ?? []), write]);
  }
}
