/** The sign-ins at servers: kept, refreshed, and forgotten. */
import assert from 'node:assert/strict';
import { type Authorization, ServerSignIns, type SignInSubject } from '../../../../src/application/mcp/serverSignIns';
import { shapeOf, fingerprintOf } from '../../../../src/application/mcp/userServers';
import { signInAt } from '../../../support/browserSignIn';
import { type Provider, startProvider } from '../../../support/oauthProvider.mjs';
import { FakeClock } from '../../session/permission/fakes';
import { FakeSecrets, FakeStorage } from './fakes';

const MINUTE = 60_000;

describe('the sign-ins at MCP servers', () => {
  let provider: Provider;
  let clock: FakeClock;
  let secrets: FakeSecrets;
  let storage: FakeStorage;
  let changes: number;
  let signIns: ServerSignIns;
  const opened = (): ServerSignIns =>
    new ServerSignIns({ secrets, storage, clock, fetch: (url, init) => fetch(url, init), changed: () => void changes++ });

  beforeEach(async () => {
    provider = await startProvider();
    [clock, secrets, storage, changes] = [new FakeClock(), new FakeSecrets(), new FakeStorage(), 0];
    signIns = opened();
  });
  afterEach(() => provider.close());

  const subject = (more: Partial<SignInSubject> = {}): SignInSubject => ({
    sourceId: 'settings',
    name: 'plums',
    server: { type: 'http', name: 'plums', url: provider.url, headers: {} },
    oauth: {},
    ...more,
  });
  const signedIn = async (at = subject()): Promise<boolean> => signIns.keep(at, await signInAt(at.server, () => clock.now()));
  const tokenOf = (authorization: Authorization): string | undefined =>
    authorization.type === 'signed_in' ? authorization.server.headers['Authorization'] : undefined;
  const asked = (path: string): number => provider.requests.filter((each) => each === path).length;
  const until = async (what: string, holds: () => boolean): Promise<void> => {
    for (let tries = 0; !holds(); tries++) {
      assert.ok(tries < 500, `waited for ${what}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };

  it('are needed by a server that refuses, and by no other', async () => {
    assert.deepEqual(await signIns.authorize(subject()), { type: 'sign_in' });
    await signIns.authorize(subject());
    assert.equal(asked('POST /mcp'), 1, 'the answer is believed for a while');
    provider.set({ isOpen: true });
    clock.pass(11 * MINUTE);
    assert.equal((await signIns.authorize(subject())).type, 'open');
    await provider.close();
    const gone = subject({ server: { ...subject().server, url: 'http://127.0.0.1:1/mcp' } });
    assert.equal((await signIns.authorize(gone)).type, 'open', 'the agent reports a server that does not answer');
  });

  it('pass the token as a header, for the same source, name and address alone', async () => {
    await signIns.authorize(subject());
    assert.equal(await signedIn(), true);
    const passing = await signIns.authorize(subject());
    assert.match(tokenOf(passing)!, /^Bearer plum-access-/);
    const { server } = subject();
    for (const other of [{ sourceId: 'folder:/w' }, { name: 'other' }, { server: { ...server, url: `${server.url}?x` } }]) {
      assert.deepEqual(await signIns.authorize(subject(other)), { type: 'sign_in' });
    }
    assert.equal(asked('POST /token'), 1);
    assert.doesNotMatch(JSON.stringify([...storage.stored]), /plum-/);
    assert.equal(secrets.kept.size, 1);
    const passed = passing.type === 'signed_in' ? passing.server : server;
    assert.notEqual(fingerprintOf([passed]), fingerprintOf([server]));
    assert.equal(shapeOf([passed]), shapeOf([server]));
  });

  it('are refreshed before their end while the window runs, and announced', async () => {
    await signedIn();
    const first = tokenOf(await signIns.authorize(subject()));
    clock.pass(54 * MINUTE);
    assert.equal(changes, 0);
    clock.pass(2 * MINUTE);
    await until('the refresh', () => changes === 1);
    const second = tokenOf(await signIns.authorize(subject()));
    assert.notEqual(second, first);
    assert.equal(asked('POST /token'), 2);
  });

  it('are refreshed when a window opens, once for sessions that open together', async () => {
    await signedIn();
    clock.pass(58 * MINUTE);
    signIns = opened();
    const [first, second] = await Promise.all([signIns.authorize(subject()), signIns.authorize(subject())]);
    assert.equal(tokenOf(first), tokenOf(second));
    assert.equal(asked('POST /token'), 2);
  });

  it('are refreshed when the server has ended the token, and needed again when it refuses', async () => {
    await signedIn();
    provider.revoke('access');
    signIns = opened();
    assert.equal((await signIns.authorize(subject())).type, 'signed_in');
    provider.revoke();
    signIns = opened();
    assert.deepEqual(await signIns.authorize(subject()), { type: 'sign_in' });
  });

  it('take the token of another window that was faster', async () => {
    await signedIn();
    const other = opened();
    clock.pass(58 * MINUTE);
    const stale = [...secrets.kept.entries()][0]!;
    const get = secrets.get.bind(secrets);
    await other.authorize(subject());
    let reads = 0;
    secrets.get = async (key) => (reads++ === 0 ? stale[1] : get(key));
    assert.equal((await signIns.authorize(subject())).type, 'signed_in');
  });

  it('last to their end when the server cannot be reached, and fail after it', async () => {
    await signedIn();
    provider.set({ tokenStatus: 503 });
    clock.pass(57 * MINUTE);
    assert.equal((await signIns.authorize(subject())).type, 'signed_in');
    clock.pass(4 * MINUTE);
    assert.equal((await signIns.authorize(subject())).type, 'failed');
  });

  it('end when the user signs out', async () => {
    await signedIn();
    await signIns.authorize(subject());
    assert.deepEqual(
      signIns.list().map(({ name, sourceId }) => [name, sourceId]),
      [['plums', 'settings']],
    );
    await signIns.forget(signIns.list());
    assert.deepEqual(await signIns.authorize(subject()), { type: 'sign_in' });
    assert.deepEqual([secrets.kept.size, signIns.list(), clock.pending], [0, [], 0]);
  });

  it('stay ended when the user signs out during a refresh', async () => {
    await signedIn();
    clock.pass(58 * MINUTE);
    let release!: () => void;
    const released = new Promise<void>((resolve) => (release = resolve));
    let refreshes = 0;
    const slow = async (url: string | URL, init?: RequestInit): Promise<Response> => {
      const answer = await fetch(url, init);
      if (String(url).endsWith('/token')) {
        refreshes++;
        await released;
      }
      return answer;
    };
    signIns = new ServerSignIns({ secrets, storage, clock, fetch: slow, changed: () => undefined });
    const authorizing = signIns.authorize(subject());
    await until('the refresh', () => refreshes === 1);
    await signIns.forget(signIns.list());
    release();
    assert.deepEqual(await authorizing, { type: 'sign_in' });
    assert.equal(secrets.kept.size, 0);
  });

  it('are not refreshed without a pause for a server whose tokens end at once', async () => {
    provider.set({ tokens: { expires_in: 0 } });
    await signedIn();
    await signIns.authorize(subject());
    const before = asked('POST /token');
    clock.pass(10_000);
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.equal(asked('POST /token'), before);
    clock.pass(10_000);
    await until('the refresh', () => asked('POST /token') === before + 1);
  });

  it('fail without the text of the server, which may repeat the token', async () => {
    await signedIn();
    clock.pass(61 * MINUTE);
    for (const status of [500, 200]) {
      const echo = async (url: string | URL, init?: RequestInit): Promise<Response> =>
        String(url).endsWith('/token') ? new Response(String(init?.body), { status }) : fetch(url, init);
      signIns = new ServerSignIns({ secrets, storage, clock, fetch: echo, changed: () => undefined });
      assert.deepEqual(await signIns.authorize(subject()), { type: 'failed', detail: 'server_error' });
    }
  });

  it('last until the window closes when the secret storage does not work', async () => {
    secrets.isBroken = true;
    assert.equal(await signedIn(), false);
    assert.equal((await signIns.authorize(subject())).type, 'signed_in');
    assert.equal((await opened().authorize(subject())).type, 'sign_in');
  });
});
