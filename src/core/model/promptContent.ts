/** Fits prompts to the content types that the agent accepts (protocol page "Initialization", prompt capabilities). */
import type { ContentBlock, PromptCapabilities } from './content';
import type { Failure } from './failure';

/**
 * Returns the prompt in a form that this agent accepts. Embedded text becomes plain text for agents that accept no resources. `refused` has the
 * blocks that the agent accepts in no form. Every agent accepts text and links.
 */
export function fitPrompt(
  content: readonly ContentBlock[],
  capabilities: PromptCapabilities,
): { readonly content: readonly ContentBlock[]; readonly refused: readonly ContentBlock[] } {
  const refused: ContentBlock[] = [];
  const fitted = content.flatMap((block): readonly ContentBlock[] => {
    switch (block.type) {
      case 'text':
      case 'resource_link':
        return [block];
      case 'resource':
        if (capabilities.embeddedContext) {
          return [block];
        }
        if (block.text !== undefined) {
          return [{ type: 'text', text: `${block.uri}:\n${fenced(block.text)}` }];
        }
        break;
      case 'image':
      case 'audio':
        if (capabilities[block.type]) {
          return [block];
        }
        break;
      case 'unknown':
        break;
    }
    refused.push(block);
    return [];
  });
  return { content: refused.length === 0 && fitted.every((block, index) => block === content[index]) ? content : fitted, refused };
}

/** Returns the reason why this agent cannot be sent this prompt: it accepts some attachments in no form. */
export function notTaken(content: readonly ContentBlock[], capabilities: PromptCapabilities): Failure | undefined {
  const { refused } = fitPrompt(content, capabilities);
  const types = [...new Set(refused.map(({ type }) => type))].join(', ');
  return refused.length > 0 ? { code: 'turn.not_taken', params: { types } } : undefined;
}

/** Returns the text in a fence longer than any in the text, so that the text cannot end it. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}
