/** Which processes come from one that we started, and whom a signal may be sent to. Pure: a list of processes in, numbers out. */
import type { ProcessRow } from './processList';

/** A process that we started. */
export interface Origin {
  /** It leads, or led, a group and a session of its own number. */
  readonly pid: number;
  /** The first and the last moment it can have started; undefined when that was not seen: then no living process is it. */
  readonly started: readonly [number, number] | undefined;
  /** What was found to come from it: pid to start. Grows with each look. */
  readonly known: Map<number, number>;
}

/** Where a signal goes. */
export interface Target {
  /** Negative: a whole group. */
  readonly pid: number;
  /** The process that was seen, or one of the group: while it is there, the number is nobody else's. */
  readonly witness: ProcessRow;
}

/**
 * The living processes that come from `origin`: itself, what has the mark, what was known, their children, and all members of the groups and
 * sessions that one of them made, as long as one of those who are sure is in it: a number is given to nobody else while a group has it.
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
    // Nobody is older than who started it; a list is not read in one moment.
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
 * What was left in the group when its leader had just been reaped: nobody can have got the number since. To be asked in that moment only; what is
 * remembered of the answer is known later.
 */
export function leftInGroup(rows: readonly ProcessRow[], { pid }: Origin): ProcessRow[] {
  return rows.some((row) => row.pid === pid)
    ? []
    : rows.filter((row) => row.group === pid && (row.session === undefined || row.session === pid));
}

/** Each member once: whole groups where they are ours, so that nobody slips away by forking, single processes elsewhere. */
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

/** True when one of ours made the group or session of this number. Who joins one has to be in its session, so a foreign one has none of ours. */
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
