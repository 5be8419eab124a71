import assert from 'node:assert/strict';
import type { Failure } from '../../../../src/core/model/failure';
import type { TransportEnd } from '../../../../src/core/model/transport';
import type { Outcome } from '../../../../src/acp/jsonrpc/rpc';
import { open, failureIn } from './openConnection';

describe('connection: requests of the client', () => {
  it('understands odd answers', () => {
    const cases: [string, Outcome<unknown>][] = [
      ['{"id":"1","result":{"a":1}}', { ok: true, value: { a: 1 } }],
      ['{"jsonrpc":"2.0","id":1,"result":{"a":1},"error":null}', { ok: true, value: { a: 1 } }],
      ['{"jsonrpc":"2.0","id":1}', { ok: true, value: undefined }],
      ['{"id":1,"result":null}', { ok: true, value: null }],
      ['{"id":1,"error":{"code":"-32000"}}', { ok: false, failure: { code: 'auth.required', params: { method: 'm', code: -32000 } } }],
      ['{"id":1,"error":{"code":"E_BAD"}}', { ok: false, failure: { code: 'request.failed', params: { method: 'm', code: -32603 } } }],
      ['{"id":1,"error":{}}', { ok: false, failure: { code: 'request.failed', params: { method: 'm', code: -32603 } } }],
      ['{"id":1,"error":null}', { ok: true, value: undefined }],
      ['{"id":1.0,"result":2}', { ok: true, value: 2 }],
      ['{"id":1e0,"result":2}', { ok: true, value: 2 }],
      ['{"jsonrpc":"1.0","id":1,"result":2,"error":null}', { ok: true, value: 2 }],
      ['{"id":1,"error":{"code":-32000}}', { ok: false, failure: { code: 'auth.required', params: { method: 'm', code: -32000 } } }],
      ['{"id":1,"error":"no"}', { ok: false, failure: { code: 'request.failed', params: { method: 'm', code: -32603 }, detail: 'no' } }],
      [
        '{"id":1,"error":{"message":"x"},"result":{}}',
        { ok: false, failure: { code: 'request.failed', params: { method: 'm', code: -32603 }, detail: 'x' } },
      ],
      [
        '{"id":1,"error":{"code":-32603,"message":"Internal error","data":{"details":"disk full"}}}',
        { ok: false, failure: { code: 'request.failed', params: { method: 'm', code: -32603 }, detail: 'Internal error\ndisk full' } },
      ],
      ...['{}', '[]', '""', 'null', '"{}"', '{"details":{}}', '{"details":" "}', '[{}]'].map((data): [string, Outcome<unknown>] => [
        `{"id":1,"error":{"code":-32603,"message":"Internal error: no","data":${data}}}`,
        { ok: false, failure: { code: 'request.failed', params: { method: 'm', code: -32603 }, detail: 'Internal error: no' } },
      ]),
      [
        '{"id":1,"error":{"code":-32603,"message":"no","data":{"details":{},"message":"why"}}}',
        { ok: false, failure: { code: 'request.failed', params: { method: 'm', code: -32603 }, detail: 'no\nwhy' } },
      ],
      [
        '{"id":1,"error":{"code":-32800,"message":"c"}}',
        { ok: false, failure: { code: 'request.cancelled', params: { method: 'm', code: -32800 }, detail: 'c' } },
      ],
    ];
    for (const [answer, expected] of cases) {
      const { transport, ask, outcomes } = open();
      ask('m');
      transport.feed(answer + '\n');
      assert.deepEqual(outcomes, [expected], answer);
    }
  });

  it('times out by the clock, sends a cancellation, and logs a late answer', () => {
    const { transport, clock, log, ask, outcomes } = open();
    ask('session/new', 1000);
    ask('session/prompt');
    clock.advance(999);
    assert.equal(outcomes.length, 0);
    clock.advance(1);
    assert.deepEqual(failureIn(outcomes[0]), { code: 'request.timeout', params: { method: 'session/new', ms: 1000 } });
    assert.deepEqual(transport.last, { jsonrpc: '2.0', method: '$/cancel_request', params: { requestId: 1 } });
    transport.feed('{"id":1,"result":{}}\n');
    assert.ok(log.lines.some((line) => line.includes('after its time limit')));
    clock.advance(1_000_000);
    assert.equal(outcomes.length, 1, 'a request without a limit waits');
  });

  it('pauses the time limits while a request of the agent is open', () => {
    const { transport, clock, ask, outcomes, requests } = open();
    ask('session/new', 1000);
    clock.advance(400);
    transport.feed('{"id":"p","method":"ask"}\n{"id":"q","method":"ask"}\n');
    clock.advance(100_000);
    requests[0]!.respond.result({});
    ask('session/list', 1000);
    clock.advance(100_000);
    assert.equal(outcomes.length, 0);
    requests[1]!.respond.result({});
    clock.advance(599);
    assert.equal(outcomes.length, 0);
    clock.advance(1);
    assert.deepEqual(
      outcomes.map((outcome) => failureIn(outcome)?.params?.method),
      ['session/new'],
    );
    clock.advance(400);
    assert.deepEqual(
      outcomes.map((outcome) => failureIn(outcome)?.params?.method),
      ['session/new', 'session/list'],
    );
  });

  it('asks the agent to cancel and keeps waiting for the answer', () => {
    const { transport, ask, outcomes } = open();
    const request = ask('session/new');
    request.cancel();
    assert.deepEqual(transport.last, { jsonrpc: '2.0', method: '$/cancel_request', params: { requestId: 1 } });
    assert.equal(outcomes.length, 0);
    transport.feed('{"id":1,"result":{"sessionId":"s"}}\n');
    assert.equal(outcomes[0]?.ok, true);
    request.cancel();
    assert.equal(transport.sent.length, 2, 'an answered request is not cancelled');
  });

  it('settles everything at once when the agent dies, with exit status and stderr tail', () => {
    const { transport, clock, trace, ask, outcomes, ends, happened, requests } = open();
    ask('session/new', 1000);
    ask('session/prompt');
    transport.feed('{"id":1,"method":"ask"}\n');
    trace.stderr('panic: out of luck');
    transport.finish({ exitCode: 3 });
    const failure: Failure = { code: 'agent.exited', params: { exitCode: 3 }, detail: 'panic: out of luck' };
    assert.deepEqual(outcomes, [
      { ok: false, failure },
      { ok: false, failure },
    ]);
    assert.deepEqual(ends, [{ end: { exitCode: 3 }, failure }]);
    assert.deepEqual(happened, ['request ask', 'settled session/new', 'settled session/prompt', 'end']);
    assert.ok(requests[0]!.signal.aborted);
    assert.equal(clock.running, 0, 'no timer is left');
    requests[0]!.respond.result({});
    assert.equal(transport.sent.length, 2, 'nothing is sent to the dead');
  });

  it("names the transport's own failure, the signal, or just that it closed", () => {
    const cases: [TransportEnd, Failure][] = [
      [{ failure: { code: 'agent.not_found' } }, { code: 'agent.not_found' }],
      [
        { signal: 'SIGKILL', stderrTail: 'bye' },
        { code: 'agent.exited', params: { signal: 'SIGKILL' }, detail: 'bye' },
      ],
      [{}, { code: 'connection.closed' }],
    ];
    for (const [end, failure] of cases) {
      const { transport, ask, outcomes } = open();
      ask('m');
      transport.finish(end);
      assert.deepEqual(outcomes, [{ ok: false, failure }]);
    }
  });

  it('fails a request after the end, later, without sending it', async () => {
    const { transport, ask, outcomes } = open();
    transport.finish();
    ask('m');
    assert.equal(outcomes.length, 0);
    await Promise.resolve();
    assert.equal(failureIn(outcomes[0])?.code, 'connection.closed');
    assert.equal(transport.sent.length, 0);
  });

  it('fails every pending request with the failure that dispose was given', () => {
    const { connection, ask, outcomes, ends, transport } = open();
    ask('m');
    connection.dispose({ code: 'agent.start_cancelled' });
    connection.dispose();
    transport.finish();
    assert.deepEqual(outcomes, [{ ok: false, failure: { code: 'agent.start_cancelled' } }]);
    assert.deepEqual(ends, []);
  });
});
