/** The names of a request's files below the session's folders, computed once for all rules. */
import path from 'node:path';
import { namesBelow } from '../protection/namesBelow';
import { readingsOf } from '../protection/pathPattern';
import type { FilePart } from '../rule';

interface FileNames {
  /** For each spelling of the file, its names below the folders that contain it. Empty for a spelling that is in none, or that systems read differently. */
  readonly exact: readonly (readonly (readonly string[])[])[];
  /** The same for all spellings, by the readings of each name. Outside of the folders all names count. */
  readonly readings: readonly (readonly (readonly string[])[])[];
}

/** @param roots the folders of the session, as named and by their real paths */
export function fileNames(roots: readonly string[]): (part: FilePart) => FileNames {
  const known = new Map<FilePart, FileNames>();
  return (part) => {
    const names = known.get(part) ?? namesOf([...new Set([part.asked, part.path])], roots);
    known.set(part, names);
    return names;
  };
}

function namesOf(spellings: readonly string[], roots: readonly string[]): FileNames {
  return {
    exact: spellings.map((file) => exactNames(file, roots)),
    readings: spellings.flatMap((file) => namesBelow(path.normalize(file), roots)).map((names) => names.map(readingsOf)),
  };
}

function exactNames(file: string, roots: readonly string[]): readonly (readonly string[])[] {
  const normal = path.normalize(file);
  const isInside = roots.some((root) => {
    const inside = path.relative(root, normal);
    return inside !== '' && inside !== '..' && !inside.startsWith(`..${path.sep}`) && !path.isAbsolute(inside);
  });
  const below = path.isAbsolute(file) && isInside ? namesBelow(normal, roots) : [];
  return below.some((names) => names.length === 0 || names.some((name) => readingsOf(name).length > 1)) ? [] : below;
}
