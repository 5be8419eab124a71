// A loopback provider: an authorization server (RFC 8414, 7591, 7636, 9207) and an MCP server behind it, on one port. The user always agrees.
import { createHash, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';

const HOST = '127.0.0.1';

/**
 * Starts a provider.
 * @param {import('./oauthProvider.d.mts').ProviderOptions} options
 * @returns {Promise<import('./oauthProvider.d.mts').Provider>}
 */
export async function startProvider(options = {}) {
  const state = {
    options: { lifetime: 3600, ...options },
    requests: [],
    /** Token → ms of its end. */
    tokens: new Map(),
    refreshTokens: new Map(),
    codes: new Map(),
    clients: new Map(),
    calls: [],
    given: new Set(),
    count: 0,
  };
  const server = createServer((request, response) => {
    answer(state, base(), request, response).catch((error) => {
      console.error(error);
      response.destroy();
    });
  });
  await new Promise((resolve) => server.listen(0, HOST, resolve));
  const base = () => `http://${HOST}:${server.address().port}`;
  return {
    ...state,
    url: `${base()}/mcp`,
    issuer: `${base()}/as`,
    set: (changes) => Object.assign(state.options, changes),
    /** Ends all tokens. @param what `access` keeps the refresh tokens */
    revoke: (what = 'all') => {
      state.tokens.clear();
      if (what === 'all') state.refreshTokens.clear();
    },
    /** All secrets that were given out. */
    secrets: () => [...state.given],
    close: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
}

async function answer(state, base, request, response) {
  const { options } = state;
  const url = new URL(request.url, base);
  const body = await text(request);
  state.requests.push(`${request.method} ${url.pathname}`);
  const json = (value, status = 200, headers = {}) =>
    response.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store', ...headers }).end(JSON.stringify(value));
  const issuer = `${base}/as`;
  switch (url.pathname) {
    case '/.well-known/oauth-protected-resource/mcp':
      return json({ resource: `${base}/mcp`, authorization_servers: [issuer], scopes_supported: ['plums'], ...options.resource });
    case '/.well-known/oauth-authorization-server/as':
      if (options.metadataRedirect) return response.writeHead(302, { Location: options.metadataRedirect }).end();
      return json({
        issuer,
        authorization_endpoint: `${base}/authorize`,
        token_endpoint: `${base}/token`,
        registration_endpoint: `${base}/register`,
        response_types_supported: ['code'],
        grant_types_supported: ['authorization_code', 'refresh_token'],
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['none', 'client_secret_post'],
        authorization_response_iss_parameter_supported: true,
        ...options.metadata,
      });
    case '/register': {
      const client = JSON.parse(body);
      const client_id = randomUUID();
      state.clients.set(client_id, client.redirect_uris);
      return json({ ...client, client_id, client_id_issued_at: 1 }, 201);
    }
    case '/authorize': {
      const asked = Object.fromEntries(url.searchParams);
      const redirects = state.clients.get(asked.client_id) ?? options.clients?.[asked.client_id];
      if (!redirects?.includes(asked.redirect_uri)) return json({ error: 'invalid_redirect' }, 400);
      const code = given(state, 'code');
      state.codes.set(code, asked);
      const target = new URL(asked.redirect_uri);
      const answered = options.refuse ? { error: 'access_denied' } : { code };
      for (const [name, value] of Object.entries({ ...answered, state: asked.state, iss: issuer, ...options.answer }))
        target.searchParams.set(name, value);
      return response.writeHead(302, { Location: target.href }).end();
    }
    case '/token': {
      const asked = Object.fromEntries(new URLSearchParams(body));
      if (options.tokenStatus) return json({ error: 'server_error' }, options.tokenStatus);
      if (asked.grant_type === 'refresh_token') {
        if (!state.refreshTokens.delete(asked.refresh_token)) return json({ error: 'invalid_grant' }, 400);
        return json(newTokens(state));
      }
      const code = state.codes.get(asked.code);
      state.codes.delete(asked.code);
      const challenge = createHash('sha256')
        .update(asked.code_verifier ?? '')
        .digest('base64url');
      const fits =
        code && code.code_challenge === challenge && code.redirect_uri === asked.redirect_uri && code.client_id === asked.client_id;
      return fits && code.resource === `${base}/mcp` ? json(newTokens(state)) : json({ error: 'invalid_grant' }, 400);
    }
    case '/mcp': {
      const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
      if (!options.isOpen && !((state.tokens.get(token) ?? 0) > Date.now())) {
        const challenge = `Bearer resource_metadata="${options.metadataUrl ?? `${base}/.well-known/oauth-protected-resource/mcp`}"`;
        return json({ error: 'invalid_token' }, 401, { 'WWW-Authenticate': challenge });
      }
      return serve(state, url, request, body, response);
    }
    default:
      return json({ error: 'not_found' }, 404);
  }
}

function newTokens(state) {
  const { lifetime, tokens } = state.options;
  const [access, refresh] = [given(state, 'access'), given(state, 'refresh')];
  state.tokens.set(access, Date.now() + lifetime * 1000);
  state.refreshTokens.set(refresh, true);
  return { access_token: access, token_type: 'Bearer', expires_in: lifetime, refresh_token: refresh, scope: 'plums', ...tokens };
}

/** A secret that a search of files finds. */
function given(state, kind) {
  const secret = `plum-${kind}-${++state.count}-${randomUUID()}`;
  state.given.add(secret);
  return secret;
}

async function serve(state, url, request, body, response) {
  state.handler ??= createMcpHandler(() => {
    const server = new McpServer({ name: 'plums', version: '1.0.0' });
    server.registerTool(
      'count_plums',
      {
        description: 'Counts plums in a basket.',
        inputSchema: z.object({ basket: z.string() }),
        annotations: { readOnlyHint: true, openWorldHint: false },
      },
      async ({ basket }) => {
        state.calls.push(basket);
        return { content: [{ type: 'text', text: `${basket} has 4711 plums` }] };
      },
    );
    return server;
  });
  const hasBody = request.method !== 'GET' && request.method !== 'HEAD';
  const headers = new Headers(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  const answered = await state.handler.fetch(new Request(url, { method: request.method, headers, ...(hasBody && { body }) }));
  response.writeHead(answered.status, Object.fromEntries(answered.headers));
  response.flushHeaders();
  for await (const chunk of answered.body ?? []) response.write(chunk);
  response.end();
}

async function text(request) {
  let all = '';
  for await (const chunk of request) all += chunk;
  return all;
}
