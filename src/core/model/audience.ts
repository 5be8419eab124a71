/** The intended audience of a content block (protocol page "Content", annotations). */
import type { ContentBlock } from './content';

/** True when the audience does not include the user. Such a block is collapsed, not hidden. */
export function isForAgent(block: ContentBlock): boolean {
  const audience = block.type === 'unknown' ? undefined : block.annotations?.['audience'];
  return Array.isArray(audience) && audience.length > 0 && !audience.includes('user');
}
