/** What content is called: a resource, and a prompt by how it begins. Pure. */
import type { ContentBlock } from './content';

/** What a prompt says, cut to `max` UTF-16 units: its text, and where there is none the names of the files that go with it. */
export function promptText(content: readonly ContentBlock[], max: number): string {
  let text = '';
  for (const [index, block] of content.entries()) {
    const before = content[index - 1];
    if (block.type === 'text') {
      text += (before?.type === 'text' ? '\n' : '') + block.text.slice(0, max);
    } else if (content[index + 1]?.type === 'text') {
      // What stands in the middle of the text is a word of it.
      text += block.type === 'resource_link' ? `@${block.name}` : block.type === 'resource' ? `@${resourceName(block.uri)}` : ' ';
    }
  }
  const names = (): string =>
    content
      .flatMap((block) =>
        block.type === 'resource_link'
          ? block.title || block.name || resourceName(block.uri)
          : block.type === 'resource'
            ? resourceName(block.uri)
            : [],
      )
      .join(', ');
  return ((text.trim() === '' && names()) || text).slice(0, max);
}

/** What a resource is called by its address: the last part of its path, as people write it. */
export function resourceName(uri: string): string {
  const tail = uri.search(/[?#]/);
  let end = tail < 0 ? uri.length : tail;
  while (end > 0 && /[\\/]/.test(uri[end - 1]!)) {
    end--;
  }
  const path = uri.slice(0, end);
  const last = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
  try {
    return decodeURIComponent(last) || uri;
  } catch {
    return last;
  }
}
