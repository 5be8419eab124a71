/** Marks of live sessions: names, and seen turns. */
import assert from 'node:assert/strict';
import { sessionTitle } from '../../../../src/text/transcript/sessionTitle';
import { LiveMarks } from '../../../../src/application/sessionsView/liveMarks';
import { SeenSessions } from '../../../../src/application/sessionsView/seenSessions';
import { FakeClock } from '../../session/permission/fakes';
import { FakeKept, FakeSessions, settled, summary } from './fakes';

function stage(keys: readonly string[]) {
  const clock = new FakeClock();
  const sessions = new FakeSessions(clock);
  const kept = new FakeKept(keys.map((key) => summary(key)));
  const marks = new LiveMarks({ clock, sessions, kept, readMarks: (key) => kept.readMarks(key) });
  const inSight = new Set<string>();
  const seen = new SeenSessions({ clock, sessions, marks, isInSight: (key) => inSight.has(key) });
  const pass = async () => {
    await settled();
    clock.pass(1000);
    await settled();
    clock.pass(1000);
    await settled();
  };
  return { clock, sessions, kept, marks, seen, inSight, pass };
}

describe('marks of the sessions of a window', () => {
  it('contain their names, at once and from another window', async () => {
    const { sessions, kept, marks, pass } = stage(['a', 'b']);
    await kept.mark('a', { name: 'From before' });
    const a = sessions.add('a');
    sessions.add('b');
    await pass();
    assert.equal(sessionTitle(a.store.state), 'From before');
    void marks.mark('a', { name: 'Mine' });
    assert.equal(sessionTitle(a.store.state), 'Mine');
    await pass();
    assert.equal((await kept.readMarks('a')).name, 'Mine');
    await kept.mark('a', { name: 'Of another window' });
    await pass();
    assert.equal(sessionTitle(a.store.state), 'Of another window');
    await marks.mark('a', { name: undefined });
    await pass();
    assert.equal(a.store.state.name, undefined);
    assert.deepEqual(await kept.readMarks('a'), {});
  });

  it('contain seen turns: those that end while visible at once, others when they become visible', async () => {
    const { sessions, kept, seen, inSight, pass, clock } = stage(['a', 'b']);
    sessions.add('a');
    sessions.add('b');
    inSight.add('a');
    await pass();
    sessions.turn('a');
    sessions.turn('b');
    await pass();
    assert.deepEqual([...seen.all], ['b']);
    assert.ok((await kept.readMarks('a')).seenAt !== undefined);
    assert.equal((await kept.readMarks('b')).seenAt, undefined);
    inSight.add('b');
    seen.changed();
    await pass();
    assert.deepEqual([...seen.all], []);
    assert.ok((await kept.readMarks('b')).seenAt! <= clock.now());
  });

  it('are not reported for working sessions, nor for turns that the user stopped', async () => {
    const { sessions, seen, pass } = stage(['a', 'b']);
    const told: number[] = [];
    seen.onDidChange(() => told.push(seen.all.size));
    sessions.add('a');
    sessions.add('b');
    sessions.happen('a', { type: 'turn_started', turnId: 't' });
    sessions.turn('b', 'cancelled');
    await pass();
    assert.deepEqual(told, []);
    sessions.happen('a', { type: 'turn_ended', turnId: 't', stopReason: 'end_turn' });
    await pass();
    assert.deepEqual(told, [1]);
  });

  it('are kept when a reading that began before them ends after them', async () => {
    const { sessions, kept, marks, pass } = stage(['a']);
    sessions.add('a');
    await pass();
    let finish: () => void = () => undefined;
    const before = await kept.readMarks('a');
    kept.readMarks = () => new Promise((resolve) => (finish = () => resolve(before)));
    kept.tell();
    await pass();
    await marks.mark('a', { seenAt: 5 });
    const { readMarks } = FakeKept.prototype;
    kept.readMarks = readMarks;
    finish();
    await settled();
    assert.equal(marks.of('a')?.seenAt, 5);
  });

  it('can be reset to unread, even for a visible session, until it was hidden', async () => {
    const { sessions, seen, inSight, pass } = stage(['a']);
    sessions.add('a');
    inSight.add('a');
    sessions.turn('a');
    await pass();
    assert.equal(seen.all.size, 0);
    await seen.markUnread('a');
    await pass();
    assert.deepEqual([...seen.all], ['a']);
    inSight.delete('a');
    seen.changed();
    await pass();
    inSight.add('a');
    seen.changed();
    await pass();
    assert.equal(seen.all.size, 0);
  });
});
