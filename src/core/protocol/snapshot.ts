/**
 * The windowed snapshot: the order, id and kind of every entry, and bodies for the end of the conversation and for requested entries. The view
 * rebuilds a state from it, in which the other entries are absent, and reduces the same events from there on.
 */
import { EntryList } from '../model/entries';
import { cardOf } from '../approval/requests';
import { trimEntry, trimQueue } from './trimForView';
import { type Entry, entryIdOf, isAbsent, type SessionState, type Slot, type TerminalState } from '../model/state';
import { slotIn } from '../subagents/subagentTree';
import { fromSubagentSnapshots, toSubagentSnapshots, withSubagentBodies } from './subagentSnapshots';
import type { StateSnapshot } from './view';

export interface Window {
  /** The number of entries at the end that come with their bodies. */
  readonly tail: number;
  /** Further entries whose bodies are requested. */
  readonly want?: Iterable<string>;
  /** UTF-16 units of terminal output to include, the newest terminals first; {@link OUTPUT} when absent. */
  readonly output?: number;
}

/** A few screens' worth, whatever the number of commands. */
const OUTPUT = 1024 * 1024;

/** Returns the snapshot of `state` for the view. It always includes the bodies of requests that wait for the user, and of their tool calls. */
export function toSnapshot(state: SessionState, window: Window): StateSnapshot {
  const { entries, ...rest } = state;
  const heads = [...entries.heads()];
  const first = Math.max(0, heads.length - window.tail);
  const wanted = new Set(window.want ?? []);
  for (const permissionId of state.pendingPermissions) {
    wanted.add(entryIdOf.permission(permissionId));
    wanted.add(cardOf(state, permissionId));
  }
  for (const requestKey of state.pendingElicitations) {
    wanted.add(entryIdOf.elicitation(requestKey));
  }
  const bodies = heads
    .flatMap(({ entryId }, index) => (index >= first || wanted.has(entryId) ? entries.at(index)! : []))
    .filter((slot): slot is Entry => !isAbsent(slot));
  return {
    ids: heads.map((head) => head.entryId),
    kinds: heads.map((head) => head.kind),
    bodies: bodies.map(trimEntry),
    rest: {
      ...restOf(rest),
      queue: trimQueue(rest.queue),
      terminals: windowed(rest.terminals, window.output ?? OUTPUT),
    },
    ...(rest.subagents && {
      subagents: toSubagentSnapshots(rest.subagents, (conversation) => toSnapshot(conversation, { tail: 0, want: wanted, output: 0 })),
    }),
  };
}

function restOf({ subagents: _, ...rest }: StateSnapshot['rest'] & Pick<SessionState, 'subagents'>): StateSnapshot['rest'] {
  return rest;
}

function windowed(terminals: SessionState['terminals'], limit: number): SessionState['terminals'] {
  let left = limit;
  const shown = Object.entries(terminals)
    .reverse()
    .map(([terminalId, terminal]): [string, TerminalState] => {
      left -= terminal.output.length;
      return [terminalId, left >= 0 || terminal.output === '' ? terminal : { ...terminal, output: '', absent: true }];
    });
  return Object.fromEntries(shown.reverse()); // Restores the original order.
}

/** Returns these terminals whole, without unknown ones. */
export function terminalsOf(state: SessionState, terminalIds: Iterable<string>): TerminalState[] {
  return [...terminalIds].flatMap((terminalId) => (Object.hasOwn(state.terminals, terminalId) ? [state.terminals[terminalId]!] : []));
}

/** Returns `state` with these terminals in place of its own. Unknown ones are ignored. */
export function withTerminals(state: SessionState, terminals: readonly TerminalState[]): SessionState {
  const known = terminals.filter(({ terminalId }) => Object.hasOwn(state.terminals, terminalId));
  return known.length === 0
    ? state
    : { ...state, terminals: { ...state.terminals, ...Object.fromEntries(known.map((terminal) => [terminal.terminalId, terminal])) } };
}

/** Returns the state that a snapshot describes. Entries without a body are absent. */
export function fromSnapshot(snapshot: StateSnapshot): SessionState {
  const { subagents } = snapshot;
  const bodies = new Map(snapshot.bodies.map((entry) => [entry.entryId, entry]));
  const slots = snapshot.ids.map((entryId, index): Slot => bodies.get(entryId) ?? { entryId, kind: snapshot.kinds[index]!, absent: true });
  return {
    ...snapshot.rest,
    ...(subagents && { subagents: fromSubagentSnapshots(subagents, fromSnapshot) }),
    entries: EntryList.of(slots),
  };
}

/** Returns `state` with these bodies in place of absent ones. Ids that `state` does not list are ignored. */
export function withBodies(state: SessionState, bodies: readonly Entry[]): SessionState {
  let entries = state.entries;
  const others: Entry[] = [];
  for (const body of bodies) {
    if (entries.indexOf(body.entryId) >= 0) {
      entries = entries.replace(body);
    } else {
      others.push(body);
    }
  }
  const next = entries === state.entries ? state : { ...state, entries };
  return others.length === 0 ? next : withSubagentBodies(next, others, withBodies);
}

/** Returns the bodies of these entries, for the view, without unknown and absent ones. */
export function bodiesOf(state: SessionState, entryIds: Iterable<string>): Entry[] {
  const bodies: Entry[] = [];
  for (const entryId of entryIds) {
    const slot = slotIn(state, entryId);
    if (slot && !isAbsent(slot)) {
      bodies.push(trimEntry(slot));
    }
  }
  return bodies;
}
