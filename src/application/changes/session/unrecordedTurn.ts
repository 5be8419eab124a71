/** Turns that ended with their window, before their changes were recorded. Pure. */
import { entryIdOf, isAbsent, type SessionState } from '../../../core/model/state';

/**
 * True when a turn from this one on ended with its window, and no record has its changes. A restore cannot know what such a turn changed.
 * @param recorded the ids of the turns in the record of changes
 */
export function hasUnrecordedTurn({ entries }: Pick<SessionState, 'entries'>, turnId: string, recorded: ReadonlySet<string>): boolean {
  const first = entries.indexOf(entryIdOf.message('user', turnId));
  for (let index = first; first >= 0 && index < entries.length; index++) {
    if (entries.headAt(index)?.kind === 'turn') {
      const slot = entries.at(index);
      const entry = slot && !isAbsent(slot) && slot.kind === 'turn' ? slot : undefined;
      if (entry?.failure?.code === 'session.interrupted' && !recorded.has(entry.turnId)) {
        return true;
      }
    }
  }
  return false;
}
