/** Whom a content block is meant for (protocol page "Content", annotations). */
import type { ContentBlock } from './content';

/** True when the user is not among them: such a block is folded, not hidden. */
export function isForAgent(block: ContentBlock): boolean {
  const audience = block.type === 'unknown' ? undefined : block.annotations?.['audience'];
  return Array.isArray(audience) && audience.length > 0 && !audience.includes('user');
}
