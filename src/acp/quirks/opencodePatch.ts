/**
 * OpenCode sends the diff of a requested edit only where its patch fits the file. It removes the common indentation of the patch first, so that most
 * patches of indented lines do not fit. The patch itself is in the raw input.
 */
import type { FileChange, ToolContent } from '../../core/model/content';
import { type Fields, isRecord } from '../json/fields';

/** Returns the content of a request that has none; undefined where its raw input has no patch. */
export function requestedPatch({ rawInput }: Fields): readonly ToolContent[] | undefined {
  const { filepath: path, diff } = isRecord(rawInput) ? rawInput : {};
  if (typeof path !== 'string' || typeof diff !== 'string') {
    return undefined;
  }
  const [, ...hunks] = diff.split(/^(?=@@ -\d)/m);
  const changes = hunks.map((hunk): FileChange => {
    const [head, ...lines] = hunk.split('\n');
    const textWithout = (sign: string): string =>
      lines.map((line) => (line === '' || line[0] === sign || line[0] === '\\' ? '' : `${line.slice(1)}\n`)).join('');
    return { operation: 'modify', path, oldText: textWithout('+'), newText: textWithout('-'), line: parseInt(head!.slice(4), 10) };
  });
  return changes.length > 0 ? [{ type: 'diff', changes }] : undefined;
}
