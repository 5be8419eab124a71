/**
 * Reads patches in the format of `git diff -p`, with several files. Agents write absolute paths without the prefixes `a/` and `b/`, and the library
 * `diff` finds no name in their renames, modes, binary and empty files (`docs/decisions/wire/git-patches.md`). Pure.
 */
import { PatchLines, type PatchHunk, readHunk } from './readHunk';
import { headerPaths, pathOf } from './quotedPath';

export interface PatchedFile {
  readonly operation: 'add' | 'delete' | 'modify' | 'move' | 'copy';
  /** The path after the change, or that of a deleted file. */
  readonly path: string;
  /** The path before a move, or that of the copied file. */
  readonly oldPath?: string;
  /** The modes as Git writes them, such as 100755, where the patch names them. */
  readonly oldMode?: string;
  readonly newMode?: string;
  /** The patch has no lines of the file. */
  readonly isBinary?: true;
  readonly hunks: readonly PatchHunk[];
}

/** The header of a file while it is read. */
interface Header {
  /** The paths of `---` and `+++`; null for `/dev/null`. */
  before?: string | null;
  after?: string | null;
  from?: string;
  to?: string;
  isCopy?: boolean;
  isNew?: boolean;
  isDeleted?: boolean;
  isBinary?: boolean;
  oldMode?: string;
  newMode?: string;
}

/**
 * Returns the files of a patch; undefined when the patch has none, or when a part of it cannot be read.
 * @param known paths that the patch may name: they decide where the names in `diff --git` end
 */
export function readGitPatch(text: string, known: readonly string[] = []): readonly PatchedFile[] | undefined {
  const lines = new PatchLines(text);
  const files: PatchedFile[] = [];
  while (!lines.isAtEnd) {
    if (!isStart(lines.current)) {
      lines.next();
      continue;
    }
    const file = readFile(lines, known);
    if (!file) {
      return undefined;
    }
    files.push(file);
  }
  return files.length > 0 ? files : undefined;
}

const GIT = 'diff --git ';

function isStart(line: string): boolean {
  return line.startsWith(GIT) || line.startsWith('--- ');
}

function readFile(lines: PatchLines, known: readonly string[]): PatchedFile | undefined {
  const names = lines.current.startsWith(GIT) ? lines.header().slice(GIT.length) : undefined;
  if (names !== undefined) {
    lines.next();
  }
  const header = readHeader(lines);
  const hunks: PatchHunk[] = [];
  while (!lines.isAtEnd && lines.current.startsWith('@@')) {
    const hunk = readHunk(lines);
    if (!hunk) {
      return undefined;
    }
    hunks.push(hunk);
  }
  // The paths of a change are in the lines `---` and `+++`, too, where they are easier to read.
  const isNamed = names === undefined || (header.before !== undefined && header.after !== undefined);
  return fileOf(header, isNamed ? undefined : headerPaths(names, known), hunks);
}

/** Reads up to the first hunk, or up to the next file. */
function readHeader(lines: PatchLines): Header {
  const header: Header = {};
  for (; !lines.isAtEnd; lines.next()) {
    const line = lines.header();
    if (line.startsWith('@@') || line.startsWith(GIT)) {
      break;
    }
    if (line.startsWith('--- ')) {
      if (header.before !== undefined) {
        break; // The next file has no line `diff --git`.
      }
      header.before = sideOf(line.slice(4));
    } else if (line.startsWith('+++ ')) {
      header.after = sideOf(line.slice(4));
    } else {
      readExtended(header, line);
    }
  }
  return header;
}

const EXTENDED = /^(old mode|new mode|new file mode|deleted file mode|rename from|rename to|copy from|copy to) (.+)$/;

function readExtended(header: Header, line: string): void {
  const [, key, value = ''] = EXTENDED.exec(line) ?? [];
  switch (key) {
    case 'old mode':
      header.oldMode = value;
      break;
    case 'new mode':
      header.newMode = value;
      break;
    case 'new file mode':
      header.newMode = value;
      header.isNew = true;
      break;
    case 'deleted file mode':
      header.oldMode = value;
      header.isDeleted = true;
      break;
    case 'rename from':
    case 'copy from':
      header.from = pathOf(value);
      header.isCopy = key === 'copy from';
      break;
    case 'rename to':
    case 'copy to':
      header.to = pathOf(value);
      break;
    default:
      if (line === 'GIT binary patch' || /^Binary files .* differ$/.test(line)) {
        header.isBinary = true;
      }
  }
}

/** Returns the path in a line `---` or `+++`. Git adds a tab to a path with a space, and other tools the time. */
function sideOf(raw: string): string | null {
  const path = raw.startsWith('"') ? pathOf(raw) : raw.split('\t', 1)[0]!;
  return path === '/dev/null' ? null : path;
}

function fileOf(header: Header, named: readonly [string, string] | undefined, hunks: readonly PatchHunk[]): PatchedFile | undefined {
  const { from, to, isCopy, oldMode, newMode } = header;
  const isNew = header.isNew === true || header.before === null;
  const isDeleted = header.isDeleted === true || header.after === null;
  const [before, after] = withoutPrefixes(header.before ?? named?.[0], header.after ?? named?.[1]);
  const path = to ?? (isDeleted ? before : (after ?? before));
  if (path === undefined || path === '') {
    return undefined;
  }
  const operation = from !== undefined && to !== undefined ? (isCopy ? 'copy' : 'move') : isNew ? 'add' : isDeleted ? 'delete' : 'modify';
  if (operation === 'modify' && oldMode === undefined && newMode === undefined && !header.isBinary) {
    return { operation, path, hunks };
  }
  return {
    operation,
    path,
    ...(from !== undefined && to !== undefined && { oldPath: from }),
    ...(oldMode !== undefined && { oldMode }),
    ...(newMode !== undefined && { newMode }),
    ...(header.isBinary && { isBinary: true as const }),
    hunks,
  };
}

/** Removes `a/` and `b/`, which Git puts before relative paths. */
function withoutPrefixes(before: string | undefined, after: string | undefined): readonly [string | undefined, string | undefined] {
  const hasBoth = (before === undefined || before.startsWith('a/')) && (after === undefined || after.startsWith('b/'));
  return hasBoth ? [before?.slice(2), after?.slice(2)] : [before, after];
}
