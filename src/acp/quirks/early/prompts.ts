/** Prompts of the early dialect: one text. */
import type { ContentBlock } from '../../../core/model/content';

/** Returns the text of a prompt; undefined when one of its blocks has no text. */
export function promptText(content: readonly ContentBlock[]): string | undefined {
  const texts = content.map(blockText);
  return texts.every((text) => text !== undefined) ? texts.join('\n') : undefined;
}

function blockText(block: ContentBlock): string | undefined {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'resource_link':
      return `[${block.name}](${block.uri})`;
    case 'resource':
      return block.text === undefined ? undefined : `${block.uri}:\n${block.text}`;
    default:
      return undefined;
  }
}
