import assert from 'node:assert/strict';
import { proxyChain } from '../../../../src/acp/proxies/conductor';
import type { Hop } from '../../../../src/acp/proxies/link';
import type { MessageReader, MessageTransport, TransportEnd } from '../../../../src/core/model/transport';
import { FakeClock, FakeLog } from '../support';

type Message = {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly [name: string]: unknown;
};

/** A program whose messages the test writes. */
class Program implements MessageTransport {
  readonly sent: string[] = [];
  isClosed = false;
  waiting = 0;
  private reader!: MessageReader & { end(end: TransportEnd): void };

  read(reader: MessageReader & { end(end: TransportEnd): void }): void {
    this.reader = reader;
  }

  write(text: string): boolean {
    this.sent.push(text);
    return true;
  }

  close(): void {
    if (!this.isClosed) {
      this.isClosed = true;
      this.reader.end({});
    }
  }

  describe(): object {
    return {};
  }

  backlog = (): number => this.waiting;

  says(message: object | string, damaged = false): void {
    this.reader.message(typeof message === 'string' ? message : JSON.stringify({ jsonrpc: '2.0', ...message }), damaged);
  }

  skips(head: string): void {
    this.reader.skipped(1e9, head, '');
  }

  ends(end: TransportEnd): void {
    this.isClosed = true;
    this.reader.end(end);
  }

  get last(): Message {
    return JSON.parse(this.sent.at(-1)!) as Message;
  }
}

/** A chain of `count` proxies. */
function stage(count: number) {
  const clock = new FakeClock();
  const log = new FakeLog();
  const proxies = Array.from({ length: count }, () => new Program());
  const agent = new Program();
  const hop = (name: string, transport: Program): Hop => ({ name, transport, timeoutMs: 1000, commandLine: `run ${name}` });
  const chain = proxyChain(
    proxies.map((proxy, index) => hop(`p${index + 1}`, proxy)),
    hop('agent', agent),
    { clock, log },
  );
  const received: Message[] = [];
  const ends: TransportEnd[] = [];
  chain.read({
    message: (text) => received.push(JSON.parse(text) as Message),
    skipped: () => undefined,
    closing: () => received.push({ method: 'closing' }),
    end: (end) => ends.push(end),
  });
  const ask = (id: number, method: string, params: object = {}): void =>
    void chain.write(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
  return { clock, log, chain, proxies: proxies as [Program, ...Program[]], agent, received, ends, ask };
}

/** The message without `jsonrpc`. */
const plain = ({ jsonrpc: _, ...message }: Message): object => message;

describe('a chain of proxies', () => {
  it('is started as proxies and an agent, in the order of the chain', () => {
    const { proxies, agent, received, ask } = stage(2);
    ask(1, 'initialize', { protocolVersion: 1 });
    assert.deepEqual(plain(proxies[0].last), { id: 1, method: 'proxy/initialize', params: { protocolVersion: 1 } });
    assert.equal(agent.sent.length, 0);
    proxies[0].says({ id: 9, method: 'proxy/successor', params: { method: 'initialize', params: { protocolVersion: 1, a: 1 } } });
    assert.deepEqual(plain(proxies[1]!.last), { id: 1, method: 'proxy/initialize', params: { protocolVersion: 1, a: 1 } });
    proxies[1]!.says({ id: 'x', method: 'proxy/successor', params: { method: 'initialize', params: { protocolVersion: 1 } } });
    assert.deepEqual(plain(agent.last), { id: 1, method: 'initialize', params: { protocolVersion: 1 } });
    agent.says({ id: 1, result: { protocolVersion: 1 } });
    assert.deepEqual(plain(proxies[1]!.last), { id: 'x', result: { protocolVersion: 1 } });
    proxies[1]!.says({ id: 1, result: { protocolVersion: 1 } });
    assert.deepEqual(plain(proxies[0].last), { id: 9, result: { protocolVersion: 1 } });
    proxies[0].says({ id: 1, result: { protocolVersion: 1 } });
    assert.deepEqual(received.map(plain), [{ id: 1, result: { protocolVersion: 1 } }]);
  });

  it('keeps the ids of each connection apart', () => {
    const { proxies, agent, received, chain, ask } = stage(1);
    ask(1, 'session/prompt');
    // The proxy uses an id that the client uses, too, for a request in each direction.
    proxies[0].says({ id: 1, method: 'proxy/successor', params: { method: 'session/prompt', params: {} } });
    proxies[0].says({ id: 2, method: 'fs/read_text_file', params: { path: '/a' } });
    agent.says({ id: 1, method: 'fs/write_text_file', params: {} });
    const asked = proxies[0].last;
    assert.deepEqual(plain(asked), { id: 2, method: 'proxy/successor', params: { method: 'fs/write_text_file', params: {} } });
    chain.write('{"jsonrpc":"2.0","id":2,"result":{"content":"a"}}');
    assert.deepEqual(plain(proxies[0].last), { id: 2, result: { content: 'a' } });
    proxies[0].says({ id: 2, result: null });
    assert.deepEqual(plain(agent.last), { id: 1, result: null });
    agent.says({ id: 1, result: { stopReason: 'end_turn' } });
    assert.deepEqual(plain(proxies[0].last), { id: 1, result: { stopReason: 'end_turn' } });
    proxies[0].says({ id: 1, result: { stopReason: 'end_turn' } });
    assert.deepEqual(received.map(plain), [
      { id: 2, method: 'fs/read_text_file', params: { path: '/a' } },
      { id: 1, result: { stopReason: 'end_turn' } },
    ]);
  });

  it('passes numbers and texts on with every digit', () => {
    const { proxies, agent } = stage(1);
    proxies[0].says(
      '{"jsonrpc":"2.0","id":12345678901234567890,"method":"proxy/successor","params":{"method":"m","params":{"n":1.10e3,"d":98765432109876543210}}}',
    );
    assert.ok(agent.sent.at(-1)!.endsWith('"params":{"n":1.10e3,"d":98765432109876543210}}'));
    agent.says('{"jsonrpc":"2.0","id":1,"result":{"big":12345678901234567891}}');
    assert.equal(proxies[0].sent.at(-1), '{"jsonrpc":"2.0","id":12345678901234567890,"result":{"big":12345678901234567891}}');
    // A message over a socket may have several lines, which a pipe would take for several messages.
    agent.says('{"jsonrpc":"2.0",\n"method":"session/update",\r\n"params":{"a":\n1}}');
    assert.ok(!proxies[0].sent.at(-1)!.includes('\n'));
  });

  it('translates the ids of cancellations and of questions about a request', () => {
    const { proxies, agent, received, chain, ask } = stage(1);
    proxies[0].says({ id: 1, method: 'proxy/successor', params: { method: 'warm_up' } });
    ask(5, 'session/new');
    proxies[0].says({ id: 2, method: 'proxy/successor', params: { method: 'session/new', params: {} } });
    assert.equal(agent.last.id, 2);
    // A proxy that passes on the question unchanged names its own id.
    agent.says({ id: 'q', method: 'elicitation/create', params: { requestId: 2, message: 'Which?' } });
    assert.deepEqual(proxies[0].last.params, { method: 'elicitation/create', params: { requestId: 2, message: 'Which?' } });
    proxies[0].says({ id: 3, method: 'elicitation/create', params: { requestId: 2, message: 'Which?' } });
    assert.deepEqual(received.at(-1)?.params, { requestId: 5, message: 'Which?' });
    chain.write('{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":5}}');
    assert.deepEqual(plain(proxies[0].last), { method: '$/cancel_request', params: { requestId: 1 } });
    proxies[0].says({ method: 'proxy/successor', params: { method: '$/cancel_request', params: { requestId: 2 } } });
    assert.deepEqual(plain(agent.last), { method: '$/cancel_request', params: { requestId: 2 } });
    agent.says({ method: '$/cancel_request', params: { requestId: 'q' } });
    assert.deepEqual(plain(proxies[0].last), {
      method: 'proxy/successor',
      params: { method: '$/cancel_request', params: { requestId: 2 } },
    });
    const count = agent.sent.length;
    proxies[0].says({ method: 'proxy/successor', params: { method: '$/cancel_request', params: { requestId: 77 } } });
    assert.equal(agent.sent.length, count, 'nothing is cancelled that was not asked');
  });

  for (const [name, unknown, greeting, sent, received] of [
    ['the current', 0, 'proxy/initialize', 'proxy/successor', 'proxy/successor'],
    ['the underscored', 1, '_proxy/initialize', '_proxy/successor', '_proxy/successor'],
    ['the separate', 2, 'initialize', '_proxy/successor/request', '_proxy/successor/request'],
    ['the nested', 2, 'initialize', '_proxy/successor/send/request', '_proxy/successor/receive/request'],
  ] as const) {
    it(`speaks ${name} methods with a proxy that knows them`, () => {
      const { proxies, agent, received: atClient, ask } = stage(1);
      ask(1, 'initialize', { protocolVersion: 1 });
      for (let attempt = 0; attempt < unknown; attempt++) {
        proxies[0].says({ id: proxies[0].last.id, error: { code: -32601, message: 'Method not found' } });
      }
      const { id, method, params } = proxies[0].last;
      assert.equal(method, greeting);
      assert.deepEqual(params, { protocolVersion: 1, ...(greeting === 'initialize' && { _meta: { proxy: true } }) });
      const inner = { method: 'initialize', params: { protocolVersion: 1 } };
      proxies[0].says({ id: 1, method: sent, params: sent.includes('send') ? { message: inner } : inner });
      assert.equal(agent.last.method, 'initialize');
      agent.says({ id: 1, result: {} });
      proxies[0].says({ id, result: { protocolVersion: 1, ...(greeting === 'initialize' && { _meta: { proxy: true } }) } });
      assert.deepEqual(atClient.map(plain), [{ id: 1, result: { protocolVersion: 1 } }]);
      agent.says({ id: 4, method: 'fs/read_text_file', params: {} });
      assert.equal(proxies[0].last.method, received);
    });
  }

  it('recognizes a proxy that passes on the greeting which it does not know', () => {
    const { proxies, agent, ask } = stage(1);
    ask(1, 'initialize', {});
    proxies[0].says({ id: 1, method: '_proxy/successor', params: { method: 'proxy/initialize', params: {} } });
    assert.equal((proxies[0].last['error'] as { code: number }).code, -32601);
    assert.equal(agent.sent.length, 0);
    proxies[0].says({ id: 1, error: { code: -32601, message: 'Method not found' } });
    assert.equal(proxies[0].last.method, '_proxy/initialize');
  });

  it('names a program that is no proxy', () => {
    const { proxies, ends, ask } = stage(1);
    ask(1, 'initialize', { protocolVersion: 1 });
    for (let attempt = 0; attempt < 2; attempt++) {
      proxies[0].says({ id: proxies[0].last.id, error: { code: -32601, message: 'Method not found' } });
    }
    proxies[0].says({ id: proxies[0].last.id, result: { protocolVersion: 1, agentCapabilities: {} } });
    assert.deepEqual(ends, [{ failure: { code: 'proxy.not_a_proxy', params: { proxy: 'p1', commandLine: 'run p1' } } }]);
  });

  it('names the program that holds the start for too long', () => {
    const silent = stage(2);
    silent.ask(1, 'initialize', {});
    silent.clock.advance(900);
    silent.proxies[0].says({ id: 1, method: 'proxy/successor', params: { method: 'initialize', params: {} } });
    silent.clock.advance(999);
    assert.equal(silent.ends.length, 0);
    silent.clock.advance(1);
    assert.equal(silent.ends[0]?.failure?.params?.['proxy'], 'p2');

    const agent = stage(1);
    agent.ask(1, 'initialize', {});
    agent.proxies[0].says({ id: 1, method: 'proxy/successor', params: { method: 'initialize', params: {} } });
    agent.clock.advance(1000);
    assert.deepEqual(agent.ends[0]?.failure, { code: 'request.timeout', params: { method: 'initialize', timeoutMs: 1000 } });

    const swallowed = stage(1);
    swallowed.ask(1, 'initialize', {});
    swallowed.proxies[0].says({ id: 1, method: 'proxy/successor', params: { method: 'initialize', params: {} } });
    swallowed.agent.says({ id: 1, result: {} });
    swallowed.clock.advance(1000);
    assert.equal(swallowed.ends[0]?.failure?.code, 'proxy.start_timeout');
  });

  it('takes no second answer from a proxy that starts its successor later', () => {
    const { proxies, agent, clock, ends, ask } = stage(1);
    ask(1, 'initialize', {});
    proxies[0].says({ id: 1, result: { protocolVersion: 1 } });
    proxies[0].says({ id: 1, method: 'proxy/successor', params: { method: 'initialize', params: {} } });
    agent.says({ id: 1, result: {} });
    clock.advance(100_000);
    assert.deepEqual(ends, []);
  });

  it('refuses messages for a neighbour that does not exist', () => {
    const { proxies, agent, received, log } = stage(1);
    const codeOf = (program: Program): unknown => (program.last['error'] as { code?: number } | undefined)?.code;
    agent.says({ id: 1, method: 'proxy/successor', params: { method: 'session/new', params: {} } });
    assert.equal(codeOf(agent), -32601);
    for (const params of [
      { method: 'proxy/successor', params: {} },
      { method: 'session/new', params: {}, peer: 'another' },
      { nothing: 1 },
      { method: 7 },
    ]) {
      proxies[0].says({ id: 1, method: 'proxy/successor', params });
      assert.equal(codeOf(proxies[0]), -32602, JSON.stringify(params));
    }
    agent.says({ method: 'proxy/successor', params: { method: 'session/cancel' } });
    proxies[0].says({ method: 'proxy/successor', params: { method: 'session/cancel', peer: 'another' } });
    proxies[0].says({ id: 404, result: {} });
    proxies[0].says('hello');
    assert.deepEqual(received, []);
    assert.deepEqual([agent.sent.length, log.lines.length > 0], [1, true]);
  });

  it('refuses requests when thousands are open', async () => {
    const { proxies, agent, received, ask } = stage(1);
    for (let id = 0; id < 10_050; id++) {
      proxies[0].says({ id, method: 'proxy/successor', params: { method: 'm' } });
    }
    assert.equal(agent.sent.length, 10_000);
    await Promise.resolve();
    assert.equal((proxies[0].last['error'] as { code: number }).code, -32603);
    for (let id = 0; id < 10_001; id++) {
      ask(id, 'm');
    }
    assert.equal(received.length, 0, 'no answer comes while the client sends');
    await Promise.resolve();
    assert.equal(received.at(-1)?.id, 10_000);
  });

  it('answers for messages that are too long', () => {
    const { proxies, agent, received, ask } = stage(1);
    ask(4, 'session/prompt');
    proxies[0].skips('{"jsonrpc":"2.0","id":1,"result":"xxx');
    assert.equal(received.at(-1)?.id, 4);
    assert.match(JSON.stringify(received.at(-1)?.['error']), /p1 sent a message of 1000000000 bytes/);
    agent.skips('{"jsonrpc":"2.0","id":8,"method":"x","params":"');
    assert.equal(agent.last.id, 8);
    assert.ok(agent.last['error']);
  });

  it('ends when a program does not read', () => {
    const { proxies, ends, ask } = stage(1);
    proxies[0].waiting = 65 * 1024 * 1024;
    ask(1, 'session/prompt');
    assert.equal(ends[0]?.failure?.code, 'proxy.not_reading');
    assert.equal(proxies[0].sent.length, 0);
  });

  it('ends with all programs, and names the proxy that has ended', () => {
    const { proxies, agent, ends, received, clock, chain } = stage(2);
    proxies[1]!.ends({ exitCode: 3, stderrTail: 'no licence' });
    assert.deepEqual([received.at(-1)?.method, ends], ['closing', []]);
    // Messages that the other programs still pass on are delivered.
    proxies[0].says({ method: 'session/update', params: { last: true } });
    assert.equal(received.at(-1)?.method, 'session/update');
    assert.equal(chain.write('{"jsonrpc":"2.0","id":1,"method":"session/prompt"}'), false);
    clock.advance(200);
    assert.deepEqual(ends, [
      {
        failure: {
          code: 'proxy.exited_at_start',
          params: { exitCode: 3, proxy: 'p2', commandLine: 'run p2' },
          detail: 'no licence',
        },
      },
    ]);
    assert.deepEqual([proxies[0].isClosed, agent.isClosed, clock.running], [true, true, 0]);
  });

  it('ends in time although a program never stops talking', () => {
    const { proxies, agent, ends, clock } = stage(1);
    agent.ends({ exitCode: 1 });
    for (let tick = 0; tick < 20; tick++) {
      proxies[0].says({ method: 'session/update', params: {} });
      clock.advance(100);
    }
    assert.deepEqual(ends, [{ exitCode: 1 }], 'the end of the agent is reported as without proxies');
  });

  it('reports a proxy that could not be started at once', () => {
    const { proxies, ends } = stage(1);
    proxies[0].ends({ failure: { code: 'agent.not_found', params: { command: 'nope', commandLine: 'nope --secret' } } });
    assert.deepEqual(ends, [
      {
        failure: { code: 'proxy.not_started', params: { command: 'nope', commandLine: 'run p1', reason: 'agent.not_found', proxy: 'p1' } },
      },
    ]);
  });

  it('closes every program when the client leaves', () => {
    const { proxies, agent, ends, chain, clock, ask } = stage(2);
    ask(1, 'initialize', {});
    chain.close();
    chain.close();
    assert.deepEqual(
      [...proxies, agent].map(({ isClosed }) => isClosed),
      [true, true, true],
    );
    assert.deepEqual([ends, clock.running], [[{}], 0]);
  });
});
