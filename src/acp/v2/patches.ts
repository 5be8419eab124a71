/** Adds the patch of a v2 diff to its changes. The only place that reads patches. */
import type { ToolContent } from '../../core/model/content';
import { isRecord, restOf } from '../json/fields';

type Diff = Extract<ToolContent, { readonly type: 'diff' }>;

const TEXT: ReadonlySet<string> = new Set(['text']);
const GIT: ReadonlySet<string> = new Set(['text', 'format']);

/** Returns the diff with its patch as text, which the conversation shows below the changes. A patch that is not a text is kept as it came. */
export function withPatch(diff: Diff, patch: unknown): Diff {
  if (patch === undefined || patch === null) {
    return diff;
  }
  if (!isRecord(patch) || typeof patch.text !== 'string') {
    return Object.assign({ ...diff }, { malformed: { patch } });
  }
  const rest = restOf(patch, patch.format === 'git_patch' ? GIT : TEXT);
  return { ...diff, patch: patch.text, ...(rest && { patchFields: rest }) };
}
