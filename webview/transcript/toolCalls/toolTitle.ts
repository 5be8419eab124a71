/** The title of a tool call in the view, and the verb before it. */
import { pathOf, toolCallTitle } from '../../../src/core/toolCalls/toolTitle';
import type { ToolCallEntry } from '../../../src/core/model/state';
import { oneLine } from '../../../src/text/characters/textSafety';
import { shortPath, toolKindLabel } from '../../base/strings';

export { withoutSigns } from '../../../src/core/toolCalls/titles';
export { pathOf } from '../../../src/core/toolCalls/toolTitle';

/** Returns the title with paths relative to the session's folder. A call without a title has its name or its kind, with its subject. */
export function titleOf(entry: ToolCallEntry, cwd: string): string {
  const word = toolKindLabel(entry.toolKind);
  return oneLine(toolCallTitle(entry, cwd, word)) || word;
}

/** Kinds of calls whose title may be only a path, an address or a pattern. A command needs no verb. */
const NAMED_BY_OBJECT: ReadonlySet<string> = new Set(['read', 'edit', 'delete', 'move', 'search', 'fetch']);
/** A position after a path: `:12`, `:12-20`, `#L3`, ` (1 - 20)`. */
const PLACE = /(?::\d{1,9}(?:[:-]\d{1,9})?|#L\d{1,9}\S{0,20}| ?\(\d{1,9}(?: ?- ?\d{1,9})?\))$/;
const ADDRESS = /^[a-z][a-z+.-]{1,20}:\/\/\S+$/i;
/** A path: parts with separators between them, or a file name with an extension. */
const PATH = /^\S*[\\/]\S*$|^\S*[^\s.]\.[A-Za-z][A-Za-z0-9]{0,9}$/;
const PATTERN = /^\S*[*?]\S*$/;

/** The verb to show before `title`, the call's displayed title; '' for a title that already names the action. */
export function verbOf({ toolKind, locations, content, rawInput }: ToolCallEntry, title: string, cwd: string): string {
  if (!NAMED_BY_OBJECT.has(toolKind)) {
    return '';
  }
  const bare = title.replace(PLACE, '').trim();
  const paths = [pathOf({ locations, content, rawInput }), ...locations.map(({ path }) => path)].flatMap((path) =>
    path === undefined ? [] : [path, shortPath(path, cwd)],
  );
  const isObject = paths.includes(bare) || ADDRESS.test(bare) || PATH.test(bare) || (toolKind === 'search' && PATTERN.test(bare));
  return isObject ? toolKindLabel(toolKind) : '';
}
