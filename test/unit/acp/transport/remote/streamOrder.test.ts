import assert from 'node:assert/strict';
import { StreamOrder } from '../../../../../src/acp/transport/remote/streamOrder';
import { MessageRoutes } from '../../../../../src/acp/transport/remote/messageRoutes';
import { FakeClock } from '../../../session/permission/fakes';

function scene() {
  const clock = new FakeClock();
  const order = new StreamOrder(clock);
  const seen: string[] = [];
  const add = (stream: string, text: string): void => order.add(stream, () => void seen.push(text));
  return { clock, order, seen, add };
}

describe('the order of several event streams', () => {
  it('delivers at once what waits for nothing', () => {
    const { seen, add } = scene();
    add('', 'a');
    add('s', 'b');
    add('', 'c');
    assert.deepEqual(seen, ['a', 'b', 'c']);
  });

  it('holds an answer until the replay on the other stream is over, and what follows it', () => {
    const { clock, order, seen, add } = scene();
    order.wait('', 's', 10_000);
    add('', 'answer');
    add('', 'next');
    order.begun('s');
    for (const text of ['one', 'two', 'three']) {
      clock.pass(20);
      add('s', text);
    }
    assert.deepEqual(seen, ['one', 'two', 'three']);
    clock.pass(60);
    assert.deepEqual(seen, ['one', 'two', 'three', 'answer', 'next']);
  });

  it('does not wait for longer than its limit, nor for a stream that the server refused', () => {
    const { clock, order, seen, add } = scene();
    order.wait('a', 'b', 200);
    add('a', 'after b');
    order.begun('b');
    for (let passed = 0; passed < 150; passed += 10) {
      clock.pass(10);
      add('b', 'b');
    }
    assert.ok(!seen.includes('after b'));
    clock.pass(100);
    assert.ok(seen.includes('after b'));
    order.wait('c', 'gone', 10_000);
    add('c', 'after gone');
    order.gone('gone');
    clock.pass(30);
    assert.equal(seen.at(-1), 'after gone');
  });

  it('waits longer for a replay than for an agent at work', () => {
    for (const [perSecond, isReplay] of [
      [1000, true],
      [100, false],
    ] as const) {
      const { clock, order, seen, add } = scene();
      order.wait('', 's', 10_000, 120_000);
      add('', 'answer');
      order.expected('s');
      order.begun('s');
      for (let passed = 0; passed < 30_000; passed += 10) {
        clock.pass(10);
        for (let each = 0; each < perSecond / 100; each++) {
          add('s', 'update');
        }
      }
      assert.equal(seen.includes('answer'), !isReplay, `${perSecond} a second`);
      clock.pass(200);
      assert.equal(seen.includes('answer'), !isReplay, 'a pause of a busy server');
      clock.pass(300);
      assert.ok(seen.includes('answer'));
      assert.equal(seen.lastIndexOf('update') < seen.indexOf('answer'), isReplay);
    }
  });

  it('ends the wait for a replay without an end', () => {
    const { clock, order, seen, add } = scene();
    order.wait('', 's', 10_000, 20_000);
    add('', 'answer');
    order.begun('s');
    for (let passed = 0; passed < 22_000; passed += 10) {
      clock.pass(10);
      Array.from({ length: 10 }, () => add('s', 'update'));
    }
    assert.ok(seen.includes('answer'));
  });

  for (const [what, size, fits] of [
    ['tiny messages', 1, 10_000],
    ['large messages', 8 * 1024 * 1024, 4],
  ] as const) {
    it(`holds a bounded number of ${what} back, and loses none of them`, () => {
      const { order, seen } = scene();
      order.begun('s');
      order.wait('', 's', 10_000);
      const add = (text: string): void => order.add('', () => void seen.push(text), size);
      for (let number = 1; number <= fits; number++) {
        add(`${number}`);
      }
      assert.equal(seen.length, 0);
      add('one more');
      assert.deepEqual([seen.length, seen[0], seen.at(-1)], [fits + 1, '1', 'one more']);
      add('later');
      assert.equal(seen.at(-1), 'later');
    });
  }

  it('loses nothing at the end of the connection', () => {
    const { order, seen, add } = scene();
    order.wait('', 's', 10_000);
    add('', 'answer');
    order.flush();
    assert.deepEqual(seen, ['answer']);
  });
});

describe('the sessions of messages', () => {
  it('notes a request that is an update, wherever its id is', () => {
    const long = 'x'.repeat(1000);
    for (const text of [
      `{"jsonrpc":"2.0","id":"a","method":"session/update","params":{"sessionId":"s","update":{"text":"${long}"}}}`,
      `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"text":"${long}"}},"id":"a"}`,
    ]) {
      const routes = new MessageRoutes();
      routes.received(text, 's');
      assert.equal(routes.sessionOf({ id: 'a' }), 's');
    }
  });

  it('finds the subagent of an announcement, and no other id', () => {
    const routes = new MessageRoutes();
    const update = (fields: object): string =>
      JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params: { sessionId: 's', update: fields } });
    assert.deepEqual(routes.received(update({ sessionUpdate: 'subagent_update', sessionId: 'child' }), 's'), { announced: 'child' });
    assert.deepEqual(
      routes.received(update({ sessionUpdate: 'tool_call', rawInput: { sessionId: 'x', kind: 'subagent_update' } }), 's'),
      {},
    );
    assert.deepEqual(routes.received(update({ sessionUpdate: 'subagent_update', sessionId: 7 }), 's'), {});
  });

  it('names the session of an answer, and knows which are open', () => {
    const routes = new MessageRoutes();
    routes.sent('1', undefined, { method: 'session/new' });
    routes.sent('2', 'old', { method: 'session/load' });
    routes.sent('4', 'gone', { method: 'session/load' });
    routes.sent('5', 'deleted', { method: 'session/delete' });
    assert.deepEqual(routes.received('{"jsonrpc":"2.0","id":1,"result":{"sessionId":"new"}}', ''), { answered: 'new' });
    assert.deepEqual(routes.received('{"jsonrpc":"2.0","id":2,"result":{}}', ''), { answered: 'old' });
    assert.deepEqual(routes.received('{"jsonrpc":"2.0","id":3,"result":{"sessionId":"unasked"}}', ''), {});
    assert.deepEqual(routes.received('{"jsonrpc":"2.0","id":4,"error":{"code":1}}', ''), { answered: 'gone' });
    assert.deepEqual(routes.received('{"jsonrpc":"2.0","id":5,"result":null}', ''), { answered: 'deleted' });
    assert.deepEqual(
      ['new', 'old', 'unasked', 'gone', 'deleted'].filter((session) => routes.isOpen(session)),
      ['new', 'old'],
    );
  });
});
