/** Finds the file that a code block names. The path is untrusted, because the agent wrote it. Pure. */
import { hasControls } from '../../text/characters/characters';

export interface CodeTarget {
  /** The path as written. */
  readonly path: string;
  /** True when the block's first line names the file. That line may not belong to the file's text. */
  readonly inFirstLine: boolean;
}

const MAX_PATH = 1024;
/** The attributes after the language: `title="a b/c.ts"`, `file=c.ts`. */
const ATTRIBUTE = /\b(?:title|file|filename|filepath|path)\s*[=:]\s*(?:"([^"]+)"|'([^']+)'|([^\s"'{}]+))/i;
/** A single-line comment in the syntax of most languages. `--- a/x` begins a patch, which does not have the text of the file. */
const COMMENT =
  /^\s*(?:\/\/+|#+|--(?!-\s)-*|;+|%+|\/\*+|<!--|"|REM\b)\s*(?:(?:file|filename|filepath|path)\s*:\s*)?(\S+)\s*(?:\*\/|-->)?\s*$/i;

/** @param info the info string after the fence, with the language first */
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

/** True for a file name with an extension, or a path with a folder. */
function isPath(word: string): boolean {
  return (
    word.length <= MAX_PATH &&
    /^(?!!|.*:\/\/)[^<>"|?*{}=,;]+$/.test(word) &&
    !hasControls(word) &&
    /(?:[\w)\]-]\.[a-z][\w-]*|[\w.)\]@-]+[\\/][\w.()[\]@-]+)$/i.test(word)
  );
}
