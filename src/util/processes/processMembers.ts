/**
 * Determines which processes come from one that we started, and which may be sent a signal. Pure: the input is a list of processes, the output are
 * numbers.
 */
import type { ProcessRow } from './processList';

/** A process that we started. */
export interface Origin {
  /** The leader of a group and a session with its own number, possibly ended. */
  readonly pid: number;
  /** The earliest and latest time at which it can have started. Undefined when the start was not seen: then no living process matches. */
  readonly started: readonly [number, number] | undefined;
  /** The processes found to come from it: pid to start. Grows with each listing. */
  readonly known: Map<number, number>;
}

/** The target of a signal. */
export interface Target {
  /** The process id; negative for a whole group. */
  readonly pid: number;
  /** The observed process, or one of the group. While it exists, no other process can get the number. */
  readonly witness: ProcessRow;
}

/**
 * Returns the living processes that come from `origin`: itself, marked and known processes, their children, and all members of groups and sessions
 * that one of them made. A group counts only while one certain member is in it, because the system does not reuse the number of a group with members.
 * @param marked pids of rows with the mark of this launch
 * @param self this process: neither it nor a group or session it is in is ever touched
 */
export function membersOf(rows: readonly ProcessRow[], origin: Origin, marked: ReadonlySet<number>, self: number): ProcessRow[] {
  const own = rows.find((row) => row.pid === self);
  const children = groupBy(rows, (row) => row.parent);
  const groups = groupBy(rows, (row) => row.group);
  const sessions = groupBy(rows, (row) => row.session ?? 0);
  const { known } = origin;
  const members = new Map<number, ProcessRow>();
  const pending = rows.filter((row) => isOrigin(row, origin) || known.get(row.pid) === row.started || marked.has(row.pid));
  for (let row = pending.pop(); row; row = pending.pop()) {
    if (row.pid <= 1 || row.pid === self || members.has(row.pid)) {
      continue;
    }
    const { pid, group, session = 0, started } = row;
    members.set(pid, row);
    known.set(pid, started);
    // No child is older than its parent. The check is needed because the list is not read at one moment.
    pending.push(...(children.get(pid) ?? []).filter((child) => child.started >= started));
    if (isMade(group, origin) && group !== own?.group) {
      pending.push(...(groups.get(group) ?? []));
    }
    if (isMade(session, origin) && session !== own?.session) {
      pending.push(...(sessions.get(session) ?? []));
    }
  }
  return [...members.values()].filter((row) => !row.zombie);
}

/**
 * Returns the rest of the group of a leader that was just reaped, before another process can get its number. Call it only at that moment; the caller
 * remembers the result.
 */
export function leftInGroup(rows: readonly ProcessRow[], { pid }: Origin): ProcessRow[] {
  return rows.some((row) => row.pid === pid)
    ? []
    : rows.filter((row) => row.group === pid && (row.session === undefined || row.session === pid));
}

/** Returns a target for each member: its whole group where the group is ours, so that no member escapes by forking, otherwise the single process. */
export function targetsOf(members: readonly ProcessRow[], origin: Origin, self: ProcessRow | undefined): Target[] {
  const targets = new Map<number, Target>();
  for (const row of members) {
    const whole = isMade(row.group, origin) && row.group !== self?.group;
    const pid = whole ? -row.group : row.pid;
    if (!targets.has(pid)) {
      targets.set(pid, { pid, witness: row });
    }
  }
  return [...targets.values()];
}

/**
 * True when one of our processes made the group or session of this number. A process can join only groups of its own session, so a foreign group has
 * none of ours.
 */
function isMade(id: number, { pid, known }: Origin): boolean {
  return id > 1 && (id === pid || known.has(id));
}

function isOrigin({ pid, started }: ProcessRow, origin: Origin): boolean {
  return pid === origin.pid && origin.started !== undefined && started >= origin.started[0] && started <= origin.started[1];
}

function groupBy(rows: readonly ProcessRow[], keyOf: (row: ProcessRow) => number): Map<number, ProcessRow[]> {
  const groups = new Map<number, ProcessRow[]>();
  for (const row of rows) {
    const key = keyOf(row);
    const group = groups.get(key);
    if (group) {
      group.push(row);
    } else {
      groups.set(key, [row]);
    }
  }
  return groups;
}
