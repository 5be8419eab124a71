import assert from 'node:assert/strict';
import { Trace } from '../../../src/acp/trace';
import { FakeClock } from './support';

const kinds = (trace: Trace): string[] => [...trace.entries()].map(({ kind, text }) => `${kind} ${text}`);

describe('trace', () => {
  it('keeps frames, stderr and noise in the order they came', () => {
    const trace = new Trace(new FakeClock());
    trace.sent('{"id":1}');
    trace.stderr('warming up');
    trace.noise('hello');
    trace.received('{"id":1,"result":{}}');
    assert.deepEqual(kinds(trace), ['c2a {"id":1}', 'stderr warming up', 'noise hello', 'a2c {"id":1,"result":{}}']);
  });

  it('is bounded in number', () => {
    const trace = new Trace(new FakeClock(), { entries: 3 });
    for (let index = 0; index < 10; index++) {
      trace.received(String(index));
    }
    assert.deepEqual(kinds(trace), ['a2c 7', 'a2c 8', 'a2c 9']);
    assert.equal(trace.dropped, 7);
  });

  it('is bounded in size, and a huge frame leaves its beginning', () => {
    const trace = new Trace(new FakeClock(), { size: 100, entrySize: 40 });
    for (let index = 0; index < 5; index++) {
      trace.received('x'.repeat(1000));
    }
    const entries = [...trace.entries()];
    assert.equal(entries.length, 2);
    assert.deepEqual(entries.map(({ text, length }) => [text.length, length]), [[40, 1000], [40, 1000]]);
  });

  it('exports JSON lines with the frames as they were on the wire', () => {
    const clock = new FakeClock();
    const trace = new Trace(clock, { entrySize: 60 });
    trace.sent('{"id":9007199254740993,"method":"initialize"}');
    clock.advance(25);
    trace.stderr('a "quoted" line');
    trace.received('y'.repeat(61));
    trace.skipped(5000, '{"id":1');
    const lines = [...trace.jsonLines()];
    assert.equal(lines[0], '{"t":0,"dir":"c2a","msg":{"id":9007199254740993,"method":"initialize"}}');
    assert.deepEqual(JSON.parse(lines[1]!), { t: 25, dir: 'stderr', text: 'a "quoted" line' });
    assert.deepEqual(JSON.parse(lines[2]!), { t: 25, dir: 'a2c', text: 'y'.repeat(60), length: 61 });
    assert.deepEqual(JSON.parse(lines[3]!), { t: 25, dir: 'skipped', text: '{"id":1', length: 5000 });
  });

  it('quotes only the stderr after the last frame, and not without bound', () => {
    const trace = new Trace(new FakeClock());
    trace.stderr('chatter');
    trace.received('{}');
    trace.stderr('boom');
    trace.sent('{}');
    trace.stderr('at line 1');
    assert.equal(trace.trailingStderr(), 'boom\nat line 1');
    for (let index = 0; index < 1000; index++) {
      trace.stderr('z'.repeat(5000));
    }
    assert.ok(trace.trailingStderr().length < 50_000);
  });
});
