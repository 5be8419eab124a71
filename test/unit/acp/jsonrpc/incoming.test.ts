import assert from 'node:assert/strict';
import { fault } from '../../../../src/core/model/failure';
import { open } from './openConnection';

describe("connection: the agent's requests", () => {
  it('answers a thrown fault with its own code, and any other error with -32603', () => {
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

  it('sends the result of a cancelled request that succeeds anyway', () => {
    const { transport, requests } = open();
    transport.feed('{"id":"1","method":"ask"}\n{"method":"$/cancel_request","params":{"requestId":"1"}}\n');
    requests[0]!.respond.result({ outcome: { outcome: 'cancelled' } });
    assert.deepEqual(transport.last.result, { outcome: { outcome: 'cancelled' } });
  });

  it('ignores cancellations of unknown requests and unknown $/ notifications, and passes on $/ requests', () => {
    const { transport, happened, requests } = open();
    transport.feed(
      '{"method":"$/cancel_request","params":{"requestId":5}}\n{"method":"$/cancel_request"}\n{"method":"$/progress","params":{}}\n{"id":1,"method":"$/ask"}\n',
    );
    assert.deepEqual(happened, ['request $/ask']);
    assert.equal(transport.sent.length, 0);
    assert.equal(requests.length, 1);
  });

  it('cancels a request however the number of its id is written', () => {
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

  it('ignores a cancellation that is sent as a request', () => {
    const { transport, requests } = open();
    transport.feed('{"id":1,"method":"a"}\n{"id":2,"method":"$/cancel_request","params":{"requestId":1}}\n');
    assert.equal(requests[0]!.signal.aborted, false);
  });

  it('distinguishes a string id from a number id', () => {
    const { transport, requests } = open();
    transport.feed('{"id":1,"method":"a"}\n{"id":"1","method":"b"}\n{"method":"$/cancel_request","params":{"requestId":"1"}}\n');
    assert.deepEqual(
      requests.map(({ signal }) => signal.aborted),
      [false, true],
    );
  });

  it('answers once, and answers a result that is not JSON with an internal error', () => {
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
