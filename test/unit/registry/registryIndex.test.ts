import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PUBLIC_REGISTRY } from '../../../src/core/agents/registryTwins';
import { createRegistryIndex } from '../../../src/registry/registryIndex';
import type { Fetch } from '../../../src/registry/http';
import { Loopback } from '../../support/registry/loopback';

const ICON = '<svg viewBox="0 0 16 16"><path d="M0 0h16"/></svg>';
const limits = { maxBytes: 1_000_000, idleMs: 300, totalMs: 1500 };

describe('the registry index', () => {
  let folder: string;
  let server: Loopback;
  let urls: string[];
  let now: number;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'index-'));
    server = new Loopback();
    await server.start();
    now = 1000;
    urls = [];
  });
  afterEach(async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const entry = (id: string, more: Readonly<Record<string, unknown>> = {}) => ({
    ...{
      id,
      name: id,
      version: '1.0.0',
      description: 'x',
      distribution: { npx: { package: `${id}@1.0.0` } },
      icon: `${server.url}/${id}.svg`,
    },
    ...more,
  });
  const online: Fetch = (url, init) => fetch(url, init);
  const indexWith = (used: Fetch = online) => createRegistryIndex({ folder, urls: () => urls, fetch: used, now: () => now, limits });
  const problemsOf = async (used?: Fetch) =>
    (await indexWith(used).refresh()).registries.map(({ problem }) => problem && `${problem.code} ${problem.params?.['reason']}`);

  it('asks for the list again only when it has changed, and never for known icons', async () => {
    server.file('/a.svg', ICON);
    urls = [server.list('/r.json', [entry('a')])];
    assert.deepEqual(await indexWith().cached(), { agents: [], registries: [{ url: urls[0] }] });
    const first = await indexWith().refresh();
    assert.match(
      first.agents[0]!.icon!,
      /^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" viewBox="0 0 16 16" fill="currentColor"><path d="M0 0h16"\/><\/svg>$/,
    );
    assert.deepEqual(server.requests, ['/r.json', '/a.svg']);
    now = 2000;
    const second = await indexWith().refresh();
    assert.deepEqual([second.agents, second.registries], [first.agents, [{ url: urls[0], checkedAt: 2000 }]]);
    assert.deepEqual(server.requests, ['/r.json', '/a.svg', '/r.json']);
    server.list('/r.json', [entry('a', { version: '2.0.0' })]);
    assert.equal((await indexWith().refresh()).agents[0]!.version, '2.0.0');
  });

  it('keeps the cache when the registry cannot be reached, and says so', async () => {
    server.file('/a.svg', ICON);
    urls = [server.list('/r.json', [entry('a')])];
    const { agents } = await indexWith().refresh();
    const offline: Fetch = () => Promise.reject(new TypeError('fetch failed', { cause: new Error('getaddrinfo ENOTFOUND') }));
    const state = await indexWith(offline).refresh();
    assert.deepEqual(state.agents, agents);
    const problem = { code: 'registry.unreachable', params: { reason: 'no_connection' }, detail: 'getaddrinfo ENOTFOUND' };
    assert.deepEqual(state.registries, [{ url: urls[0], checkedAt: 1000, problem }]);
    assert.deepEqual((await indexWith(offline).cached()).agents, agents);
  });

  it('ignores a damaged cache', async () => {
    urls = [server.list('/r.json', [entry('a', { icon: undefined })])];
    await indexWith().refresh();
    const [file = ''] = await readdir(folder);
    await writeFile(path.join(folder, file), '{"url":');
    assert.equal((await indexWith().cached()).agents.length, 0);
    assert.equal((await indexWith().refresh()).agents.length, 1);
  });

  it('uses the valid parts of a cache that another program has changed', async () => {
    server.file('/a.svg', ICON);
    urls = [server.list('/r.json', [entry('a')])];
    await indexWith().refresh();
    const [file = ''] = await readdir(folder);
    const whole = JSON.parse(await readFile(path.join(folder, file), 'utf8')) as object;
    const icon = `${server.url}/a.svg`;
    for (const change of [{ icons: null }, { icons: [] }, { icons: { [icon]: 5 } }, { etag: 'a\nb' }, { etag: 5 }, { modified: {} }]) {
      await writeFile(path.join(folder, file), JSON.stringify({ ...whole, ...change }));
      assert.equal((await indexWith().cached()).agents.length, 1, JSON.stringify(change));
      const { agents, registries } = await indexWith().refresh();
      assert.deepEqual([typeof agents[0]?.icon, registries[0]?.problem], ['string', undefined], JSON.stringify(change));
    }
  });

  it('does not wait for icons that do not come', async () => {
    const ids = Array.from({ length: 30 }, (_, index) => `a${index}`);
    ids.forEach((id) => server.on(`/${id}.svg`, () => undefined));
    server.file('/a0.svg', ICON);
    urls = [
      server.list(
        '/r.json',
        ids.map((id) => entry(id)),
      ),
    ];
    const started = Date.now();
    const index = createRegistryIndex({ folder, urls: () => urls, fetch: online, now: () => now, limits, iconsMs: 1500 });
    const { agents, registries } = await index.refresh();
    assert.ok(Date.now() - started < 10_000, `${Date.now() - started} ms`);
    assert.deepEqual([agents.length, typeof agents[0]?.icon, registries[0]?.problem], [30, 'string', undefined]);
    ids.forEach((id) => server.file(`/${id}.svg`, ICON));
    const later = await indexWith().refresh();
    assert.ok(later.agents.every(({ icon }) => icon !== undefined));
  });

  it('shows no more bytes of icons than a page can have', async () => {
    const large = `<svg viewBox="0 0 16 16"><path d="M0 0${'h1'.repeat(30_000)}"/></svg>`;
    const ids = Array.from({ length: 100 }, (_, index) => `a${index}`);
    ids.forEach((id) => server.file(`/${id}.svg`, large));
    urls = [
      server.list(
        '/r.json',
        ids.map((id) => entry(id)),
      ),
    ];
    const { agents } = await indexWith().refresh();
    const bytes = agents.reduce((sum, { icon = '' }) => sum + icon.length, 0);
    assert.ok(bytes > 1024 * 1024 && bytes <= 4 * 1024 * 1024, `${bytes}`);
    assert.equal(agents.length, 100);
  });

  it('reads several registries, and a failure costs only its own', async () => {
    urls = [server.list('/r.json', [entry('a')]), `${server.url}/nothing.json`, server.list('/team.json', [entry('a'), entry('b')])];
    const { agents, registries } = await indexWith().refresh();
    assert.deepEqual(
      registries.map(({ problem }) => problem?.params?.['reason']),
      [undefined, 'http_status', undefined],
    );
    assert.equal(new Set(agents.map(({ agentId }) => agentId)).size, 3);
  });

  it('reports a registry while another one does not answer', async () => {
    urls = [server.on('/silent', () => undefined), server.list('/team.json', [entry('a', { icon: undefined })])];
    const reported: string[][] = [];
    const abort = new AbortController();
    const refreshing = indexWith().refresh(abort.signal, ({ agents }) => {
      reported.push(agents.map(({ id }) => id));
      abort.abort();
    });
    const { registries } = await refreshing;
    assert.deepEqual(reported, [['a']]);
    assert.deepEqual(
      registries.map(({ problem }) => problem?.params?.['reason']),
      ['cancelled', undefined],
    );
  });

  it('requests icons only from the registry itself', async () => {
    const other = new Loopback();
    await other.start();
    urls = [
      server.list('/r.json', [
        entry('a', { icon: other.file('/a.svg', ICON) }),
        entry('b', { icon: './b.svg' }),
        entry('c', { icon: 'data:image/svg+xml,x' }),
      ]),
    ];
    server.file('/b.svg', ICON);
    const { agents } = await indexWith().refresh();
    assert.deepEqual(
      agents.map(({ icon }) => icon !== undefined),
      [false, true, false],
    );
    assert.deepEqual(other.requests, []);
    await other.stop();
  });

  const hostile: readonly (readonly [title: string, problem: string, make: () => string])[] = [
    ['a list of 10 MB', 'too_large', () => server.file('/big', `{"agents":[],"x":"${'x'.repeat(10_000_000)}"}`)],
    [
      'a list without an end',
      'too_large',
      () => server.on('/endless', (_request, response) => void setInterval(() => response.write('x'.repeat(200_000)), 5).unref()),
    ],
    ['no answer', 'too_slow', () => server.on('/silent', () => undefined)],
    ['a list that stops', 'too_slow', () => server.on('/slow', (_request, response) => void response.writeHead(200).write('{'))],
    [
      'a list in drops',
      'too_slow',
      () => server.on('/drops', (_request, response) => void setInterval(() => response.write(' '), 100).unref()),
    ],
    [
      'a list that is cut off',
      'cut_off',
      () =>
        server.on('/cut', (_request, response) => {
          response.writeHead(200, { 'content-length': 100 }).write('{');
          setTimeout(() => response.destroy(), 20);
        }),
    ],
    [
      'a redirect to a file',
      'other_scheme',
      () => server.on('/file', (_request, response) => response.writeHead(301, { location: 'file:///etc/passwd' }).end()),
    ],
    [
      'a redirect to plain http',
      'other_scheme',
      () => server.on('/http', (_request, response) => response.writeHead(301, { location: 'http://example.com/' }).end()),
    ],
    ['a page', 'not_json', () => server.file('/page', '<html>')],
    ['another document', 'not_a_registry', () => server.file('/other', '{"agents":{}}')],
    [
      'too many agents',
      'too_large',
      () =>
        server.list(
          '/many',
          Array.from({ length: 2001 }, () => 1),
        ),
    ],
    ['an address of another scheme', 'other_scheme', () => 'ftp://example.com/registry.json'],
    ['plain http', 'other_scheme', () => 'http://example.com/registry.json'],
    ['an address with a password', 'other_scheme', () => 'https://user:secret@example.com/registry.json'],
    ['a text', 'bad_address', () => 'registry'],
  ];
  for (const [title, problem, make] of hostile) {
    it(`refuses ${title}`, async () => {
      urls = [make()];
      assert.deepEqual(await problemsOf(), [`registry.unreachable ${problem}`]);
      assert.deepEqual(await readdir(folder), []);
    });
  }

  it('does not follow a redirect from the internet to this machine', async () => {
    urls = ['https://example.com/registry.json'];
    const leading: Fetch = async () => new Response(null, { status: 302, headers: { location: 'http://127.0.0.1:1/' } });
    assert.deepEqual(await problemsOf(leading), ['registry.unreachable other_scheme']);
  });

  it('ends a request that is cancelled', async () => {
    urls = [server.on('/silent', () => undefined)];
    const abort = new AbortController();
    setTimeout(() => abort.abort(), 50);
    const { registries } = await indexWith().refresh(abort.signal);
    assert.equal(registries[0]?.problem?.params?.['reason'], 'cancelled');
  });

  it('has the fallback of the public registry where that lacks an entry', async () => {
    urls = [PUBLIC_REGISTRY, server.list('/team.json', [])];
    const fallback = [entry('gemini'), entry('goose')];
    const listOf = async (used: Fetch) =>
      (await createRegistryIndex({ folder, urls: () => urls, fetch: used, now: () => now, limits, fallback }).refresh()).agents.map(
        ({ id, version }) => `${id} ${version}`,
      );
    const offline: Fetch = () => Promise.reject(new Error('offline'));
    assert.deepEqual(await listOf(offline), ['gemini 1.0.0', 'goose 1.0.0']);
    const list = { agents: [null, entry('gemini', { version: '2.0.0' })] };
    const answer: Fetch = async (url) => new Response(JSON.stringify(url === PUBLIC_REGISTRY ? list : { agents: [] }));
    assert.deepEqual(await listOf(answer), ['#0 ', 'gemini 2.0.0', 'goose 1.0.0']);
  });

  it('gives an agent of the public registry the identity of the predefined one', async () => {
    urls = [PUBLIC_REGISTRY];
    const list = { agents: [entry('gemini'), entry('newcomer')] };
    const { agents } = await indexWith(async () => new Response(JSON.stringify(list))).refresh();
    assert.deepEqual(
      agents.map(({ agentId }) => agentId),
      ['Gemini CLI', 'registry/newcomer'],
    );
  });
});
