import { jsonLines } from '../../../../src/acp/trace/exportLines';
import assert from 'node:assert/strict';
import { Redaction } from '../../../../src/acp/redaction/redact';
import { Trace } from '../../../../src/acp/trace/trace';
import { Traces } from '../../../../src/acp/trace/traces';
import { FakeClock } from '../support';

const kinds = (trace: Trace): string[] => [...trace.entries()].map(({ kind, text }) => `${kind} ${text}`);

describe('trace', () => {
  it('keeps frames, stderr and noise in the order in which they arrive', () => {
    const trace = new Trace(new FakeClock());
    trace.sent('{"id":1}');
    trace.stderr('warming up');
    trace.noise('hello');
    trace.received('{"id":1,"result":{}}');
    assert.deepEqual(kinds(trace), ['c2a {"id":1}', 'stderr warming up', 'noise hello', 'a2c {"id":1,"result":{}}']);
  });

  it('is limited in number', () => {
    const trace = new Trace(new FakeClock(), { entries: 3 });
    for (let index = 0; index < 10; index++) {
      trace.received(String(index));
    }
    assert.deepEqual(kinds(trace), ['a2c 7', 'a2c 8', 'a2c 9']);
    assert.equal(trace.dropped, 7);
  });

  it('is limited in size, and keeps the beginning of a huge frame', () => {
    const trace = new Trace(new FakeClock(), { size: 100, entrySize: 40 });
    for (let index = 0; index < 5; index++) {
      trace.received('x'.repeat(1000));
    }
    const entries = [...trace.entries()];
    assert.equal(entries.length, 2);
    assert.deepEqual(
      entries.map(({ text, length }) => [text.length, length]),
      [
        [40, 1000],
        [40, 1000],
      ],
    );
  });

  it('exports JSON lines with the frames as they were on the wire', () => {
    const clock = new FakeClock();
    const trace = new Trace(clock, { entrySize: 60 });
    trace.sent('{"id":9007199254740993,"method":"initialize"}');
    clock.advance(25);
    trace.stderr('a "quoted" line');
    trace.received('y'.repeat(61));
    trace.skipped(5000, '{"id":1');
    const lines = [...jsonLines(trace)];
    assert.equal(lines[0], '{"t":0,"dir":"c2a","msg":{"id":9007199254740993,"method":"initialize"}}');
    assert.deepEqual(JSON.parse(lines[1]!), { t: 25, dir: 'stderr', text: 'a "quoted" line' });
    assert.deepEqual(JSON.parse(lines[2]!), { t: 25, dir: 'a2c', text: 'y'.repeat(60), length: 61 });
    assert.deepEqual(JSON.parse(lines[3]!), { t: 25, dir: 'skipped', text: '{"id":1', length: 5000 });
  });

  it('exports without secrets, with times relative to a given moment', () => {
    const clock = new FakeClock();
    const trace = new Trace(clock, { entrySize: 200 });
    trace.sent('{"id":18446744073709551616,"params":{"token":"t0"}}');
    trace.stderr('PASSWORD=abc');
    trace.noise('Bearer abcdefgh');
    trace.received(`{"apiKey":"abc","rest":"${'z'.repeat(500)}"}`);
    trace.skipped(9, '{"id":1,"x":"hidden-value');
    const lines = [...jsonLines(trace, { startedAt: clock.now() - 40, redaction: new Redaction(['hidden-value']) })];
    assert.equal(lines[0], '{"t":40,"dir":"c2a","msg":{"id":18446744073709551616,"params":{"token":"[redacted]"}}}');
    const texts = lines.slice(1).map((line) => (JSON.parse(line) as { text: string }).text);
    assert.deepEqual([texts[0], texts[1], texts[3]], ['PASSWORD=[redacted]', 'Bearer [redacted]', '{"id":1,"x":"[redacted]"']);
    assert.match(texts[2]!, /^\{"apiKey":"\[redacted\]","rest":"z+$/);
    assert.ok(
      [...trace.entries()].some(({ text }) => text.includes('PASSWORD=abc')),
      'the ring holds what was on the wire',
    );
  });

  it('numbers its entries, so that a follower continues where it stopped', () => {
    const trace = new Trace(new FakeClock(), { entries: 3 });
    let pulses = 0;
    trace.follow(() => pulses++);
    for (let index = 0; index < 5; index++) {
      trace.received(String(index));
    }
    assert.equal(pulses, 5);
    assert.equal(trace.next, 5);
    assert.deepEqual(
      [...trace.entries(3)].map(({ text }) => text),
      ['3', '4'],
    );
    assert.deepEqual(
      [...trace.entries(0)].map(({ text }) => text),
      ['2', '3', '4'],
    );
    const seen: string[] = [];
    for (const { text } of trace.entries()) {
      seen.push(text);
      trace.received('new');
      trace.received('new');
    }
    assert.deepEqual(seen, ['2', '4'], 'it ends although the ring moves on, and passes over what was let go of');
  });

  it('quotes only the stderr after the last frame, up to a bound', () => {
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

  it('quotes stdout that is no message with the stderr between its lines, up to a bound', () => {
    const trace = new Trace(new FakeClock());
    trace.noise('before');
    trace.received('{}');
    trace.stderr('warning');
    assert.equal(trace.trailingOutput(), undefined, 'nothing on stdout');
    trace.noise('Usage: tool [options]');
    trace.stderr('bye');
    assert.equal(trace.trailingOutput(), 'warning\nUsage: tool [options]\nbye');
    assert.equal(trace.trailingStderr(), 'warning\nbye');
    for (let index = 0; index < 1000; index++) {
      trace.noise('z'.repeat(5000));
    }
    assert.ok(trace.trailingOutput()!.length < 50_000);
    trace.received('{}');
    assert.equal(trace.trailingOutput(), undefined);
  });
});

describe('the traces of the window', () => {
  const secrets = ['hush'];
  const launch = (agentName: string) => ({
    agentId: agentName,
    agentName,
    commandLine: `${agentName} --api-key abc`,
    cwd: '/w',
    secrets: () => secrets,
  });

  it('name their agents without secrets', () => {
    const clock = new FakeClock();
    const traces = new Traces(clock);
    const { trace, ended } = traces.add(launch('one'));
    const [one] = traces.all;
    assert.deepEqual(
      [one?.agentName, one?.commandLine, one?.cwd, one?.startedAt, one?.endedAt],
      ['one', 'one --api-key [redacted]', '/w', clock.now(), undefined],
    );
    assert.equal(one?.redaction.text('say hush'), 'say [redacted]');
    assert.equal(one?.redaction.text('say later-secret'), 'say later-secret');
    secrets.push('later-secret');
    assert.equal(one?.redaction.text('say later-secret'), 'say [redacted]');
    assert.ok(!one?.redaction.frame('{"a":"later-se', { fromClient: false, cut: true }).includes('later-se'));
    assert.ok(!JSON.stringify({ ...one, redaction: undefined }).includes('hush'));
    let told = 0;
    trace.follow(() => told++);
    clock.advance(5);
    ended();
    clock.advance(5);
    ended();
    assert.equal(traces.all[0]?.endedAt, clock.now() - 5);
    assert.equal(told, 1);
  });

  it('include every running agent and the last few that ended', () => {
    const clock = new FakeClock();
    const traces = new Traces(clock);
    const added = Array.from({ length: 9 }, (_, index) => traces.add(launch(`a${index}`)));
    for (const index of [7, 0, 1, 2, 3, 4]) {
      clock.advance(1);
      added[index]!.ended();
    }
    assert.deepEqual(
      traces.all.map(({ agentName }) => agentName),
      ['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a8'],
    );
  });
});
