/** Which file a block of code says it is of. What an agent wrote, so the path is only a wish. Pure. */
import { hasControls } from '../../text/characters/characters';

export interface CodeTarget {
  /** As written. */
  readonly path: string;
  /** The block's first line names the file, and may be no part of it. */
  readonly inFirstLine: boolean;
}

const MAX_PATH = 1024;
/** `title="a b/c.ts"`, `file=c.ts`; what follows the language. */
const ATTRIBUTE = /\b(?:title|file|filename|filepath|path)\s*[=:]\s*(?:"([^"]+)"|'([^']+)'|([^\s"'{}]+))/i;
/** A comment of one line, in the ways most languages write it. `--- a/x` begins a patch, whose text is not that of the file. */
const COMMENT =
  /^\s*(?:\/\/+|#+|--(?!-\s)-*|;+|%+|\/\*+|<!--|"|REM\b)\s*(?:(?:file|filename|filepath|path)\s*:\s*)?(\S+)\s*(?:\*\/|-->)?\s*$/i;

/** `info`: what stands behind the fence, the language first. */
export function targetOf(info: string, code: string): CodeTarget | undefined {
  const attribute = ATTRIBUTE.exec(info);
  // ```ts src/a.ts, ```src/a.ts, ```ts:src/a.ts, ```12:15:src/a.ts
  const bare = info
    .trim()
    .split(/\s+/)
    .map((word) => word.replace(/^(?:[a-z+#-]+:(?=[^/\\])|\d{1,7}:\d{1,7}:)/i, ''));
  const named = [attribute?.[1] ?? attribute?.[2] ?? attribute?.[3], ...bare].find((word) => word !== undefined && isPath(word));
  if (named !== undefined) {
    return { path: named, inFirstLine: false };
  }
  const line = code.slice(0, 2 * MAX_PATH).split('\n', 1)[0] ?? '';
  const first = COMMENT.exec(line)?.[1];
  return first !== undefined && isPath(first) ? { path: first, inFirstLine: true } : undefined;
}

/** Looks like one: of a file with an extension, or in a folder. */
function isPath(word: string): boolean {
  return (
    word.length <= MAX_PATH &&
    /^(?!!|.*:\/\/)[^<>"|?*{}=,;]+$/.test(word) &&
    !hasControls(word) &&
    /(?:[\w)\]-]\.[a-z][\w-]*|[\w.)\]@-]+[\\/][\w.()[\]@-]+)$/i.test(word)
  );
}
