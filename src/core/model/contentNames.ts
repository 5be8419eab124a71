/** Names resources, and makes titles from prompts. Pure. */
import { commentsIn, decoded } from './attachment';
import type { ContentBlock } from './content';

/** The beginning of a text after a mention that makes the mention a part of the sentence: "app.ts and …", "app.ts is …". */
const GOES_ON =
  /^(?:['’]s|[&+/|=<>-]|(?:and|or|vs|is|isn['’]t|are|was|were|has|have|does|doesn['’]t|should|could|would|will|must|needs?|fails?|in|of|to|with|from)(?![\p{L}\p{N}_]))/iu;
/** Characters between a mention at the beginning and the text. */
const SEPARATORS = /^[\s,;:–—]+/u;

/**
 * Returns the text of a prompt for a title, cut to `max` UTF-16 units. It includes the names of mentions that are a part of a sentence. Mentions
 * before the text are left out. For a prompt without text, it returns the names of the attachments.
 */
export function promptText(content: readonly ContentBlock[], max: number): string {
  let text = '';
  /** Names of the mentions before any text. */
  let leading: readonly string[] = [];
  for (const [index, block] of content.entries()) {
    const before = content[index - 1];
    if (block.type === 'text') {
      const part = block.text.slice(0, max);
      if (leading.length > 0 && part.trim() !== '') {
        const rest = part.replace(SEPARATORS, '');
        text = GOES_ON.test(rest) ? leading.join(' ') + part : rest;
        leading = [];
      } else {
        text += (before?.type === 'text' ? '\n' : '') + part;
      }
    } else if (isWord(block, before, content[index + 1])) {
      const name = wordOf(block);
      if (text.trim() !== '') {
        text += name;
      } else if (name.trim() !== '') {
        leading = [...leading, name];
      }
    }
  }
  return (text.trim() === '' ? content.flatMap(fileName).join(', ') || text : text).slice(0, max);
}

/** True for a block in the middle of the text, and for a mention that the text ends with. */
function isWord(block: ContentBlock, before: ContentBlock | undefined, after: ContentBlock | undefined): boolean {
  // The text of a message is trimmed, so a space at the end of a block is a space before a mention.
  const endsText = before?.type === 'text' && /\s$/.test(before.text);
  return after?.type === 'text' || (endsText && 'uri' in block && block.uri?.startsWith('acp-host') === false);
}

function wordOf(block: ContentBlock): string {
  return block.type === 'resource_link' ? block.title || block.name : block.type === 'resource' ? resourceLabel(block.uri) : ' ';
}

/** Returns the name of a file or text that is sent with a prompt; nothing for an attachment that only we write. */
function fileName(block: ContentBlock): string | readonly string[] {
  switch (block.type) {
    case 'resource_link':
      return block.title || block.name || resourceLabel(block.uri);
    case 'resource':
      return commentsIn(block)?.place ?? (block.uri.startsWith('acp-host') ? [] : resourceLabel(block.uri));
    default:
      return [];
  }
}

/**
 * Returns a resource's name as the user knows it: with its lines ("cart.ts:10-20"), its notebook cell, or the name of its mention. The query of an
 * `attachment:` address holds that name.
 */
export function resourceLabel(uri: string): string {
  const name = resourceName(uri);
  const [, own] = /^attachment:\/[^?#]*\?([^#]+)$/.exec(uri) ?? [];
  const [, fragment = ''] = /#([^#]*)$/.exec(uri) ?? [];
  const [, cell, lines] = /^(?:cell=(\d+):?)?(?:L(\d+(?:-L?\d+)?))?$/.exec(fragment) ?? [];
  if (own !== undefined) {
    return decoded(own) || name;
  }
  if (fragment === 'problems') {
    return `problems:${name}`;
  }
  return name + (cell === undefined ? '' : `, cell ${cell}`) + (lines === undefined ? '' : `:${lines.replace('-L', '-')}`);
}

/** Returns the last part of the path in a resource's address, in readable form. */
export function resourceName(uri: string): string {
  const tail = uri.search(/[?#]/);
  let end = tail < 0 ? uri.length : tail;
  while (end > 0 && /[\\/]/.test(uri[end - 1]!)) {
    end--;
  }
  const path = uri.slice(0, end);
  const last = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
  return decoded(last) || uri;
}
