import assert from 'node:assert/strict';
import { open } from './openConnection';

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

  it('continues after a listener threw', () => {
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

  it('continues after a listener threw in a response, in a request and at the end', () => {
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

  it('sends nothing to an agent that is gone, and traces nothing as sent', () => {
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

  it('delivers nothing after it was disposed in the middle of a chunk', () => {
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
