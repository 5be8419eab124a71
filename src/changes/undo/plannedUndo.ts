/** Undos that are planned together. Each is planned for the state in which the others leave the files. Pure. */
import path from 'node:path';
import type { FileState } from '../../core/fileChanges/records';
import { planUndo, type UndoAction, type UndoFacts, type UndoTarget } from './undoPlan';

/** A target with its plan. `force`: the user wants to replace the newer version that the facts have. */
export interface PlannedUndo {
  readonly target: UndoTarget;
  readonly facts: UndoFacts;
  readonly action: UndoAction;
  readonly force?: true;
}

/** Plans a file again whose folder the agent replaced by a link. An undo of both removes the link first, and then nothing exists at the path. */
export function belowRemovedLink(plan: PlannedUndo, all: readonly PlannedUndo[]): PlannedUndo {
  const { target, facts } = plan;
  if (facts.inPlace || target.hunkIds || target.file.hunks || target.file.oldPath !== undefined) {
    return plan;
  }
  const isBelow = all.some(
    ({ action, facts: above, target: { file } }) =>
      above.now.kind === 'link' &&
      action.type === 'write' &&
      action.effect === 'delete' &&
      target.file.path.startsWith(file.path + path.sep),
  );
  const there: UndoFacts = { ...facts, inPlace: true, now: NONE, ...(target.file.isDeleted && { after: NONE }) };
  return isBelow ? { target, facts: there, action: planUndo(target, there) } : plan;
}

/** Joins the targets of one file: rows of several turns can be selected together, and each file is written once. */
export function joinedTargets(targets: readonly UndoTarget[]): readonly UndoTarget[] {
  const joined = new Map<string, UndoTarget>();
  for (const target of targets) {
    const { file, hunkIds } = target;
    const known = joined.get(file.path);
    const all = known?.hunkIds && hunkIds ? [...new Set([...known.hunkIds, ...hunkIds])] : undefined;
    joined.set(file.path, known ? { file, ...(all && { hunkIds: all }) } : target);
  }
  return [...joined.values()];
}

/** Returns the moves of files to a path that another action writes, too. The other actions take precedence, then the earlier move. */
export function clashing(actions: readonly UndoAction[]): ReadonlySet<UndoAction> {
  const taken = new Set(actions.flatMap((action) => (action.type === 'write' && action.effect !== 'move' ? pathsOf(action) : [])));
  const found = new Set<UndoAction>();
  for (const action of actions) {
    if (!('effect' in action) || action.effect !== 'move') {
      continue;
    }
    const paths = pathsOf(action);
    if (paths.some((each) => taken.has(each))) {
      found.add(action);
    } else {
      paths.forEach((each) => taken.add(each));
    }
  }
  return found;
}

function pathsOf(action: UndoAction & { readonly type: 'edit' | 'write' }): readonly string[] {
  if (action.type === 'write') {
    return action.writes.map((write) => write.path);
  }
  return action.moveTo === undefined ? [] : [action.moveTo];
}

const NONE: FileState = { kind: 'none' };
