import assert from 'node:assert/strict';
import type { SessionEvent } from '../../../../src/core/model/event';
import { reduce } from '../../../../src/core/reduce/reduce';
import { bodiesOf, terminalsOf, toSnapshot } from '../../../../src/core/protocol/snapshot';
import { EMPTY_STATE, isAbsent } from '../../../../src/core/model/state';
import type { FromView } from '../../../../src/core/protocol/view';
import { Mirror } from '../../../../webview/state/mirror';
import { chunk, stamped } from '../../../support/events';

const text = (messageId: string, words = messageId): SessionEvent => stamped([chunk(words, messageId)], 1000)[0]!;

function setUp(tail = 2) {
  const posted: FromView[] = [];
  const frames: (() => void)[] = [];
  const painted: (() => void)[] = [];
  const mirror = new Mirror({
    post: (message) => posted.push(message),
    schedule: (callback) => frames.push(callback),
    afterPaint: (callback) => painted.push(callback),
    now: () => 1000,
  });
  const events = ['a', 'b', 'c', 'd'].map((messageId) => text(messageId));
  const state = events.reduce(reduce, EMPTY_STATE);
  mirror.receive({ type: 'snapshot', seq: events.length, snapshot: toSnapshot(state, { tail }) });
  const frame = () => frames.splice(0).forEach((callback) => callback());
  const paint = () => painted.splice(0).forEach((callback) => callback());
  return { mirror, posted, frame, paint, state, seq: events.length };
}

describe('mirror', () => {
  it('applies envelopes to the snapshot', () => {
    const { mirror, seq, state } = setUp();
    const kept = mirror.state.entries.at(3);
    mirror.receive({ type: 'events', seq, next: seq + 1, events: [text('e')] });
    assert.equal(mirror.state.entries.length, 5);
    assert.equal(mirror.state.entries.at(3), kept);
    assert.ok(state);
  });

  it('requests a snapshot once after a gap, with the visible entries, and ignores earlier messages', () => {
    const { mirror, seq, posted, state } = setUp();
    mirror.onScreen = () => ['agent:d'];
    mirror.receive({ type: 'events', seq: seq + 1, next: seq + 2, events: [text('f')] });
    mirror.receive({ type: 'events', seq: seq + 2, next: seq + 3, events: [text('g')] });
    assert.deepEqual(posted, [{ type: 'resync', want: ['agent:d'] }]);
    assert.equal(mirror.state.entries.length, 4);
    const later = [text('e'), text('f'), text('g')].reduce(reduce, state);
    mirror.receive({ type: 'snapshot', seq: seq + 3, snapshot: toSnapshot(later, { tail: 2 }) });
    assert.equal(mirror.state.entries.length, 7);
  });

  it('reports the drawn events once per frame, after the paint', () => {
    const { mirror, seq, posted, frame, paint } = setUp();
    mirror.receive({ type: 'events', seq, next: seq + 1, events: [text('e')] });
    mirror.receive({ type: 'events', seq: seq + 1, next: seq + 3, events: [text('f'), text('g')] });
    paint();
    assert.deepEqual(posted, []);
    frame();
    assert.deepEqual(posted, []);
    paint();
    assert.deepEqual(posted, [{ type: 'drawn', seq: seq + 3 }]);
    mirror.receive({ type: 'editor', fileName: 'a.ts' });
    frame();
    paint();
    assert.equal(posted.length, 1);
  });

  it('reports known envelopes as drawn', () => {
    const { mirror, seq, posted, frame, paint } = setUp();
    frame();
    paint();
    mirror.receive({ type: 'events', seq: seq - 1, next: seq, events: [text('d', ' again')] });
    frame();
    paint();
    assert.deepEqual(posted, Array(2).fill({ type: 'drawn', seq }));
  });

  it('drops known envelopes', () => {
    const { mirror, seq, posted } = setUp();
    mirror.receive({ type: 'events', seq: seq - 1, next: seq, events: [text('d', ' again')] });
    assert.equal(mirror.state.entries.length, 4);
    assert.deepEqual(posted, []);
  });

  it('requests absent bodies, each once, together in one message', async () => {
    const { mirror, seq, posted, state } = setUp();
    mirror.want(['agent:a']);
    mirror.want(['agent:a', 'agent:b', 'agent:d', 'agent:unheard']);
    await Promise.resolve();
    mirror.want(['agent:a']);
    await Promise.resolve();
    assert.deepEqual(posted, [{ type: 'bodies', entryIds: ['agent:a', 'agent:b'] }]);
    mirror.receive({ type: 'bodies', seq, bodies: bodiesOf(state, ['agent:a']) });
    assert.ok(!isAbsent(mirror.state.entries.at(0)!));
    assert.ok(isAbsent(mirror.state.entries.at(1)!));
  });

  it('ignores outdated bodies', async () => {
    const { mirror, seq, posted, state } = setUp();
    mirror.want(['agent:a']);
    await Promise.resolve();
    mirror.receive({ type: 'events', seq, next: seq + 1, events: [text('a', ' and more')] });
    mirror.receive({ type: 'bodies', seq, bodies: bodiesOf(state, ['agent:a']) });
    await Promise.resolve();
    assert.ok(isAbsent(mirror.state.entries.at(0)!));
    assert.equal(posted.filter((message) => message.type === 'bodies').length, 2);
  });

  it('requests the output of a terminal that came without, once, and ignores an outdated one', () => {
    const { mirror, posted } = setUp();
    const host = [
      ...Array.from(
        { length: 3 },
        (_, n): SessionEvent => ({ type: 'terminal_update', at: 1, terminalId: `${n}`, output: 'x'.repeat(10) }),
      ),
    ].reduce(reduce, EMPTY_STATE);
    mirror.receive({ type: 'snapshot', seq: 3, snapshot: toSnapshot(host, { tail: 2, output: 10 }) });
    mirror.wantTerminal('2');
    mirror.wantTerminal('0');
    mirror.wantTerminal('0');
    assert.deepEqual(posted, [{ type: 'terminals', terminalIds: ['0'] }]);
    const more: SessionEvent = { type: 'terminal_output', at: 2, terminalId: '0', text: 'y' };
    mirror.receive({ type: 'events', seq: 3, next: 4, events: [more] });
    mirror.receive({ type: 'terminals', seq: 3, terminals: terminalsOf(host, ['0']) });
    assert.equal(posted.length, 2);
    mirror.receive({ type: 'terminals', seq: 4, terminals: terminalsOf(reduce(host, more), ['0']) });
    assert.equal(mirror.state.terminals['0']!.output, 'xxxxxxxxxxy');
  });

  it('notifies its listeners once per frame', () => {
    const { mirror, seq, frame } = setUp();
    frame();
    let told = 0;
    mirror.subscribe(() => told++);
    mirror.receive({ type: 'events', seq, next: seq + 1, events: [text('e')] });
    mirror.receive({ type: 'events', seq: seq + 1, next: seq + 2, events: [text('f')] });
    frame();
    assert.equal(told, 1);
  });
});
