/** Windows that follow each other in one turn, as when the agent outlives its window. */
import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { FileRecord } from '../../../src/core/fileChanges/records';
import type { RecordedTurn } from '../../../src/changes/turns/changeRecorder';
import type { Workspace, WorkspaceOptions, WorkspaceSession } from './workspace';

/** Opens the first window: the turn has begun, and its copies are stored. */
export async function begun(
  workspace: Workspace,
  turnId = 'turn',
  options: WorkspaceOptions = {},
): Promise<{ window: WorkspaceSession; since: number }> {
  const window = workspace.session({ outlives: true, ...options });
  const since = Date.now();
  window.recorder.turnStarted(turnId, since);
  await window.recorder.copied();
  await untilStored(window);
  await workspace.settle();
  return { window, since };
}

/** Resolves when a baseline is stored. */
async function untilStored({ storeFolder }: WorkspaceSession): Promise<void> {
  for (let wait = 0; !(await storeFolder.names()).includes('running.jsonl'); wait++) {
    assert.ok(wait < 200, 'no baseline was stored');
    await delay(10);
  }
}

/** Opens the next window, which continues the turn. */
export async function next(workspace: Workspace, since: number, turnId = 'turn'): Promise<WorkspaceSession> {
  const window = workspace.session({ outlives: true });
  window.recorder.turnContinued(turnId, since);
  await window.recorder.copied();
  await workspace.settle();
  return window;
}

export function recordOf(workspace: Workspace, turn: RecordedTurn | undefined, name: string): FileRecord | undefined {
  return turn?.files.find(({ path: file }) => file === workspace.at(name));
}
