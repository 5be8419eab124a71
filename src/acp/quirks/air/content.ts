/** Parts of the contract that add to other messages: exact patches, permission texts and recommended values. */
import type { ToolContent } from '../../../core/model/content';
import { type Fields, isRecord, labelOf } from '../../json/fields';
import { airOf } from './contract';

/** The reader of patches, which only agents that have answered the contract need. */
let reader: typeof import('../../../text/gitPatch/patchChanges') | undefined;

/** Loads the reader of patches. Until it is loaded, a patch is shown as text. */
export async function loadPatchReader(): Promise<void> {
  reader ??= await import('../../../text/gitPatch/patchChanges');
}

/**
 * Returns a diff whose content is only in the patch of its `_meta`; undefined for another diff. The texts beside the patch are empty, because the
 * schema demands some.
 */
export function patchedDiff({ path, _meta }: Fields): ToolContent | undefined {
  const sent = airOf(_meta)?.diffPatch;
  if (typeof path !== 'string' || !isRecord(sent) || sent.format !== 'git_patch' || typeof sent.text !== 'string') {
    return undefined;
  }
  const read = reader?.patchChanges(sent.text);
  return {
    type: 'diff',
    changes: read?.changes ?? [{ operation: 'modify', path }],
    ...(!read?.isWhole && { patch: sent.text }),
  };
}

export interface PermissionText {
  readonly title?: string;
  readonly description?: string;
  /** The agent recommends to refuse. */
  readonly defaultToNo?: true;
}

/** Returns the texts of a permission request that are about the question, not about its tool call. */
export function permissionText(meta: unknown): PermissionText {
  const sent = airOf(meta)?.permission;
  if (!isRecord(sent)) {
    return {};
  }
  const title = labelOf(sent.title);
  const description = labelOf(sent.description);
  return {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(sent.defaultToNo === true && { defaultToNo: true }),
  };
}

/** Returns the value of a config option that the agent recommends. */
export function recommendedValue(meta: unknown): string | undefined {
  return labelOf(airOf(meta)?.recommendedValue);
}
