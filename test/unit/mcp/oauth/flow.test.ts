/** The sign-in at a server of MCP, and hostile servers. */
import assert from 'node:assert/strict';
import type { McpRemoteServer } from '../../../../src/core/mcp/mcpServer';
import { type Callback, CALLBACK_PATH, listenForCallback } from '../../../../src/mcp/oauth/callback';
import { checkedAddress, RefusedAddress } from '../../../../src/mcp/oauth/addresses';
import { type Credentials, refresh, signIn, type SignInRequest } from '../../../../src/mcp/oauth/flow';
import { probe } from '../../../../src/mcp/oauth/probe';
import { safeFetch } from '../../../../src/mcp/oauth/safeFetch';
import { newToken } from '../../../../src/mcp/transports/token';
import { type Provider, type ProviderOptions, startProvider } from '../../../support/oauthProvider.mjs';

describe('the sign-in at an MCP server', () => {
  let provider: Provider;
  let callback: Callback;
  const state = newToken();

  beforeEach(async () => {
    provider = await startProvider();
    callback = await listenForCallback([0], state, 'done');
  });
  afterEach(async () => {
    callback.close();
    await provider.close();
  });

  const server = (): McpRemoteServer => ({ type: 'http', name: 'plums', url: provider.url, headers: {} });
  /** Signs in. The browser follows the redirect of the provider. */
  const signedIn = (more: Partial<SignInRequest> = {}): Promise<Credentials> => {
    const redirectUrl = `http://127.0.0.1:${callback.port}${CALLBACK_PATH}`;
    return signIn({
      server: server(),
      oauth: {},
      redirectUrl,
      state,
      open: async (url) => void (await fetch(url)),
      answer: () => callback.answer,
      fetch,
      signal: AbortSignal.timeout(10_000),
      now: () => 1000,
      ...more,
    });
  };

  it('registers a client, and gets a token that the server accepts', async () => {
    const { tokens, expiresAt, client } = await signedIn();
    assert.equal(expiresAt, 1000 + 3_600_000);
    assert.ok(provider.clients.has(client.client_id));
    const headers = { Authorization: `Bearer ${tokens.access_token}` };
    assert.equal((await probe(server(), fetch)).access, 'unauthorized');
    assert.equal((await probe({ ...server(), headers }, fetch)).access, 'granted');
  });

  it('refreshes a token once, and says when the user must sign in again', async () => {
    const first = await signedIn();
    const second = await refresh(server(), first, fetch, 5000);
    assert.notEqual(second?.tokens.access_token, first.tokens.access_token);
    assert.equal(second?.expiresAt, 5000 + 3_600_000);
    assert.equal(await refresh(server(), first, fetch, 5000), undefined);
    provider.set({ tokenStatus: 503 });
    await assert.rejects(refresh(server(), second!, fetch, 5000));
  });

  it('does not keep the end of a token that a refresh has replaced, nor one that no time has', async () => {
    const first = await signedIn();
    provider.set({ tokens: { expires_in: undefined } });
    const second = await refresh(server(), first, fetch, 5000);
    assert.deepEqual([first.expiresAt, second?.expiresAt], [1000 + 3_600_000, undefined]);
    provider.set({ tokens: { expires_in: 1e308 } });
    const third = await refresh(server(), second!, fetch, 5000);
    assert.equal((JSON.parse(JSON.stringify(third)) as Credentials).expiresAt, undefined);
  });

  it('names an answer that has another form, without quoting the check', async () => {
    provider.set({ tokens: { refresh_token: { a: 1 } } });
    await assert.rejects(signedIn(), /^Error: invalid_response$/);
    callback.close();
    callback = await listenForCallback([0], state, 'done');
    provider.set({ tokens: {} });
    const first = await signedIn();
    provider.set({ tokens: { access_token: 5 } });
    await assert.rejects(refresh(server(), first, fetch, 5000), /^Error: invalid_response$/);
    callback.close();
    callback = await listenForCallback([0], state, 'done');
    provider.set({ tokens: {}, answer: { code: '' } });
    await assert.rejects(signedIn(), /^Error: no_code$/);
  });

  it('uses the client of the setting, and that of an earlier sign-in', async () => {
    const redirectUrl = `http://127.0.0.1:${callback.port}${CALLBACK_PATH}`;
    provider.set({ clients: { mine: [redirectUrl] } });
    const { client } = await signedIn({ oauth: { clientId: 'mine' } });
    assert.equal(client.client_id, 'mine');
    assert.equal(provider.clients.size, 0);
    callback.close();
    callback = await listenForCallback([callback.port], state, 'done');
    await signedIn({ earlier: { client, redirectUrl } });
    assert.equal(provider.clients.size, 0);
  });

  it('gives the client of the setting to no other provider than before', async () => {
    const redirectUrl = `http://127.0.0.1:${callback.port}${CALLBACK_PATH}`;
    provider.set({ clients: { mine: [redirectUrl] } });
    const mine = { client_id: 'mine', client_secret: 'plum' };
    const oauth = { clientId: 'mine', clientSecret: 'plum' };
    const earlier = { client: { ...mine, issuer: 'https://other.example' }, redirectUrl };
    await assert.rejects(signedIn({ oauth, earlier }), /^Error: issuer_mismatch$/);
    const { client } = await signedIn({ oauth, earlier: { ...earlier, client: { ...mine, issuer: provider.issuer } } });
    assert.equal(client.client_id, 'mine');
  });

  it('sends no token to a server without encryption', async () => {
    const json = (value: object): Response => Response.json(value);
    const login = 'https://login.example';
    const challenge = { 'WWW-Authenticate': 'Bearer resource_metadata="https://plums.example/resource"' };
    const answers: Readonly<Record<string, () => Response>> = {
      'http://plums.example/mcp': () => new Response('', { status: 401, headers: challenge }),
      'https://plums.example/resource': () => json({ resource: 'http://plums.example/mcp', authorization_servers: [login] }),
      [`${login}/.well-known/oauth-authorization-server`]: () =>
        json({
          ...{ issuer: login, authorization_endpoint: `${login}/a`, token_endpoint: `${login}/t`, registration_endpoint: `${login}/r` },
          ...{ response_types_supported: ['code'], code_challenge_methods_supported: ['S256'] },
        }),
      [`${login}/r`]: () => json({ client_id: 'c', redirect_uris: ['http://127.0.0.1:1/callback'] }),
    };
    const plain = { ...server(), url: 'http://plums.example/mcp' };
    const opened: string[] = [];
    const open = async (url: URL): Promise<void> => {
      opened.push(url.href);
      throw new Error('opened');
    };
    const asking = async (url: string | URL): Promise<Response> => answers[String(url)]?.() ?? new Response('', { status: 404 });
    await assert.rejects(signedIn({ server: plain, open, fetch: asking }), RefusedAddress);
    assert.deepEqual(opened, []);
  });

  it('ends when the user refuses', async () => {
    provider.set({ refuse: true });
    await assert.rejects(signedIn(), /^Error: access_denied$/);
  });

  const hostile: readonly [name: string, options: ProviderOptions, refusal: RegExp, asked?: boolean][] = [
    ['a script in place of the page', { metadata: { authorization_endpoint: 'javascript:alert(1)' } }, /./],
    ['a page of another scheme', { metadata: { authorization_endpoint: 'vscode://evil.extension/run' } }, /refused address/],
    ['a page without encryption', { metadata: { authorization_endpoint: 'http://evil.example/authorize' } }, /refused address/],
    ['a page with a name and a password', { metadata: { authorization_endpoint: 'https://a:b@evil.example/' } }, /refused address/],
    ['a token endpoint without encryption', { metadata: { token_endpoint: 'http://evil.example/token' } }, /./, true],
    ['a registration without encryption', { metadata: { registration_endpoint: 'http://evil.example/r' } }, /refused address/],
    ['an issuer other than asked', { metadata: { issuer: 'https://other.example' } }, /issuer_mismatch/],
    ['an answer of another issuer', { answer: { iss: 'https://other.example' } }, /issuer_mismatch/, true],
    ['a resource other than the server', { resource: { resource: 'https://other.example/mcp' } }, /does not match/],
    ['no PKCE', { metadata: { code_challenge_methods_supported: ['plain'] } }, /./],
    ['a file as the metadata', { metadataUrl: 'file:///etc/passwd' }, /refused address/],
    ['a redirect of the metadata to a name without encryption', { metadataRedirect: 'http://evil.example/' }, /refused address/],
    ['a redirect to another scheme', { metadataRedirect: 'ftp://evil.example/' }, /refused address/],
    ['a token that begins another header', { tokens: { access_token: 'a\r\nX-Evil: 1' } }, /unsupported_token/, true],
    ['a token of another type', { tokens: { token_type: 'DPoP' } }, /./, true],
  ];
  for (const [name, options, refusal, asked = false] of hostile) {
    it(`refuses ${name}`, async () => {
      provider.set(options);
      const opened: string[] = [];
      const open = async (url: URL): Promise<void> => {
        opened.push(url.href);
        await fetch(url);
      };
      await assert.rejects(signedIn({ open }), (error: Error) => refusal.test(error.message));
      assert.equal(opened.length, asked ? 1 : 0);
    });
  }

  it('asks no machine of the local network for a server on the internet', async () => {
    const remote = 'https://mcp.example/mcp';
    for (const address of [
      'http://127.0.0.1:1/x',
      'https://127.0.0.1/x',
      'https://localhost/x',
      'https://10.0.0.1/x',
      'https://192.168.1.1/x',
      'https://169.254.169.254/latest',
      'https://[::1]/x',
      'https://[fd00::1]/x',
      'https://2130706433/x',
    ]) {
      assert.throws(() => checkedAddress(address, remote), RefusedAddress, address);
    }
    assert.equal(checkedAddress('https://login.example/x', remote).host, 'login.example');
    const asked: string[] = [];
    const redirecting = async (url: string | URL): Promise<Response> => {
      asked.push(String(url));
      return new Response(null, { status: 302, headers: { location: 'http://127.0.0.1:8080/secret' } });
    };
    await assert.rejects(safeFetch(remote, redirecting)('https://login.example/x'), RefusedAddress);
    await assert.rejects(safeFetch(remote, redirecting)('https://login.example/token', { method: 'POST', body: 'code=1' }), /redirect/);
    assert.deepEqual(asked, ['https://login.example/x', 'https://login.example/token']);
  });

  it('ends an answer that is too large', async () => {
    const large = async (): Promise<Response> => new Response('x'.repeat(1_100_000));
    await assert.rejects(safeFetch('https://mcp.example', large)('https://login.example/x'), /bytes/);
  });
});

describe('the page to which the browser returns', () => {
  it('takes the right state once, and nothing else', async () => {
    const callback = await listenForCallback([0], 'right', 'signed in');
    const base = `http://127.0.0.1:${callback.port}`;
    const status = async (path: string, init?: RequestInit): Promise<number> => (await fetch(base + path, init)).status;
    assert.equal(await status('/callback?code=a&state=wrong'), 400);
    assert.equal(await status('/callback?code=a'), 400);
    assert.equal(await status('/other?code=a&state=right'), 400);
    assert.equal(await status('/callback?code=a&state=right', { method: 'POST' }), 400);
    const page = await fetch(`${base}/callback?code=first&state=right`);
    assert.equal(page.status, 200);
    assert.match(page.headers.get('content-security-policy')!, /default-src 'none'/);
    assert.equal(await page.text(), 'signed in');
    assert.equal((await callback.answer).get('code'), 'first');
    assert.equal(await status('/callback?code=second&state=right'), 400);
    callback.close();
    await assert.rejects(fetch(`${base}/callback?code=a&state=right`));
  });
});
