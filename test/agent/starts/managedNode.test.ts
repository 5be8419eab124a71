/** A Node.js that is downloaded for agents: it is complete and checked, or it is not there. The registry is a server of this machine. */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ManagedNodes, type ManagedNodeDependencies } from '../../../src/agent/node/managedNode';
import { userRegistry } from '../../../src/agent/node/userRegistry';
import { NodeNotInstalled } from '../../../src/agent/node/nodeNotInstalled';
import { nodeFailureText } from '../../../src/application/agents/nodeText';
import { english } from '../../unit/application/english';
import { watchLeaks } from '../../support/leaks';
import { Machine } from './machine';

describe('a Node.js that is downloaded for agents', function () {
  this.timeout(60_000);
  watchLeaks();
  let machine: Machine;

  beforeEach(() => (machine = new Machine()));
  afterEach(() => machine.dispose());

  const folder = (): string => path.join(machine.storage, 'node');

  function nodes(registry: { readonly address: string; readonly packages: ManagedNodeDependencies['packages'] }): ManagedNodes {
    const { address, packages } = registry;
    return new ManagedNodes({ folder: folder(), fetch, registry: async () => ({ url: address }), ...(packages && { packages }) });
  }

  async function failureOf(install: Promise<unknown>): Promise<NodeNotInstalled> {
    const error = await install.then(
      () => assert.fail('it was installed'),
      (thrown: unknown) => thrown,
    );
    assert.ok(error instanceof NodeNotInstalled, String(error));
    return error;
  }

  async function sentenceOf(install: Promise<unknown>): Promise<string> {
    return (nodeFailureText(await failureOf(install), english) ?? '').replaceAll(/127\.0\.0\.1:\d+/g, '<registry>');
  }

  const left = (): string[] => (existsSync(folder()) ? readdirSync(folder()) : []);

  it('is the program and npm alone, and is downloaded once', async () => {
    const registry = await machine.registry();
    const all = nodes(registry);
    assert.equal(await all.installed(undefined), undefined);
    const reports: [number, number][] = [];
    const [one, other] = await Promise.all([all.install((...bytes) => reports.push(bytes)), all.install(() => undefined)]);
    assert.equal(one, other);
    assert.deepEqual(left(), ['node-test-24.1.0']);
    assert.deepEqual(readdirSync(path.join(folder(), 'node-test-24.1.0')).sort(), ['bin', 'npm']);
    assert.deepEqual(reports.at(-1)?.[0], reports.at(-1)?.[1]);
    assert.match(execFileSync(one.file, ['--version']).toString(), /^v24/);
    await nodes(registry).install(() => undefined);
    assert.deepEqual(registry.requests, ['/node-test/-/node-test-24.1.0.tgz', '/npm/-/npm-11.0.0.tgz']);
  });

  it('is used only in its range', async () => {
    const all = nodes(await machine.registry());
    await all.install(() => undefined);
    assert.equal((await all.installed('>=22'))?.version[0], 24);
    assert.equal(await all.installed('>=25'), undefined);
    assert.deepEqual([all.sizeFor('>=25'), typeof all.sizeFor('^24')], [undefined, 'number']);
  });

  it('is installed by two windows at the same time', async () => {
    const registry = await machine.registry();
    const both = await Promise.all([nodes(registry), nodes(registry)].map((each) => each.install(() => undefined)));
    assert.equal(both[0]!.file, both[1]!.file);
    assert.deepEqual(left(), ['node-test-24.1.0']);
  });

  const refusals: readonly (readonly [string, Parameters<Machine['registry']>[1], string])[] = [
    [
      'with another checksum',
      (archive, send, end) => (send(Buffer.concat([archive.subarray(1), Buffer.from('x')])), end()),
      '<registry> sent another file than Node.js: check the registry in your .npmrc, then retry.',
    ],
    [
      'that is cut off',
      (archive, send, end) => (send(archive.subarray(0, 100)), end()),
      '<registry> sent another file than Node.js: check the registry in your .npmrc, then retry.',
    ],
    [
      'that is larger than the real one',
      (archive, send) => (send(archive), send(Buffer.alloc(archive.length))),
      '<registry> sent another file than Node.js: check the registry in your .npmrc, then retry.',
    ],
  ];
  for (const [name, answer, sentence] of refusals) {
    it(`${name} is refused, and nothing is left`, async () => {
      assert.equal(await sentenceOf(nodes(await machine.registry('v24.1.0', answer)).install(() => undefined)), sentence);
      assert.deepEqual(left(), []);
    });
  }

  it('is not downloaded when the registry, or the proxy before it, does not answer', async () => {
    const { packages } = await machine.registry();
    const sentence = "Node.js couldn't be downloaded from <registry>: check the network and VS Code's setting http.proxy, then retry.";
    assert.equal(await sentenceOf(nodes({ address: 'http://127.0.0.1:9/', packages }).install(() => undefined)), sentence);
    const proxy = async (): Promise<Response> => Promise.reject(Object.assign(new TypeError('net::ERR_PROXY_CONNECTION_FAILED')));
    const refused = new ManagedNodes({
      folder: folder(),
      fetch: proxy,
      registry: async () => ({ url: 'http://127.0.0.1:4711/' }),
      packages: packages,
    });
    assert.equal(await sentenceOf(refused.install(() => undefined)), sentence);
    assert.deepEqual(left(), []);
  });

  it('is not downloaded over a certificate that is not trusted', async () => {
    const { packages } = await machine.registry();
    const untrusted = async (): Promise<Response> =>
      Promise.reject(
        new TypeError('fetch failed', {
          cause: Object.assign(new Error('self-signed certificate'), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }),
        }),
      );
    const all = new ManagedNodes({ folder: folder(), fetch: untrusted, registry: async () => ({ url: 'https://npm.example/' }), packages });
    assert.equal(
      await sentenceOf(all.install(() => undefined)),
      "The certificate of npm.example isn't trusted: add your organization's to this computer, then restart VS Code.",
    );
  });

  it('leaves nothing when the user cancels', async () => {
    const started = new AbortController();
    const registry = await machine.registry('v24.1.0', (archive, send) => (send(archive.subarray(0, 50)), started.abort()));
    const { reason } = await failureOf(nodes(registry).install(() => undefined, started.signal));
    assert.equal(reason, 'cancelled');
    assert.deepEqual(left(), []);
  });

  it('says so when the disk is full, and leaves nothing', async function () {
    const small = path.join(machine.root, 'small');
    mkdirSync(small);
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4k', 'none', small], { stdio: 'ignore' });
    } catch {
      this.skip(); // Only root may mount.
    }
    try {
      const registry = await machine.registry('v24.1.0', (archive, send, end) => (send(archive), end()));
      const packages = { ...registry.packages, node: { ...registry.packages.node, size: 1 << 20 } };
      writeFileSync(path.join(small, 'other'), '');
      const large = async (): Promise<Response> => new Response(new Uint8Array(1 << 19));
      const all = new ManagedNodes({
        folder: path.join(small, 'node'),
        fetch: large,
        registry: async () => ({ url: registry.address }),
        packages,
      });
      assert.equal(await sentenceOf(all.install(() => undefined)), 'The disk is full: free some space, then retry.');
      assert.deepEqual(readdirSync(path.join(small, 'node')), []);
    } finally {
      execFileSync('umount', [small]);
    }
  });

  it('does not count after its window was killed, and is installed again', async () => {
    const hanging = await machine.registry('v24.1.0', (archive, send) => send(archive.subarray(0, 200)));
    const { address, packages } = hanging;
    const tsx = path.resolve('test/support/tsx.cjs');
    const script = path.resolve('test/agent/starts/installNode.ts');
    const child = spawn(process.execPath, ['--require', tsx, script, JSON.stringify({ folder: folder(), address, packages })]);
    await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await once(child, 'exit');
    const [staging, ...others] = left();
    assert.match(staging ?? '', /^\.staging-/);
    assert.deepEqual(others, []);
    const registry = await machine.registry();
    const all = nodes(registry);
    assert.equal(await all.installed(undefined), undefined);
    // A recent folder may belong to a window that is still installing.
    const before = new Date(Date.now() - 2 * 3_600_000);
    utimesSync(path.join(folder(), staging!), before, before);
    await all.install(() => undefined);
    assert.deepEqual(left(), ['node-test-24.1.0']);
  });

  it('comes from the registry of the home folder, with its token, and never from that of a project', async () => {
    writeFileSync(
      path.join(machine.home, '.npmrc'),
      '; mine\nregistry=https://npm.example/team\n//npm.example/team/:_authToken=${TOKEN}\n',
    );
    writeFileSync(path.join(machine.project, '.npmrc'), 'registry=https://evil.example/\n');
    const environment = machine.environment({ TOKEN: 'secret' });
    assert.deepEqual(await userRegistry(environment), { url: 'https://npm.example/team/', authorization: 'Bearer secret' });
    assert.equal((await userRegistry({ ...environment, npm_config_registry: 'http://plain.example/' })).url, 'https://registry.npmjs.org/');
    assert.deepEqual(await userRegistry({ HOME: '/nowhere' }), { url: 'https://registry.npmjs.org/' });
    const other = path.join(machine.root, 'npmrc');
    writeFileSync(other, "registry='https://quoted.example'\n");
    for (const name of ['npm_config_userconfig', 'NPM_CONFIG_USERCONFIG']) {
      assert.deepEqual(await userRegistry({ ...environment, [name]: other }), { url: 'https://quoted.example/' });
    }
  });
});
