/**
 * A proxy that passes everything on. `--words`: the methods that it knows. `--mode`: what it does wrong.
 */
import { createInterface } from 'node:readline';

const option = (name, fallback) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? fallback : process.argv[at + 1];
};
const words = option('words', 'current');
const mode = option('mode', '');
const WORDS = {
  current: { start: 'proxy/initialize', to: ['proxy/successor', 'proxy/successor'], from: ['proxy/successor', 'proxy/successor'] },
  underscored: { start: '_proxy/initialize', to: ['_proxy/successor', '_proxy/successor'], from: ['_proxy/successor', '_proxy/successor'] },
  separate: {
    start: 'initialize',
    to: ['_proxy/successor/request', '_proxy/successor/notification'],
    from: ['_proxy/successor/request', '_proxy/successor/notification'],
  },
  nested: {
    start: 'initialize',
    to: ['_proxy/successor/send/request', '_proxy/successor/send/notification'],
    from: ['_proxy/successor/receive/request', '_proxy/successor/receive/notification'],
    nested: true,
  },
};
const own = WORDS[words];
const open = new Map();
let nextId = 1;

function write(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

function sendOn({ method, params, id }, toSuccessor) {
  const inner = { method, ...(params !== undefined && { params }) };
  const sent = toSuccessor ? { method: own.to[id === undefined ? 1 : 0], params: own.nested ? { message: inner } : inner } : inner;
  if (id === undefined) {
    write(sent);
  } else {
    const ownId = mode === 'text-ids' ? `p${nextId++}` : nextId++;
    open.set(ownId, { id, toSuccessor, isStart: method === 'initialize' });
    write({ id: ownId, ...sent });
  }
}

function cancel(id, toSuccessor) {
  for (const [ownId, request] of open) {
    if (request.id === id && request.toSuccessor === toSuccessor) {
      sendOn({ method: '$/cancel_request', params: { requestId: ownId } }, toSuccessor);
    }
  }
}

function receive(message) {
  if (message.method === undefined) {
    const request = open.get(message.id);
    if (request) {
      open.delete(message.id);
      const isMarked = request.isStart && own.start === 'initialize';
      write({
        ...message,
        id: request.id,
        ...(isMarked && message.result && { result: { ...message.result, _meta: { ...message.result._meta, proxy: true } } }),
      });
    }
    return;
  }
  const fromSuccessor = own.from.includes(message.method);
  const { method, params, id } = fromSuccessor ? { ...(own.nested ? message.params.message : message.params), id: message.id } : message;
  if (!fromSuccessor && /^_?proxy\/initialize$|^initialize$/.test(method)) {
    if (method !== own.start) {
      write({ id, error: { code: -32601, message: `Method not found: ${method}` } });
      return;
    }
    if (mode === 'silent') return;
    if (mode === 'swallow') {
      sendOn({ method: 'initialize', params }, true);
      open.clear();
      return;
    }
    if (mode === 'exit-at-start') {
      console.error('the proxy lacks its licence');
      process.exit(3);
    }
    if (mode === 'garbage') {
      process.stdout.write('Welcome to the proxy!\n{"jsonrpc": broken\n[1,2]\n42\n{"jsonrpc":"2.0","id":999,"result":{}}\n');
      write({ id: 5, method: own.to[0], params: { method: 'proxy/successor', params: {} } });
      write({ id: 6, method: own.to[0], params: { nothing: true } });
      write({ id: 8, method: own.to[0], params: { method: 'session/new', peer: 'another' } });
      write({ method: own.to[1], params: { method: 'session/cancel', peer: 'another' } });
      write({ method: '$/cancel_request', params: { requestId: 12345 } });
    }
    sendOn({ method: 'initialize', params, id }, true);
    return;
  }
  if (method === '$/cancel_request') {
    cancel(params?.requestId, !fromSuccessor);
    return;
  }
  if (!fromSuccessor && method === 'session/prompt') {
    if (mode === 'exit-in-turn') {
      console.error('out of memory, says the proxy');
      process.exit(4);
    }
    if (mode === 'huge') {
      // A notification and a request that are too long to read; then everything goes on.
      process.stdout.write(`{"jsonrpc":"2.0","method":"session/update","params":"${'x'.repeat(3_000_000)}"}\n`);
      process.stdout.write(`{"jsonrpc":"2.0","id":77,"method":"session/nothing","params":"${'x'.repeat(3_000_000)}"}\n`);
    }
    if (mode === 'huge-answer') {
      process.stdout.write(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":"${'x'.repeat(3_000_000)}"}\n`);
      return;
    }
  }
  sendOn({ method, params, id }, !fromSuccessor);
}

createInterface({ input: process.stdin }).on('line', (line) => receive(JSON.parse(line)));
