import assert from 'node:assert/strict';
import { TraceFollower } from '../../../../src/acp/trace/follower';
import { exportLines } from '../../../../src/acp/trace/exportLines';
import { Traces } from '../../../../src/acp/trace/traces';
import { FakeClock } from '../support';

function stage(): {
  clock: FakeClock;
  add: () => ReturnType<Traces['add']>;
  follow: () => { lines: string[]; follower: TraceFollower };
  traces: Traces;
} {
  const clock = new FakeClock();
  const traces = new Traces(clock);
  const add = (): ReturnType<Traces['add']> =>
    traces.add({ agentId: 'A', agentName: 'A', commandLine: 'a', cwd: '/w', secrets: () => ['hush'] });
  const follow = (): { lines: string[]; follower: TraceFollower } => {
    const lines: string[] = [];
    const sink = {
      line: ({ text }: { text: string }) => void lines.push(text.slice(15)),
      hidden: (count: number) => void lines.push(`hidden ${count}`),
      ended: () => void lines.push('ended'),
    };
    return { lines, follower: new TraceFollower(traces.all[0]!, sink, clock) };
  };
  return { clock, add, follow, traces };
}

describe('following a trace', () => {
  it('shows earlier entries, then new ones, and costs nothing after the end', () => {
    const { clock, add, follow } = stage();
    const { trace, ended } = add();
    trace.stderr('before');
    const { lines } = follow();
    assert.deepEqual(lines, ['stderr: before']);
    trace.stderr('after');
    trace.stderr('say hush');
    assert.equal(lines.length, 1, 'not in the middle of a frame');
    clock.advance(200);
    assert.deepEqual(lines.slice(1), ['stderr: after', 'stderr: say [redacted]']);
    assert.equal(clock.running, 0);
    trace.stderr('last words');
    ended();
    clock.advance(200);
    assert.deepEqual(lines.slice(3), ['stderr: last words', 'ended']);
    assert.deepEqual([trace.isFollowed, clock.running], [false, 0]);
  });

  it('shows all of an agent that has ended', () => {
    const { clock, add, follow } = stage();
    const { trace, ended } = add();
    for (let index = 0; index < 1000; index++) {
      trace.stderr(String(index));
    }
    ended();
    const { lines } = follow();
    assert.equal(lines.length, 200, 'the window waits for a portion only');
    for (let tick = 0; tick < 10; tick++) {
      clock.advance(10);
    }
    assert.deepEqual([lines.length, lines[999], lines[1000]], [1001, 'stderr: 999', 'ended']);
  });

  it('skips entries that arrive too fast, and shows how many', () => {
    const { clock, add, follow } = stage();
    const { trace } = add();
    const { lines } = follow();
    for (let index = 0; index < 10_000; index++) {
      trace.stderr(String(index));
    }
    assert.equal(clock.running, 1);
    clock.advance(200);
    assert.deepEqual([lines.length, lines[0], lines[1], lines[200]], [201, 'hidden 9800', 'stderr: 9800', 'stderr: 9999']);
    for (let index = 0; index < 5; index++) {
      trace.stderr('calm');
    }
    clock.advance(200);
    assert.equal(lines.length, 206);
  });

  it('shows how many entries left the ring buffer before they were shown', () => {
    const { clock, add, follow } = stage();
    const { trace } = add();
    for (let index = 0; index < 4000; index++) {
      trace.stderr(String(index));
    }
    const { lines } = follow();
    for (let index = 0; index < 3900; index++) {
      trace.stderr('new');
    }
    clock.advance(10);
    assert.deepEqual(lines.slice(198, 203), ['stderr: 198', 'stderr: 199', 'hidden 3700', 'stderr: 3900', 'stderr: 3901']);
  });

  it('ends when the follower is disposed', () => {
    const { clock, add, follow } = stage();
    const { trace } = add();
    const { lines, follower } = follow();
    trace.stderr('x');
    follower.dispose();
    trace.stderr('y');
    clock.advance(1000);
    assert.deepEqual([lines, trace.isFollowed, clock.running], [[], false, 0]);
  });
});

describe('an export', () => {
  it("begins with a header, and has times relative to the agent's start", () => {
    const { clock, add, traces } = stage();
    const startedAt = new Date(clock.now()).toISOString();
    const { trace, ended } = add();
    clock.advance(50);
    trace.sent('{"id":1,"params":{"apiKey":"x","text":"hush"}}');
    clock.advance(1);
    ended();
    const [header, ...lines] = exportLines(traces.all[0]!, '1.2.3');
    const endedAt = new Date(clock.now()).toISOString();
    assert.deepEqual(JSON.parse(header!), {
      acpHostTrace: 1,
      agent: 'A',
      command: 'a',
      cwd: '/w',
      startedAt,
      endedAt,
      redacted: true,
      dropped: 0,
      version: '1.2.3',
    });
    assert.deepEqual(lines, ['{"t":50,"dir":"c2a","msg":{"id":1,"params":{"apiKey":"[redacted]","text":"[redacted]"}}}']);
  });
});
