/** The form in which a report is stored: texts of files that are protected from reading are left out. */
import { createHash } from 'node:crypto';
import type { Hunk, SetAsideHunk } from '../../core/fileChanges/hunks';
import type { FileState } from '../../core/fileChanges/records';
import type { LiveHunks } from '../hunks/liveHunks';
import type { ReportedHunk } from './reportItems';

/** Something that was done to a file as a whole. */
export interface FileNote {
  /** Real. */
  readonly path: string;
  readonly whole: 'undone' | 'restored';
  /** For the agent. */
  readonly words: string;
  /** The state that the agent knows, and the present one. */
  readonly believed: FileState;
  readonly actual: FileState;
  readonly diff: string;
  /** The file has, or had, another path besides. */
  readonly moved?: true;
  /** The file's other real paths, where they are known. */
  readonly otherPaths?: readonly string[];
}

/** A hunk of a file whose text is withheld has a digest in place of its text. */
type StoredHunk = Omit<ReportedHunk, 'text'> & { readonly text?: string; readonly digest?: string };

/** The content of `report.json`. */
export interface StoredReport {
  readonly version: 1;
  readonly count: number;
  readonly told: readonly (readonly [path: string, hunks: readonly (readonly [hunkId: number, told: StoredHunk])[]])[];
  readonly notes: readonly FileNote[];
  /** The other real paths of files that were moved. */
  readonly moves?: readonly (readonly [path: string, others: readonly string[]])[];
}

/** Restores a hunk's text where the file still has it. Otherwise the text is empty: it was withheld, so the agent does not know it. */
export function restoredHunk(live: LiveHunks | undefined, hunkId: number, { digest, text, ...hunk }: StoredHunk): ReportedHunk {
  if (text !== undefined) {
    return { ...hunk, text };
  }
  const all: readonly (Hunk | SetAsideHunk)[] = [...(live?.hunks ?? []), ...(live?.setAside ?? [])];
  const found = all.find((each) => each.hunkId === hunkId);
  const texts = found && live ? [live.text.slice(found.start, found.end), ...('newText' in found ? [found.newText] : [])] : [];
  return { ...hunk, text: texts.find((each) => digestOf(each) === digest) ?? '' };
}

/** Replaces the text of a hunk by its digest. */
export function withoutText({ text, ...hunk }: ReportedHunk): StoredHunk {
  return { ...hunk, digest: digestOf(text) };
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}

/** Parses `report.json`; undefined when it is absent or damaged. */
export function storedReport(bytes: Uint8Array | undefined): StoredReport | undefined {
  try {
    const stored = bytes && (JSON.parse(Buffer.from(bytes).toString()) as Partial<StoredReport>);
    return stored?.version === 1 && Array.isArray(stored.told) && Array.isArray(stored.notes) ? (stored as StoredReport) : undefined;
  } catch {
    return undefined;
  }
}
