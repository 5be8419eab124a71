import assert from 'node:assert/strict';
import type { ProcessRow } from '../../../../src/util/processes/processList';
import { signal } from '../../../../src/util/processes/processSignal';
import { leftInGroup, membersOf, targetsOf, type Origin } from '../../../../src/util/processes/processMembers';

const SELF = 50;
/** Creates a row from `pid parent group session started`. This process leads group and session 50. */
const row = (words: string, zombie = false): ProcessRow => {
  const [pid, parent, group, session, started] = words.split(' ').map(Number);
  return { pid: pid!, parent: parent!, group: group!, session: session!, started: started!, zombie };
};
const own = row('50 1 50 50 1');
const origin = (started: number | undefined = 10, known: readonly (readonly [number, number])[] = []): Origin => ({
  pid: 100,
  started: started === undefined ? undefined : [started, started],
  known: new Map(known),
});
const pids = (rows: readonly ProcessRow[], from: Origin, marked: readonly number[] = []): number[] =>
  membersOf([own, ...rows], from, new Set(marked), SELF)
    .map(({ pid }) => pid)
    .sort((a, b) => a - b);

describe('the processes that come from a process', () => {
  it('include itself, its group, its session and its descendants, wherever they moved', () => {
    const rows = [
      '100 50 100 100 10',
      '101 100 100 100 11',
      '102 1 100 100 12',
      '103 1 103 100 12',
      '104 101 104 104 13',
      '105 104 104 104 14',
      '200 1 200 200 5',
      '201 200 200 200 20',
    ];
    assert.deepEqual(
      pids(
        rows.map((each) => row(each)),
        origin(),
      ),
      [100, 101, 102, 103, 104, 105],
    );
  });

  it('exclude all when another process now has its number', () => {
    const rows = ['100 1 100 100 99', '101 100 100 100 100', '102 1 102 100 100'].map((each) => row(each));
    assert.deepEqual(pids(rows, origin()), []);
    assert.deepEqual(pids(rows, origin(undefined)), [], 'its start was never seen');
    assert.deepEqual(leftInGroup(rows, origin()), []);
  });

  it('exclude a group of its number whose leader is gone, unless one member is certain', () => {
    const rows = ['101 1 100 100 12', '102 1 100 100 13'].map((each) => row(each));
    assert.deepEqual(pids(rows, origin()), []);
    assert.deepEqual(pids(rows, origin(), [102]), [101, 102], 'by its mark');
    assert.deepEqual(pids(rows, origin(10, [[101, 12]])), [101, 102], 'seen before');
    assert.deepEqual(pids(rows, origin(10, [[101, 11]])), [], 'a later one of that number');
    assert.deepEqual(
      leftInGroup(rows, origin()).map(({ pid }) => pid),
      [101, 102],
      'just now',
    );
  });

  it('include processes with the mark, their descendants, and the session that one created', () => {
    const rows = ['300 1 300 300 20', '301 300 301 301 21', '302 1 302 300 22', '303 1 300 300 22'].map((each) => row(each));
    assert.deepEqual(pids(rows, origin(), [300]), [300, 301, 302, 303]);
    assert.deepEqual(pids(rows, origin(), [302]), [302], 'the session’s own number is not known to be ours');
  });

  it('exclude processes that are older than their supposed origin', () => {
    assert.deepEqual(pids([row('100 50 100 100 10'), row('101 100 101 101 9')], origin()), [100]);
  });

  it('never include this process, its group or process 1', () => {
    const rows = [row('100 50 50 50 10'), row('51 50 50 50 11'), row('1 0 1 1 0')];
    assert.deepEqual(
      pids(
        rows,
        origin(10, [
          [50, 1],
          [1, 0],
        ]),
        [50, 1],
      ),
      [100],
    );
    const members = membersOf([own, ...rows], origin(10, [[50, 1]]), new Set(), SELF);
    assert.deepEqual(
      targetsOf(members, origin(10, [[50, 1]]), own).map(({ pid }) => pid),
      [100],
    );
  });

  it('include processes that were seen before, and those reached through ended ones', () => {
    const from = origin();
    pids([row('100 50 100 100 10'), row('101 100 101 101 11')], from);
    assert.deepEqual(
      [...from.known],
      [
        [100, 10],
        [101, 11],
      ],
    );
    // Both parents are gone. Only the session connects 102.
    assert.deepEqual(pids([row('101 1 101 101 11'), row('102 1 102 101 12')], from), [101, 102]);
    const zombie = [row('100 50 100 100 10', true), row('103 1 100 100 14')];
    assert.deepEqual(pids(zombie, origin()), [103], 'a leader that was not reaped yet holds its number');
  });
});

describe('the targets of a signal', () => {
  it('are each own group once, and single processes elsewhere, each with a process that proves the number', () => {
    const rows = ['100 50 100 100 10', '101 100 100 100 11', '102 101 200 200 12', '103 102 103 103 13', '104 103 103 103 14'].map((each) =>
      row(each),
    );
    const from = origin();
    const members = membersOf([own, ...rows], from, new Set(), SELF).sort((a, b) => a.pid - b.pid);
    assert.deepEqual(
      targetsOf(members, from, own).map(({ pid, witness }) => [pid, witness.pid]),
      [
        [-100, 100],
        [102, 102],
        [-103, 103],
      ],
    );
  });

  it('are skipped when their number has changed hands', () => {
    const sent: number[] = [];
    const witness = row('100 50 100 100 10');
    const now: Record<string, ProcessRow | undefined> = {
      same: witness,
      gone: undefined,
      'a later process of that number': row('100 1 100 100 99'),
      'in another group now': row('100 50 200 100 10'),
    };
    const to = (pid: number, name: string): void =>
      signal({ pid, witness }, 'SIGTERM', { read: () => now[name], send: (each) => sent.push(each) });
    for (const name of Object.keys(now)) {
      to(-100, name);
    }
    assert.deepEqual(sent.splice(0), [-100]);
    for (const name of Object.keys(now)) {
      to(100, name);
    }
    assert.deepEqual(sent, [100, 100], 'the process itself may have moved');
  });
});
