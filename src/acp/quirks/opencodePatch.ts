/**
 * OpenCode sends the diff of a requested edit only where its patch fits the file. It removes the common indentation of the patch first, so that most
 * patches of indented lines do not fit. The patch itself is in the raw input.
 */
import type { ToolContent } from '../../core/model/content';
import { type Fields, isRecord } from '../json/fields';

/** Returns the content of a request that has none; undefined where its raw input has no patch. */
export function requestedPatch({ rawInput }: Fields): readonly ToolContent[] | undefined {
  const { filepath: path, diff } = isRecord(rawInput) ? rawInput : {};
  const hunks = typeof diff === 'string' ? diff.search(/^@@ /m) : -1;
  return typeof path === 'string' && hunks >= 0
    ? [{ type: 'diff', changes: [{ operation: 'modify', path }], patch: (diff as string).slice(hunks) }]
    : undefined;
}
