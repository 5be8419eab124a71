/** The places of a tool call that its card lists: not those that a change shown in it leads to anyway. The same for the page and for what looks through conversations. */
import type { Location } from './content';
import type { ToolCallEntry } from './state';

export function shownLocations({ content, locations }: Pick<ToolCallEntry, 'content' | 'locations'>): readonly Location[] {
  const changes = content.flatMap((each) => (each.type === 'diff' ? each.changes : []));
  return locations.filter(({ path, line }) => {
    const own = changes.filter((change) => change.path === path);
    return own.length === 0 || (line !== undefined && own.every((change) => change.line === undefined));
  });
}
