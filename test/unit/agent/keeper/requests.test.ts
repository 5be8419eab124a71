/** The requests of an agent that the keeper holds. */
import assert from 'node:assert/strict';
import { KeptRequests } from '../../../../src/agent/keeper/requests';

describe('requests of an agent without an answer', () => {
  it('take no time for each other, also when all have the same id', () => {
    const requests = new KeptRequests();
    const count = 20_000;
    const began = performance.now();
    for (let n = 1; n <= count; n++) {
      requests.fromAgent(n, Buffer.from(`{"jsonrpc":"2.0","id":1,"method":"session/request_permission","params":{"n":${n}}}`));
    }
    assert.deepEqual([requests.isAnswered(1), requests.isAnswered(count)], [false, false]);
    for (let n = 1; n < count; n++) {
      assert.equal(requests.fromWindow('{"jsonrpc":"2.0","id":1,"result":{}}'), true);
    }
    assert.ok(performance.now() - began < 3000, `${performance.now() - began} ms`);
    assert.deepEqual(
      requests.waiting.map(({ n }) => n),
      [count],
    );
    assert.deepEqual([requests.isAnswered(count - 1), requests.isAnswered(count)], [true, false]);
    assert.equal(requests.fromWindow('{"jsonrpc":"2.0","id":1,"result":{}}'), true);
    assert.equal(requests.fromWindow('{"jsonrpc":"2.0","id":1,"result":{}}'), false, 'no request is left');
  });
});
