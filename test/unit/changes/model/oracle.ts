/**
 * The property: no byte of the user, and no file that existed before, is lost without a question. It compares bytes, and does not depend on the
 * product.
 */
import path from 'node:path';
import { bytesAsText, type FakeDocument } from './documents';
import { authorOf, linesBy } from './lines';
import type { Failure } from './steps';
import type { Found, World } from './world';

type Broken = Pick<Failure, 'rule' | 'message'>;

/** Everything that an action must preserve, as it was just before it. */
export interface Capture {
  /** Each of the user's lines, with the files and unsaved documents that contain it. */
  readonly lines: ReadonlyMap<string, readonly string[]>;
  readonly untouchable: ReadonlyMap<string, string>;
  readonly files: ReadonlyMap<string, Found>;
}

export function capture(world: World, documents: readonly FakeDocument[]): Capture {
  const lines = new Map<string, string[]>();
  const add = (text: string, holder: string): void => {
    for (const line of linesBy('u', text)) {
      lines.set(line, [...(lines.get(line) ?? []), holder]);
    }
  };
  const files = world.files();
  files.filter(({ kind }) => kind === 'file').forEach(({ text, name }) => add(text, name));
  for (const document of documents.filter(({ isDirty }) => isDirty)) {
    add(bytesAsText(document), path.relative(world.root, document.path));
  }
  return { lines, untouchable: world.untouchable(), files: new Map(files.map((file) => [file.name, file])) };
}

/**
 * Compares the world before and after an undo or a restore.
 * @param permitted names of files that a question named and the user chose, relative
 * @param first files without a line of text, as they were before the sequence: empty ones and links
 * @param isExcused true for a line that is elsewhere, or that belongs to a change of the agent and is undone with it
 */
export function lostBy(
  before: Capture,
  after: Capture,
  permitted: ReadonlySet<string>,
  first: ReadonlyMap<string, Found>,
  isExcused: (line: string, holder: string) => boolean = () => false,
): Broken | undefined {
  for (const [line, holders] of before.lines) {
    const isPermitted = holders.every((holder) => permitted.has(holder) || isExcused(line, holder));
    if (!after.lines.has(line) && !isPermitted) {
      return { rule: 'lost', message: `${JSON.stringify(line)} of ${holders.join(', ')} is nowhere` };
    }
  }
  const inodes = new Set([...after.files.values()].map(({ inode }) => inode));
  for (const [name, { kind, text, inode }] of first) {
    const was = before.files.get(name);
    const isSame = was?.kind === kind && was.text === text && (kind === 'link' || was.inode === inode);
    const now = after.files.get(name);
    // An empty file loses nothing when an earlier version of it returns.
    const isThere = (now?.kind === kind && (kind === 'file' || now.text === text)) || (kind === 'file' && inodes.has(inode));
    if (isSame && !isThere && !permitted.has(name)) {
      return { rule: 'lost', message: `${kind} ${name} is gone` };
    }
  }
  return untouched(before, after);
}

/** Finds a line of the agent that the user has kept, and that an undo of other changes has removed. */
export function lostKept(before: Capture, after: Capture, permitted: ReadonlySet<string>, kept: ReadonlySet<string>): Broken | undefined {
  const left = new Set([...after.files.values()].flatMap(({ text }) => linesBy('a', text)));
  for (const { name, text } of before.files.values()) {
    const line = permitted.has(name) ? undefined : linesBy('a', text).find((each) => kept.has(each) && !left.has(each));
    if (line !== undefined) {
      return { rule: 'lost', message: `${JSON.stringify(line)} of ${name}, which the user kept, is nowhere` };
    }
  }
  return undefined;
}

function untouched(before: Capture, after: Capture): Broken | undefined {
  for (const name of new Set([...before.untouchable.keys(), ...after.untouchable.keys()])) {
    if (before.untouchable.get(name) !== after.untouchable.get(name)) {
      return { rule: name.includes(`${path.sep}.git${path.sep}`) ? 'git' : 'outside', message: `${name} was written` };
    }
  }
  return undefined;
}

/** Returns the first difference of two trees; undefined for equal ones, and when only permissions are narrower. */
export function differenceOf(wanted: readonly Found[], found: readonly Found[]): string | undefined {
  const describe = ({ kind, text, mode }: Found): string =>
    kind === 'link' ? `-> ${text}` : `${mode.toString(8)} ${JSON.stringify(text)}`;
  const before = new Map(wanted.map((file) => [file.name, file]));
  // No write widens the permissions of an existing file. Those of the wanted file may be git's, and another file may have taken its place.
  const asWanted = (file: Found): Found => {
    const mode = before.get(file.name)?.mode ?? file.mode;
    return (file.mode & ~mode) === 0 && (file.mode & 0o100) === (mode & 0o100) ? { ...file, mode } : file;
  };
  const now = new Map(found.map((file) => [file.name, describe(asWanted(file))]));
  const then = new Map(wanted.map((file) => [file.name, describe(file)]));
  for (const name of new Set([...now.keys(), ...then.keys()])) {
    if (now.get(name) !== then.get(name)) {
      return `${name}: wanted ${then.get(name) ?? 'nothing'}, found ${now.get(name) ?? 'nothing'}`;
    }
  }
  return undefined;
}

/** The user's lines between lines of the agent, with no other line beside them. A change of the agent contains them. */
export function linesInside(text: string): ReadonlySet<string> {
  const lines = text.split('\n');
  const inside = new Set<string>();
  lines.forEach((line, index) => {
    if (authorOf(line) !== 'u') {
      return;
    }
    let [above, below] = [index - 1, index + 1];
    while (above >= 0 && authorOf(lines[above]!) === 'u') {
      above--;
    }
    while (below < lines.length && authorOf(lines[below]!) === 'u') {
      below++;
    }
    if (above >= 0 && below < lines.length && authorOf(lines[above]!) === 'a' && authorOf(lines[below]!) === 'a') {
      inside.add(line);
    }
  });
  return inside;
}
