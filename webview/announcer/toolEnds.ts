/** Tool calls that have ended, for screen readers: each by its name and how it went; only counted when many end at once. */
import { refusalOf, requestsOf } from '../../src/core/approval/requests';
import { type SessionState, type Slot, type ToolCallEntry, isAbsent } from '../../src/core/model/state';
import { t } from '../l10n';
import { oneLine } from '../../src/text/characters/textSafety';
import { titleOf, withoutSigns } from '../transcript/toolCalls/toolTitle';
import { callWord } from '../words';

/** Tool calls; when more end in one frame, they are only counted. */
const MOST = 3;
const MAX_TITLE = 200;

export class ToolEnds {
  private readonly running = new Set<string>();

  /** Looks at the entries that have come since there were `from`, and at those that ran. @returns what there is to say */
  hear(state: SessionState, from: number): string[] {
    for (let index = from; index < state.entries.length; index++) {
      const slot = state.entries.at(index)!;
      if (isTool(slot)) {
        this.running.add(slot.entryId);
      }
    }
    const ended = [...this.running].flatMap((entryId) => {
      const slot = state.entries.get(entryId);
      if (isTool(slot) && runs(slot)) {
        return [];
      }
      this.running.delete(entryId);
      return isTool(slot) ? [slot] : [];
    });
    if (ended.length <= MOST) {
      return ended.map((entry) =>
        t('{title}, {status}', { title: nameOf(entry, state.cwd), status: callWord(entry, requestsOf(entry, state.entries)) }),
      );
    }
    const failed = ended.filter((entry) => entry.status === 'failed' && !refusalOf(entry, requestsOf(entry, state.entries))).length;
    return [
      failed > 0
        ? t('{count} tool calls finished, {failed} failed', { count: ended.length, failed })
        : t('{count} tool calls finished', { count: ended.length }),
    ];
  }

  /** Takes the entries from `from` as known; those that run are waited for. */
  skip(state: SessionState, from: number): void {
    for (let index = from; index < state.entries.length; index++) {
      const slot = state.entries.at(index)!;
      if (isTool(slot) && runs(slot)) {
        this.running.add(slot.entryId);
      }
    }
  }
}

function isTool(slot: Slot | undefined): slot is ToolCallEntry {
  return slot !== undefined && !isAbsent(slot) && slot.kind === 'tool_call';
}

function runs({ status }: ToolCallEntry): boolean {
  return status === 'pending' || status === 'in_progress';
}

/** As the page shows it. */
function nameOf(entry: ToolCallEntry, cwd: string): string {
  return oneLine(withoutSigns(titleOf(entry, cwd), entry.toolKind), MAX_TITLE);
}
