import assert from 'node:assert/strict';
import { open, failureIn } from './openConnection';

describe('connection: malformed messages', () => {
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

  it('answers JSON that is not an object, a limited number of times', () => {
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
    // After the first 1000, only answers whose number is a power of two are sent: 1024, 2048, 4096 and 8192.
    assert.equal(answersTo('7\n'.repeat(10_000)).length, 1004);
  });

  it('does not answer noise', () => {
    for (const noise of ['Listening on port 3', '[INFO] ready', '{ level: "info" }', '42 files', '{"level":"info","msg":"started"}']) {
      assert.deepEqual(answersTo(noise), [], noise);
    }
  });

  it('answers a broken message with the parse error', () => {
    assert.deepEqual(codes('{"jsonrpc":"2.0","id":5,"method":"fs/read'), [error(null, -32700)]);
    assert.deepEqual(codes('[{"jsonrpc":"2.0","id":5},{"jsonrpc"'), [error(null, -32700)]);
  });

  it('answers lines that may be broken messages, a limited number of times', function () {
    this.timeout(30_000); // Other work may share the machine.
    const { transport } = open();
    transport.feed('{"looks": like one\n'.repeat(100_000));
    assert.ok(transport.sent.length > 16 && transport.sent.length < 40, String(transport.sent.length));
    const before = transport.sent.length;
    transport.feed('{"jsonrpc":"2.0","method\n'.repeat(50));
    assert.equal(transport.sent.length, before + 50, 'what says that it is one is always answered');
  });

  it('treats a malformed request as a request, even when one of our requests has its id', () => {
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

  it('answers a malformed request with its id if it has one', () => {
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

  it('runs no request whose bytes were damaged, and still delivers notifications', () => {
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

  it('answers a request in an overlong line, and fails our request when its answer is overlong', () => {
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

  it('answers a request in an overlong line wherever its id is', () => {
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
          // An id in the middle is not seen: with these sizes the beginning is kept up to the first piece that exceeds the limit.
          ids,
          text.slice(0, 60),
        );
        assert.deepEqual(happened, ['notification after undefined']);
      }
    }
  });

  it('fails our request whose answer was overlong wherever its id is', () => {
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

  it('cuts what is nested too deeply and keeps the rest of the message', () => {
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

  it('logs stray, late and repeated answers, and answers none of them', () => {
    const { transport, log, ask, outcomes } = open();
    ask('a');
    transport.feed('{"id":99,"result":{}}\n{"id":null,"error":{"code":-32700,"message":"?"}}\n{"id":1,"result":1}\n{"id":1,"result":2}\n');
    assert.deepEqual(outcomes, [{ ok: true, value: 1 }]);
    assert.equal(transport.sent.length, 1);
    assert.equal(log.lines.filter((line) => line.includes('An answer to nothing we asked')).length, 3);
  });

  it('answers both of two requests with the same id', () => {
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
