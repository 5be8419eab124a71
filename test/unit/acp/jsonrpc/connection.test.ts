import assert from 'node:assert/strict';
import { fault } from '../../../../src/core/model/failure';
import type { Failure } from '../../../../src/core/model/failure';
import type { TransportEnd } from '../../../../src/core/model/transport';
import { Connection } from '../../../../src/acp/jsonrpc/connection';
import type { Peer } from '../../../../src/acp/jsonrpc/connection';
import type { Respond } from '../../../../src/acp/jsonrpc/incoming';
import type { Outcome } from '../../../../src/acp/jsonrpc/rpc';
import { Trace } from '../../../../src/acp/trace/trace';
import { ndjson } from '../../../../src/acp/transport/ndjson';
import { FakeClock, FakeLog, FakeTransport } from '../support';

interface Request {
  method: string;
  params: unknown;
  respond: Respond;
  signal: AbortSignal;
}

/** A connection whose peer writes down what happens; requests stay open until the test answers them. */
function open(options: { maxLineBytes?: number; peer?: Partial<Peer> } = {}) {
  const transport = new FakeTransport(false);
  const clock = new FakeClock();
  const log = new FakeLog();
  const trace = new Trace(clock);
  const happened: string[] = [];
  const requests: Request[] = [];
  const ends: { end: TransportEnd; failure: Failure }[] = [];
  const connection = new Connection(
    ndjson(transport, options.maxLineBytes),
    {
      onRequest: (method, params, respond, signal) => {
        happened.push(`request ${method}`);
        requests.push({ method, params, respond, signal });
      },
      onNotification: (method, params) => happened.push(`notification ${method} ${JSON.stringify(params)}`),
      onEnd: (end, failure) => {
        happened.push('end');
        ends.push({ end, failure });
      },
      ...options.peer,
    },
    { clock, log, trace },
  );
  const outcomes: Outcome<unknown>[] = [];
  const ask = (method: string, timeoutMs?: number) =>
    connection.request(method, {}, { ...(timeoutMs !== undefined && { timeoutMs }) }, (outcome) => {
      happened.push(`settled ${method}`);
      outcomes.push(outcome);
    });
  return { transport, clock, log, trace, connection, happened, requests, ends, outcomes, ask };
}

const failureIn = (outcome: Outcome<unknown> | undefined): Failure | undefined => (outcome && !outcome.ok ? outcome.failure : undefined);

describe('connection: order', () => {
  it('handles notifications, responses and requests synchronously in wire order', () => {
    const { transport, happened, ask } = open();
    ask('session/prompt');
    const frames = [
      '{"jsonrpc":"2.0","method":"u","params":{"n":1}}',
      '{"jsonrpc":"2.0","id":"a","method":"ask"}',
      '{"jsonrpc":"2.0","method":"u","params":{"n":2}}',
      '{"jsonrpc":"2.0","id":1,"result":{}}',
      '{"jsonrpc":"2.0","method":"u","params":{"n":3}}',
    ];
    transport.feed(frames.join('\n') + '\n');
    assert.deepEqual(happened, [
      'notification u {"n":1}',
      'request ask',
      'notification u {"n":2}',
      'settled session/prompt',
      'notification u {"n":3}',
    ]);
  });

  it('keeps the order of 10,000 updates among requests and a response, and delivers the tail before the end', () => {
    const { transport, happened, ask } = open();
    ask('session/prompt');
    const expected: string[] = [];
    let text = '';
    for (let index = 0; index < 10_000; index++) {
      text += `{"jsonrpc":"2.0","method":"u","params":${index}}\n`;
      expected.push(`notification u ${index}`);
      if (index % 100 === 0) {
        text += `{"jsonrpc":"2.0","id":"r${index}","method":"ask"}\n`;
        expected.push('request ask');
      }
      if (index === 7777) {
        text += '{"jsonrpc":"2.0","id":1,"result":{}}\n';
        expected.push('settled session/prompt');
      }
    }
    const whole = Buffer.from(text + '{"jsonrpc":"2.0","method":"tail"}');
    for (let at = 0; at < whole.length; at += 777) {
      transport.feed(whole.subarray(at, at + 777));
    }
    transport.finish({ exitCode: 0 });
    assert.deepEqual(happened, [...expected, 'notification tail undefined', 'end']);
  });

  it('goes on after a listener threw', () => {
    const seen: unknown[] = [];
    const { transport, log } = open({
      peer: {
        onNotification: (_method, params) => {
          if (params === 'bad') {
            throw new Error('listener broke');
          }
          seen.push(params);
        },
      },
    });
    transport.feed('{"method":"u","params":"bad"}\n{"method":"u","params":"good"}\n');
    assert.deepEqual(seen, ['good']);
    assert.ok(log.lines.some((line) => line.includes('listener broke')));
  });

  it('goes on after a listener broke in a response, a request and at the end', () => {
    const { transport, connection, log, happened } = open({
      peer: {
        onRequest: () => {
          throw new RangeError('listener broke');
        },
        onEnd: () => {
          throw new Error('end broke');
        },
      },
    });
    connection.request('m', {}, {}, () => {
      throw new Error('settled broke');
    });
    transport.feed('{"id":1,"result":{}}\n{"id":5,"method":"ask"}\n{"method":"u"}\n');
    transport.finish();
    assert.deepEqual(transport.sent.slice(1), ['{"jsonrpc":"2.0","id":5,"error":{"code":-32603,"message":"internal: listener broke"}}']);
    assert.deepEqual(happened, ['notification u undefined']);
    assert.deepEqual(
      ['settled broke', 'end broke'].map((what) => log.lines.some((line) => line.includes(what))),
      [true, true],
    );
  });

  it('ends once when a listener disposes it over the last line', () => {
    const happened: string[] = [];
    const { transport, connection, outcomes, ask } = open({
      peer: {
        onNotification: (method) => {
          happened.push(method);
          connection.dispose();
        },
        onEnd: () => happened.push('end'),
      },
    });
    ask('m');
    transport.feed('{"method":"last"}');
    transport.finish({ exitCode: 1 });
    assert.deepEqual(happened, ['last']);
    assert.deepEqual(outcomes, [{ ok: false, failure: { code: 'connection.disposed' } }]);
  });

  it('says nothing to an agent that is gone, and shows nothing as said in the trace', () => {
    const { transport, trace, requests, ask } = open();
    transport.feed('{"id":1,"method":"ask"}\n{"id":2,"method":"cut o');
    transport.finish({ exitCode: 0 });
    requests[0]!.respond.result({});
    ask('m');
    assert.deepEqual(transport.sent, []);
    assert.deepEqual(
      [...trace.entries()].map(({ kind }) => kind),
      ['a2c', 'noise'],
    );
  });

  it('delivers nothing more once disposed in the middle of a chunk', () => {
    const happened: string[] = [];
    const { transport, connection } = open({
      peer: {
        onNotification: (method) => {
          happened.push(method);
          connection.dispose();
        },
      },
    });
    transport.feed('{"method":"a"}\n{"method":"b"}\n');
    transport.finish();
    assert.deepEqual(happened, ['a']);
    assert.ok(transport.disposed);
  });
});

describe('connection: what the agent may get wrong', () => {
  /** The frames sent in answer to `text`. */
  function answersTo(text: string): unknown[] {
    const { transport } = open({ peer: { onRequest: (method, _params, respond) => respond.result({ method }) } });
    transport.feed(text + '\n{"jsonrpc":"2.0","id":"after","method":"ping"}\n');
    const sent = transport.sent.map((json) => JSON.parse(json) as Record<string, unknown>);
    assert.deepEqual(sent.pop(), { jsonrpc: '2.0', id: 'after', result: { method: 'ping' } }, 'the connection lives');
    return sent;
  }
  const error = (id: unknown, code: number): object => ({ id, code });
  const codes = (text: string): object[] =>
    answersTo(text).map((frame) => {
      const { id, error: inner } = frame as { id: unknown; error?: { code: number; message: string } };
      assert.ok(inner && inner.message.length > 0, JSON.stringify(frame));
      return error(id, inner.code);
    });

  it('answers JSON that is no object, and not for ever', () => {
    for (const value of ['42', 'null', 'true', '"x"', '[]']) {
      assert.deepEqual(
        answersTo(value)
          .map((answer) => JSON.stringify(answer))
          .map((json) => /"id":null/.test(json) && /-32600/.test(json)),
        [true],
        value,
      );
    }
    assert.equal(answersTo('7\n'.repeat(1000)).length, 1000, 'a thousand are answered each');
    // Then those whose number is a power of two: 1024, 2048, 4096 and 8192.
    assert.equal(answersTo('7\n'.repeat(10_000)).length, 1004);
  });

  it('answers noise with nothing', () => {
    for (const noise of ['Listening on port 3', '[INFO] ready', '{ level: "info" }', '42 files', '{"level":"info","msg":"started"}']) {
      assert.deepEqual(answersTo(noise), [], noise);
    }
  });

  it('answers a broken message with the parse error', () => {
    assert.deepEqual(codes('{"jsonrpc":"2.0","id":5,"method":"fs/read'), [error(null, -32700)]);
    assert.deepEqual(codes('[{"jsonrpc":"2.0","id":5},{"jsonrpc"'), [error(null, -32700)]);
  });

  it('answers lines that may be broken messages, and not for ever', function () {
    this.timeout(30_000); // Other work may share the machine.
    const { transport } = open();
    transport.feed('{"looks": like one\n'.repeat(100_000));
    assert.ok(transport.sent.length > 16 && transport.sent.length < 40, String(transport.sent.length));
    const before = transport.sent.length;
    transport.feed('{"jsonrpc":"2.0","method\n'.repeat(50));
    assert.equal(transport.sent.length, before + 50, 'what says that it is one is always answered');
  });

  it('takes a malformed request for one, also when a request of ours has its id', () => {
    for (const text of [
      '{"jsonrpc":"2.0","id":1,"method":7}',
      '{"jsonrpc":"2.0","id":1,"params":{}}',
      '{"jsonrpc":"2.0","id":1,"method":null,"params":{}}',
    ]) {
      const { transport, ask, outcomes } = open();
      ask('session/prompt');
      transport.feed(text + '\n');
      assert.equal((transport.last.error as { code: number }).code, -32600, text);
      assert.deepEqual(outcomes, [], text);
    }
  });

  it('answers a malformed request with its id when it had one', () => {
    assert.deepEqual(codes('{"jsonrpc":"2.0","id":5}'), [error(5, -32600)]);
    assert.deepEqual(codes('{"jsonrpc":"2.0","id":"x","method":7}'), [error('x', -32600)]);
    assert.deepEqual(codes('{"jsonrpc":"2.0","method":1,"params":"bar"}'), [error(null, -32600)]);
    assert.deepEqual(codes('{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}'), [error(null, -32600)]);
    assert.deepEqual(codes('{"jsonrpc":"1.0","id":3,"method":"ping"}'), [error(3, -32600)]);
  });

  it('answers a batch, which ACP does not use, once', () => {
    assert.deepEqual(codes('[]'), [error(null, -32600)]);
    assert.deepEqual(codes('[{"jsonrpc":"2.0","id":1,"method":"a"},{"jsonrpc":"2.0","id":2,"method":"b"}]'), [error(null, -32600)]);
  });

  it('answers requests without jsonrpc, with id null, 0, fraction, text and large integers exactly', () => {
    for (const id of ['0', 'null', '1.5', '-3', '"0"', '"a\\"b"', '9007199254740993', '123456789012345678901234567890']) {
      const { transport } = open({ peer: { onRequest: (_method, _params, respond) => respond.result({}) } });
      transport.feed(`{"id":${id},"method":"ping","params":{"id":7}}\n`);
      assert.deepEqual(transport.sent, [`{"jsonrpc":"2.0","id":${id},"result":{}}`]);
    }
  });

  it('carries out no request whose bytes were damaged, and still hears notifications', () => {
    const { transport, happened } = open();
    transport.feed(
      Buffer.concat([Buffer.from('{"id":1,"method":"fs/write_text_file","params":{"content":"'), Buffer.of(0xff), Buffer.from('"}}\n')]),
    );
    transport.feed(Buffer.concat([Buffer.from('{"method":"u","params":"'), Buffer.of(0xff), Buffer.from('"}\n')]));
    assert.deepEqual(
      transport.sent.map((json) => (JSON.parse(json) as { id: unknown; error: { code: number } }).error.code),
      [-32700],
    );
    assert.deepEqual(happened, ['notification u "\ufffd"']);
  });

  it('answers a request in a line that is too long, and fails our request when its answer is', () => {
    const { transport, ask, outcomes, happened, trace } = open({ maxLineBytes: 200 });
    const pad = 'x'.repeat(500);
    ask('session/load');
    transport.feed(`{"jsonrpc":"2.0","id":77,"method":"fs/write_text_file","params":{"content":"${pad}"}}\n`);
    transport.feed(`{"jsonrpc":"2.0","method":"session/update","params":{"content":"${pad}"}}\n`);
    assert.equal(transport.sent.length, 2);
    assert.deepEqual([transport.last.id, (transport.last.error as { code: number }).code], [77, -32600]);
    transport.feed(`{"jsonrpc":"2.0","id":1,"result":{"content":"${pad}"}}\n{"method":"after"}\n`);
    assert.equal(failureIn(outcomes[0])?.code, 'protocol.bad_answer');
    assert.equal(transport.sent.length, 2, 'an answer is not answered');
    assert.deepEqual(happened, ['settled session/load', 'notification after undefined']);
    assert.equal([...trace.entries()].filter(({ kind }) => kind === 'skipped').length, 3);
  });

  it('answers a request in a line that is too long wherever its id stands', () => {
    const pad = `"params":{"content":"${'x'.repeat(5000)}"}`;
    const cases: [string, string[]][] = [
      [`{"jsonrpc":"2.0","id":9007199254740993,"method":"m",${pad}}`, ['9007199254740993']],
      [`{"jsonrpc":"2.0","method":"m",${pad},"id":9007199254740993}`, ['9007199254740993']],
      [`{${pad},"method":"m","id":"a\\"}","jsonrpc":"2.0"}`, ['"a\\"}"']],
      [`\ufeff{"id":"b","method":"m",${pad}}`, ['"b"']],
      [`{"jsonrpc":"2.0","method":"m",${pad} , "id" : 3 } `, ['3']],
      [`{"jsonrpc":"2.0","method":"m",${pad}}`, []],
      [`{"jsonrpc":"2.0","method":"m","params":{"text":"${'x'.repeat(5000)},\\"id\\":5}"}}`, []],
      [`{"jsonrpc":"2.0","method":"m","params":{"text":"${'x'.repeat(5000)}","inner":{"a":1,"id":5}}}`, []],
      [`{"jsonrpc":"2.0","id":{"a":1},"method":"m",${pad}}`, []],
      [`{"jsonrpc":"2.0","id":7,"result":"${'x'.repeat(5000)}"}`, []],
      [`{"jsonrpc":"2.0","error":{"message":"${'x'.repeat(5000)}"},"id":7}`, []],
      [`${'noise'.repeat(1000)},"id":5}`, []],
    ];
    for (const [text, ids] of cases) {
      for (const size of [100, 1000, 100_000]) {
        const { transport, happened } = open({ maxLineBytes: 200 });
        const whole = Buffer.from(`${text}\n{"method":"after"}\n`);
        for (let at = 0; at < whole.length; at += size) {
          transport.feed(whole.subarray(at, at + size));
        }
        assert.deepEqual(
          transport.sent.map((json) => /"id":(.*),"error":\{"code":-32600/.exec(json)?.[1]),
          // What only the middle has is not seen: with these sizes the beginning is kept up to the first piece that is too much.
          ids,
          text.slice(0, 60),
        );
        assert.deepEqual(happened, ['notification after undefined']);
      }
    }
  });

  it('fails a request of ours whose answer was too long wherever its id stands', () => {
    for (const text of [
      `{"jsonrpc":"2.0","id":1,"result":"${'x'.repeat(5000)}"}`,
      `{"jsonrpc":"2.0","result":"${'x'.repeat(5000)}","id":"1"}`,
      `{"error":{"data":"${'x'.repeat(5000)}"},"id":1}`,
    ]) {
      const { transport, ask, outcomes } = open({ maxLineBytes: 200 });
      ask('session/load');
      transport.feed(text + '\n');
      assert.equal(failureIn(outcomes[0])?.code, 'protocol.bad_answer', text.slice(0, 60));
    }
  });

  it('cuts what is nested too deeply and takes the rest of the message', () => {
    const params: unknown[] = [];
    const { transport, log } = open({ peer: { onNotification: (_method, value) => params.push(value) } });
    const deep = (levels: number): string => '{"a":['.repeat(levels / 2) + ']}'.repeat(levels / 2);
    transport.feed(`{"method":"u","params":{"deep":${deep(100_000)},"beside":1}}\n{"method":"u","params":{"deep":${deep(200)}}}\n`);
    const [cut, whole] = params as { deep: unknown; beside?: number }[];
    assert.equal(cut?.beside, 1);
    assert.ok(JSON.stringify(cut).includes('…'));
    assert.equal(JSON.stringify(whole), `{"deep":${deep(200)}}`);
    assert.equal(log.lines.filter((line) => line.includes('nested too deeply')).length, 1);
  });

  it('logs strays and late, repeated answers, and answers none of them', () => {
    const { transport, log, ask, outcomes } = open();
    ask('a');
    transport.feed('{"id":99,"result":{}}\n{"id":null,"error":{"code":-32700,"message":"?"}}\n{"id":1,"result":1}\n{"id":1,"result":2}\n');
    assert.deepEqual(outcomes, [{ ok: true, value: 1 }]);
    assert.equal(transport.sent.length, 1);
    assert.equal(log.lines.filter((line) => line.includes('An answer to nothing we asked')).length, 3);
  });

  it('answers both of two requests with one id', () => {
    const { transport, requests, log } = open();
    transport.feed('{"id":0,"method":"a"}\n{"id":0,"method":"b"}\n');
    requests[0]!.respond.result('first');
    requests[1]!.respond.result('second');
    assert.deepEqual(transport.sent, ['{"jsonrpc":"2.0","id":0,"result":"first"}', '{"jsonrpc":"2.0","id":0,"result":"second"}']);
    assert.ok(log.lines.some((line) => line.includes('still in use')));
  });

  it('keeps the log short when noise does not end', () => {
    const { transport, log } = open();
    transport.feed('noise\n'.repeat(100_000));
    assert.ok(log.lines.length < 40, String(log.lines.length));
  });
});

describe('connection: our requests', () => {
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

  it('times out by the clock, tells the agent, and knows a late answer', () => {
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

  it('stops the limits while we owe the agent an answer', () => {
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

  it('asks the agent to cancel and keeps waiting for what it answers', () => {
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

  it('gives what dispose was told to everything that waits', () => {
    const { connection, ask, outcomes, ends, transport } = open();
    ask('m');
    connection.dispose({ code: 'agent.start_cancelled' });
    connection.dispose();
    transport.finish();
    assert.deepEqual(outcomes, [{ ok: false, failure: { code: 'agent.start_cancelled' } }]);
    assert.deepEqual(ends, []);
  });
});

describe("connection: the agent's requests", () => {
  it('turns what is thrown into the error it stands for', () => {
    const thrown: [unknown, number][] = [
      [fault('fs.not_found', {}, { rpcCode: -32002, message: 'Resource not found' }), -32002],
      [new Error('broken'), -32603],
    ];
    for (const [what, code] of thrown) {
      const { transport } = open({
        peer: {
          onRequest: () => {
            throw what;
          },
        },
      });
      transport.feed('{"id":1,"method":"m"}\n');
      assert.equal((transport.last.error as { code: number }).code, code);
    }
  });

  it('aborts a cancelled request and answers it -32800 when its listener fails', () => {
    const { transport, requests } = open();
    transport.feed('{"id":9007199254740993,"method":"ask"}\n{"id":9007199254740992,"method":"ask"}\n');
    transport.feed('{"method":"$/cancel_request","params":{"requestId":9007199254740993}}\n');
    assert.deepEqual(
      requests.map(({ signal }) => signal.aborted),
      [true, false],
    );
    requests[0]!.respond.error(fault('internal'));
    assert.match(transport.sent[0]!, /"id":9007199254740993,"error":\{"code":-32800/);
  });

  it('sends the result of a cancelled request that succeeds all the same', () => {
    const { transport, requests } = open();
    transport.feed('{"id":"1","method":"ask"}\n{"method":"$/cancel_request","params":{"requestId":"1"}}\n');
    requests[0]!.respond.result({ outcome: { outcome: 'cancelled' } });
    assert.deepEqual(transport.last.result, { outcome: { outcome: 'cancelled' } });
  });

  it('ignores cancellations of nothing and unknown $/ notifications, and hands $/ requests on', () => {
    const { transport, happened, requests } = open();
    transport.feed(
      '{"method":"$/cancel_request","params":{"requestId":5}}\n{"method":"$/cancel_request"}\n{"method":"$/progress","params":{}}\n{"id":1,"method":"$/ask"}\n',
    );
    assert.deepEqual(happened, ['request $/ask']);
    assert.equal(transport.sent.length, 0);
    assert.equal(requests.length, 1);
  });

  it('finds what is cancelled however the number is written', () => {
    const { transport, requests } = open();
    transport.feed('{"id":1e3,"method":"a"}\n{"id":-0,"method":"b"}\n{"id":9007199254740993,"method":"c"}\n{"id":"1000","method":"d"}\n');
    for (const requestId of ['1000.0', '0', '9007199254740992']) {
      transport.feed(`{"method":"$/cancel_request","params":{"requestId":${requestId}}}\n`);
    }
    assert.deepEqual(
      requests.map(({ signal }) => signal.aborted),
      [true, true, false, false],
    );
    requests.forEach(({ respond }) => respond.result(null));
    assert.deepEqual(
      transport.sent.map((json) => /"id":(.*?),/.exec(json)?.[1]),
      ['1e3', '-0', '9007199254740993', '"1000"'],
    );
  });

  it('cancels every request that has the id', () => {
    const { transport, requests } = open();
    transport.feed('{"id":"x","method":"a"}\n{"id":"x","method":"b"}\n{"method":"$/cancel_request","params":{"requestId":"x"}}\n');
    assert.deepEqual(
      requests.map(({ signal }) => signal.aborted),
      [true, true],
    );
    requests[0]!.respond.error(fault('internal'));
    requests[1]!.respond.result(1);
    assert.match(transport.sent[0]!, /"id":"x","error":\{"code":-32800/);
    assert.deepEqual(transport.last, { jsonrpc: '2.0', id: 'x', result: 1 });
  });

  it('is not cancelled by a request', () => {
    const { transport, requests } = open();
    transport.feed('{"id":1,"method":"a"}\n{"id":2,"method":"$/cancel_request","params":{"requestId":1}}\n');
    assert.equal(requests[0]!.signal.aborted, false);
  });

  it('tells a string id from a number id', () => {
    const { transport, requests } = open();
    transport.feed('{"id":1,"method":"a"}\n{"id":"1","method":"b"}\n{"method":"$/cancel_request","params":{"requestId":"1"}}\n');
    assert.deepEqual(
      requests.map(({ signal }) => signal.aborted),
      [false, true],
    );
  });

  it('answers once, and a result that is no JSON is an internal error', () => {
    const { transport, requests } = open();
    transport.feed('{"id":1,"method":"a"}\n');
    requests[0]!.respond.result({ big: 1n });
    requests[0]!.respond.result({});
    assert.equal(transport.sent.length, 1);
    assert.equal((transport.last.error as { code: number }).code, -32603);
  });

  it('shows every frame and the noise in the trace, in order', () => {
    const { transport, trace, requests } = open();
    transport.feed('booting\n{"id":1,"method":"a"}\n');
    requests[0]!.respond.result({});
    assert.deepEqual(
      [...trace.entries()].map(({ kind }) => kind),
      ['noise', 'a2c', 'c2a'],
    );
  });
});
