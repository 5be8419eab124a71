/** Adds the texts in the patch of a v2 diff to its changes. The only place that reads patches. */
import type { ToolContent } from '../../core/model/content';
import { patchChanges } from '../../text/gitPatch/patchChanges';
import { isRecord, restOf } from '../json/fields';

type Diff = Extract<ToolContent, { readonly type: 'diff' }>;

const TEXT: ReadonlySet<string> = new Set(['text']);
const GIT: ReadonlySet<string> = new Set(['text', 'format']);

/**
 * Returns the diff with the texts in its patch. A patch that says more, or that cannot be read, stays as text, which the conversation shows below the
 * changes. A patch that is not a text is kept as it came.
 */
export function withPatch(diff: Diff, patch: unknown): Diff {
  if (patch === undefined || patch === null) {
    return diff;
  }
  if (!isRecord(patch) || typeof patch.text !== 'string') {
    return Object.assign({ ...diff }, { malformed: { patch } });
  }
  const isGit = patch.format === 'git_patch';
  const rest = restOf(patch, isGit ? GIT : TEXT);
  const read = isGit ? patchChanges(patch.text, diff.changes) : undefined;
  return {
    ...diff,
    ...(read && { changes: read.changes }),
    ...(!read?.isWhole && { patch: patch.text }),
    ...(rest && { patchFields: rest }),
  };
}
