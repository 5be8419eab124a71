/** What content is called: a resource, and a prompt by how it begins. Pure. */
import type { ContentBlock } from './content';

/** What a prompt says, cut to `max` UTF-16 units: its text, and where there is none the names of the files that go with it. */
export function promptText(content: readonly ContentBlock[], max: number): string {
  const text = content.flatMap((block) => (block.type === 'text' ? block.text.slice(0, max) : [])).join('\n');
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
