/** What a tool call is called in the view. */
import { toolCallTitle } from '../../../src/core/model/toolTitle';
import type { ToolCallEntry } from '../../../src/core/model/state';
import { oneLine } from '../../../src/text/characters/textSafety';
import { toolKindWord } from '../../words';

export { withoutSigns } from '../../../src/core/model/titles';
export { pathOf } from '../../../src/core/model/toolTitle';

/** Its title from the session's folder on; whoever sends none has a name, or a kind. What it is about, where the title is a tool's name alone. */
export function titleOf(entry: ToolCallEntry, cwd: string): string {
  const word = toolKindWord(entry.toolKind);
  return oneLine(toolCallTitle(entry, cwd, word)) || word;
}
