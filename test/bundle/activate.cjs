// Runs the built bundle's activate() under plain Node. Every module that could do work throws when it is used. Prints the files loaded from
// dist/ and the packages as JSON.
const Module = require('node:module');
const path = require('node:path');

const dist = process.argv[2];
const forbidden = new Set([
  'fs',
  'fs/promises',
  'net',
  'http',
  'https',
  'http2',
  'tls',
  'dns',
  'dgram',
  'child_process',
  'worker_threads',
  'cluster',
]);
const loaded = [];

function throwing(name) {
  const refuse = (what) => () => {
    throw new Error(`activation touched ${name}${what}`);
  };
  return new Proxy(refuse(''), {
    get: (_target, key) => refuse(`.${String(key)}`)(),
    apply: refuse('()'),
    construct: refuse('()'),
    has: refuse(' in'),
    ownKeys: refuse(' keys'),
  });
}

/** A stub that returns another stub for every access: only the registrations matter here, not their arguments. */
function stub() {
  const target = function () {};
  const proxy = new Proxy(target, {
    get: (_target, key) =>
      key === Symbol.toPrimitive ? () => 'stub' : key === 'then' ? undefined : key === 'prototype' ? target.prototype : proxy,
    apply: () => proxy,
    construct: () => proxy,
    set: () => true,
  });
  return proxy;
}

const registered = [];
const vscode = new Proxy(
  {
    window: new Proxy(
      {},
      {
        get: (_target, key) =>
          key === 'registerWebviewPanelSerializer' || key === 'registerWebviewViewProvider' ? () => ({ dispose() {} }) : stub(),
      },
    ),
    version: '1.139.1',
    commands: {
      registerCommand: (id) => {
        registered.push(id);
        return { dispose() {} };
      },
      executeCommand: async () => undefined,
    },
    EventEmitter: class {
      event = () => ({ dispose() {} });
      fire() {}
      dispose() {}
    },
  },
  { get: (target, key) => (key in target ? target[key] : key === '__esModule' ? undefined : stub()) },
);

const original = Module._load;
Module._load = function (request, parent, isMain) {
  const name = request.replace(/^node:/, '');
  if (name === 'vscode') return vscode;
  if (forbidden.has(name)) return throwing(name);
  const from = parent?.filename ?? '';
  const file =
    request.startsWith('.') || path.isAbsolute(request) ? path.relative(dist, Module._resolveFilename(request, parent)) : request;
  if (from.startsWith(dist) || isMain === false) loaded.push(file);
  return original.apply(this, arguments);
};
for (const name of ['setTimeout', 'setInterval', 'setImmediate', 'fetch']) {
  const real = globalThis[name];
  globalThis[name] = (...args) => {
    if (new Error().stack.includes(dist)) throw new Error(`activation called ${name}`);
    return real(...args);
  };
}

(async () => {
  const extension = require(path.join(dist, 'extension.js'));
  const context = new Proxy(
    { subscriptions: [], extensionPath: path.dirname(dist), extension: { packageJSON: require('../../package.json') } },
    { get: (target, key) => (key in target ? target[key] : stub()) },
  );
  const api = await extension.activate(context);
  // Run the microtasks and ticks that activate() left behind.
  await new Promise((resolve) => process.nextTick(() => queueMicrotask(resolve)));
  process.stdout.write(JSON.stringify({ loaded, registered, api: api && Object.keys(api) }));
})().catch((error) => {
  process.stderr.write(`${error.stack}\n`);
  process.exit(1);
});
