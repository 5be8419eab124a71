/** Announces subagents whose work has ended: each by its name and result, or only their number when many end at once. */
import { oneLine } from '../../src/text/characters/textSafety';
import { subagentLabel, subagentStatusLabel } from '../../src/text/messages/subagents';
import type { SessionState } from '../../src/core/model/state';
import { isRunning, subagentName, subagentStatus, subagentsIn } from '../../src/core/subagents/subagentTree';
import { t } from '../base/l10n';

/** Subagents. When more end in one frame, only their number is announced. */
const MAX_NAMED = 3;
const MAX_NAME = 80;

export class SubagentEnds {
  private readonly running = new Set<string>();

  /** Returns the announcements of the ends since the last call. */
  hear(state: SessionState): string[] {
    const ended = subagentsIn(state).filter((child) => {
      if (isRunning(child)) {
        this.running.add(child.subagentId);
        return false;
      }
      return this.running.delete(child.subagentId) && child.work?.state === 'idle';
    });
    return ended.length > MAX_NAMED
      ? [t('{count} sub-agents finished', { count: ended.length })]
      : ended.map((child) => {
          const title = subagentLabel(oneLine(subagentName(child), MAX_NAME), t);
          return t('{title}, {status}', { title, status: subagentStatusLabel(subagentStatus(child, false), t) });
        });
  }
}
