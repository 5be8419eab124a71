/** What a tool call is called, and which file it is about. */
import type { ToolCallEntry } from '../../../src/core/model/state';
import { oneLine } from '../../../src/text/characters/textSafety';
import { shortTitle, toolKindWord } from '../../words';

export { withoutSigns } from '../../../src/core/model/titles';

/** Its title from the session's folder on; whoever sends none has a name, or a kind. */
export function titleOf({ title, name, toolKind }: ToolCallEntry, cwd: string): string {
  return oneLine(shortTitle(title ?? '', cwd, toolKind)) || oneLine(name ?? '') || toolKindWord(toolKind);
}

/** The file that the call is about, if it is about one. */
export function pathOf({ locations, rawInput }: ToolCallEntry): string | undefined {
  const [location] = locations;
  if (location) {
    return location.path;
  }
  for (const key of ['file_path', 'filePath', 'absolute_path', 'path']) {
    const path = typeof rawInput === 'object' && rawInput !== null ? (rawInput as Record<string, unknown>)[key] : undefined;
    if (typeof path === 'string' && path !== '') {
      return path;
    }
  }
  return undefined;
}
