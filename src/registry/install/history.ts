/** The versions of an agent in the order in which they were used: the version that a rollback starts, and those that an update keeps. Pure. */
import path from 'node:path';
import { compareVersions } from '../versions';
import type { AgentState, StoredAgent, StoredVersion } from './record';

/** Returns the versions that were used before the current one, the last one first. */
export function historyOf({ current, others, state }: StoredAgent): readonly StoredVersion[] {
  const { before } = state;
  // An earlier version of the extension wrote no history, and a damaged state has none.
  return before === undefined
    ? others.filter(({ record }) => record.installedAt < current.record.installedAt)
    : before.flatMap((name) => others.find(({ folder }) => nameOf(folder) === name) ?? []);
}

/**
 * Returns the state in which another version starts. Only older versions stay in its history, so that a rollback never returns to a version that the
 * user has left for an older one.
 */
export function choiceOf(chosen: StoredVersion, from: StoredAgent): AgentState {
  const { current, state } = from;
  const { isPinned, started } = state;
  const kept = { ...(isPinned && { isPinned }), ...(started && { started }) };
  const before = [current, ...historyOf(from)].filter(
    (each) => each.folder !== chosen.folder && compareVersions(each.record.version, chosen.record.version) <= 0,
  );
  const isOlder = compareVersions(chosen.record.version, current.record.version) < 0;
  return {
    ...kept,
    current: nameOf(chosen.folder),
    before: before.map(({ folder }) => nameOf(folder)),
    ...(isOlder && { skipped: current.record.version }),
    failedStarts: 0,
  };
}

/** Returns the state after a start of the current version. */
export function afterStart({ current, others, state }: StoredAgent, succeeded: boolean): AgentState {
  const { started = [], failedStarts = 0 } = state;
  const name = nameOf(current.folder);
  const known = [current, ...others].map(({ folder }) => nameOf(folder)).filter((each) => each === name || started.includes(each));
  return {
    ...state,
    current: name,
    failedStarts: succeeded ? 0 : failedStarts + 1,
    ...(succeeded && { started: known }),
  };
}

/** True when the current version has been ready at least once. */
export function hasStarted({ current, state }: StoredAgent): boolean {
  return state.started?.includes(nameOf(current.folder)) === true;
}

/** Returns the version that a rollback starts: the last one used that has ever been ready, otherwise the last one used. */
export function versionBefore(agent: StoredAgent): StoredVersion | undefined {
  const history = historyOf(agent);
  return history.find(({ folder }) => agent.state.started?.includes(nameOf(folder))) ?? history[0];
}

/** Orders the versions other than the current one by their use to the user: the one of a rollback and then those of the history first. */
export function byUse(agent: StoredAgent): readonly StoredVersion[] {
  return [...new Set([versionBefore(agent) ?? [], historyOf(agent), agent.others].flat())];
}

function nameOf(folder: string): string {
  return path.basename(folder);
}
