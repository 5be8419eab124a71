/** Announces ended tool calls: each by its name and result, or only their number when many end at once. */
import { refusalOf, requestsOf } from '../../src/core/approval/requests';
import { type SessionState, type Slot, type ToolCallEntry, isAbsent } from '../../src/core/model/state';
import { t } from '../base/l10n';
import { oneLine } from '../../src/text/characters/textSafety';
import { titleOf, withoutSigns } from '../transcript/toolCalls/toolTitle';
import { callLabel } from '../base/strings';

/** Tool calls. When more end in one frame, only their number is announced. */
const MAX_NAMED = 3;
const MAX_TITLE = 200;

export class ToolEnds {
  private readonly running = new Set<string>();

  /** Checks the entries added since there were `from`, and the running ones. @returns the announcements */
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
    if (ended.length <= MAX_NAMED) {
      return ended.map((entry) =>
        t('{title}, {status}', { title: nameOf(entry, state.cwd), status: callLabel(entry, requestsOf(entry, state.entries)) }),
      );
    }
    const failed = ended.filter((entry) => entry.status === 'failed' && !refusalOf(entry, requestsOf(entry, state.entries))).length;
    return [
      failed > 0
        ? t('{count} tool calls finished, {failed} failed', { count: ended.length, failed })
        : t('{count} tool calls finished', { count: ended.length }),
    ];
  }

  /** Marks the entries from `from` as known. Calls that still run are announced when they end. */
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
  return status === 'pending' || status === 'in_progress' || status === 'paused';
}

/** The tool call's title, as the page shows it. */
function nameOf(entry: ToolCallEntry, cwd: string): string {
  return oneLine(withoutSigns(titleOf(entry, cwd), entry.toolKind), MAX_TITLE);
}
