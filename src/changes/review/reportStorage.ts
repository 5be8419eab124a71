/** The stored form of a report. Texts of files that are protected from reading are left out. */
import { createHash } from 'node:crypto';
import type { Hunk, SetAsideHunk } from '../../core/fileChanges/hunks';
import type { FileState } from '../../core/fileChanges/records';
import type { LiveHunks } from '../hunks/liveHunks';
import { isCount, isObject, isStoredPath, storedState } from '../store/storedStates';
import type { ReportedHunk } from './reportItems';

/** An action on a file as a whole. */
export interface FileNote {
  /** Real. */
  readonly path: string;
  readonly whole: 'undone' | 'restored';
  /** A sentence for the agent. */
  readonly words: string;
  /** The state that the agent knows, and the present one. */
  readonly believed: FileState;
  readonly actual: FileState;
  readonly diff: string;
  /** True when the file has, or had, another path. */
  readonly moved?: true;
  /** The file's other real paths, where they are known. */
  readonly otherPaths?: readonly string[];
}

/** A stored hunk. A hunk of a file whose text is withheld has a digest in place of its text. */
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

/** Parses `report.json`; undefined when it is absent or damaged. An entry that is not valid is left out. */
export function storedReport(bytes: Uint8Array | undefined): StoredReport | undefined {
  const stored = bytes && parsed(bytes);
  if (!isObject(stored) || stored['version'] !== 1 || !Array.isArray(stored['told']) || !Array.isArray(stored['notes'])) {
    return undefined;
  }
  const { count, told, notes, moves } = stored;
  return {
    version: 1,
    count: isCount(count) ? count : 0,
    told: pairsIn(told).flatMap(([path, hunks]) => (isStoredPath(path) ? [[path, pairsIn(hunks).flatMap(hunkIn)] as const] : [])),
    notes: (notes as readonly unknown[]).flatMap((each) => noteIn(each) ?? []),
    moves: pairsIn(moves).flatMap(([path, others]) => (isStoredPath(path) ? [[path, pathsIn(others)] as const] : [])),
  };
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString());
  } catch {
    return undefined;
  }
}

function pairsIn(value: unknown): readonly (readonly unknown[])[] {
  return Array.isArray(value) ? value.filter((each) => Array.isArray(each)) : [];
}

function pathsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter(isStoredPath) : [];
}

function hunkIn([hunkId, hunk]: readonly unknown[]): readonly (readonly [number, StoredHunk])[] {
  if (!isCount(hunkId) || !isObject(hunk)) {
    return [];
  }
  const { by, gone, text, digest } = hunk;
  const hasText = typeof text === 'string';
  if (typeof by !== 'string' || typeof gone !== 'boolean' || (!hasText && typeof digest !== 'string')) {
    return [];
  }
  return [[hunkId, { by, gone, ...(hasText ? { text } : { digest: digest as string }) }]];
}

function noteIn(value: unknown): FileNote | undefined {
  if (!isObject(value)) {
    return undefined;
  }
  const { path, whole, words, believed, actual, diff, moved, otherPaths } = value;
  const others = pathsIn(otherPaths);
  // A path that is missing here would no longer protect the text from being sent.
  const hasLost = otherPaths !== undefined && (!Array.isArray(otherPaths) || others.length < otherPaths.length);
  if (
    !isStoredPath(path) ||
    (whole !== 'undone' && whole !== 'restored') ||
    typeof words !== 'string' ||
    typeof diff !== 'string' ||
    hasLost
  ) {
    return undefined;
  }
  return {
    path,
    whole,
    words,
    believed: storedState(believed),
    actual: storedState(actual),
    diff,
    ...(moved !== undefined && { moved: true }),
    ...(others.length > 0 && { otherPaths: others }),
  };
}
