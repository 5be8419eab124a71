/** The sign-in at an MCP server with the flow of the official SDK: discovery, registration, PKCE, and the refresh of tokens. Loaded late. */
import {
  auth,
  AuthorizationServerMismatchError,
  extractWWWAuthenticateParams,
  IssuerMismatchError,
  OAuthError,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  refreshAuthorization,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import type { McpRemoteServer } from '../../core/mcp/mcpServer';
import type { OAuthDefinition } from '../config/serverDefinition';
import { checkedAddress, RefusedAddress } from './addresses';
import { probe } from './probe';
import { type Fetch, safeFetch } from './safeFetch';

/** Everything that a sign-in leaves. All of it is secret. */
export interface Credentials {
  readonly tokens: StoredOAuthTokens;
  /** ms since the epoch. Undefined: the server did not say. */
  readonly expiresAt?: number;
  readonly client: StoredOAuthClientInformation;
  readonly redirectUrl: string;
  readonly discovery: OAuthDiscoveryState;
}

export interface SignInRequest {
  readonly server: McpRemoteServer;
  readonly oauth: OAuthDefinition;
  /** The address to which the browser returns. */
  readonly redirectUrl: string;
  readonly state: string;
  /** The credentials of an earlier sign-in, whose client is used again. */
  readonly earlier?: Pick<Credentials, 'client' | 'redirectUrl'>;
  /** Opens the browser. The address is checked. */
  open(url: URL): Promise<void>;
  /** The parameters with which the browser returned. Their state is checked. */
  readonly answer: () => Promise<URLSearchParams>;
  readonly fetch: Fetch;
  readonly signal: AbortSignal;
  now(): number;
}

/** The reason why a sign-in did not end: a code of OAuth (RFC 6749), never the text of the server. */
export class SignInError extends Error {}

const CLIENT_NAME = 'ACP Host (VS Code)';
/** The characters of a bearer token (RFC 6750). Others could begin another header. */
const TOKEN = /^[\x21-\x7e]{1,16000}$/;

export async function signIn(request: SignInRequest): Promise<Credentials> {
  try {
    return await signedIn(request);
  } catch (error) {
    // The message quotes the other server, which chose the text.
    throw error instanceof IssuerMismatchError || error instanceof AuthorizationServerMismatchError
      ? new SignInError('issuer_mismatch')
      : isMalformed(error)
        ? new SignInError('invalid_response')
        : error;
  }
}

async function signedIn(request: SignInRequest): Promise<Credentials> {
  const { server, redirectUrl } = request;
  // Each request to the server carries the token.
  checkedAddress(server.url, server.url);
  const safely = safeFetch(server.url, request.fetch, request.signal);
  let refused: RefusedAddress | undefined;
  // The SDK treats metadata that cannot be loaded as metadata that does not exist.
  const fetchFn: Fetch = async (address, init) => {
    try {
      return await safely(address, init);
    } catch (error) {
      refused ??= error instanceof RefusedAddress ? error : undefined;
      throw error;
    }
  };
  const { response } = await probe(server, request.fetch);
  const { resourceMetadataUrl, scope: challenged } = response ? extractWWWAuthenticateParams(response) : {};
  const scope = request.oauth.scopes?.join(' ') ?? challenged;
  const provider = new Provider(request);
  const options = { serverUrl: server.url, fetchFn, ...(resourceMetadataUrl && { resourceMetadataUrl }), ...(scope && { scope }) };
  const result = await auth(provider, options).catch((error: unknown) => {
    throw refused ?? error;
  });
  if (refused || result !== 'REDIRECT' || !provider.target) {
    throw refused ?? new SignInError('no_redirect');
  }
  await request.open(provider.target);
  const answer = await request.answer();
  const error = answer.get('error');
  if (error !== null) {
    throw new SignInError(/^[a-z_]{1,60}$/.test(error) ? error : 'refused');
  }
  const [code, iss] = [answer.get('code'), answer.get('iss')];
  if (!code) {
    throw new SignInError('no_code');
  }
  await auth(provider, { ...options, authorizationCode: code, ...(iss !== null && { iss }) });
  const { saved, client, discovery } = provider;
  if (!saved || !client || !discovery) {
    throw new SignInError('no_token');
  }
  return { ...tokensAt(saved, request.now()), client, redirectUrl, discovery };
}

/** Returns new tokens. Undefined when the user must sign in again. Rejects when the server cannot be reached. */
export async function refresh(
  server: McpRemoteServer,
  credentials: Credentials,
  fetch: Fetch,
  now: number,
): Promise<Credentials | undefined> {
  // The end of the earlier token is not that of the new one.
  const { expiresAt: _, ...lasting } = credentials;
  const { tokens, client, discovery } = lasting;
  const { authorizationServerMetadata: metadata, authorizationServerUrl, resourceMetadata } = discovery;
  if (!tokens.refresh_token) {
    return undefined;
  }
  try {
    const refreshed = await refreshAuthorization(authorizationServerUrl, {
      ...(metadata && { metadata }),
      ...(resourceMetadata && { resource: resourceMetadata.resource }),
      clientInformation: client,
      refreshToken: tokens.refresh_token,
      fetchFn: safeFetch(server.url, fetch),
    });
    return { ...lasting, ...tokensAt({ ...refreshed, ...(tokens.issuer !== undefined && { issuer: tokens.issuer }) }, now) };
  } catch (error) {
    if (error instanceof OAuthError && /^(?:invalid_grant|invalid_client|unauthorized_client|invalid_scope)$/.test(error.code)) {
      return undefined;
    }
    throw withoutAnswer(error);
  }
}

/** Returns an error without the text of the server, which may repeat the refresh token. The text would reach the session's record. */
function withoutAnswer(error: unknown): unknown {
  if (error instanceof OAuthError) {
    return new SignInError(/^[a-z_]{1,60}$/.test(error.code) ? error.code : 'server_error');
  }
  return error instanceof SyntaxError ? new SignInError('server_error') : isMalformed(error) ? new SignInError('invalid_response') : error;
}

/** True for an answer that has another form than the protocol's. The message of the check is no text for users. */
function isMalformed(error: unknown): boolean {
  return error instanceof Error && error.name === 'ZodError';
}

function tokensAt(tokens: StoredOAuthTokens, now: number): Pick<Credentials, 'tokens' | 'expiresAt'> {
  if (!TOKEN.test(tokens.access_token) || tokens.token_type.toLowerCase() !== 'bearer') {
    throw new SignInError('unsupported_token');
  }
  const end = now + (tokens.expires_in ?? Number.NaN) * 1000;
  // JSON has no infinite number.
  return { tokens, ...(Number.isFinite(end) && { expiresAt: end }) };
}

/** One sign-in. Nothing of it is stored before its end. */
class Provider implements OAuthClientProvider {
  target: URL | undefined;
  client: StoredOAuthClientInformation | undefined;
  saved: StoredOAuthTokens | undefined;
  discovery: OAuthDiscoveryState | undefined;
  private verifier = '';

  constructor(private readonly request: SignInRequest) {
    const { oauth, earlier, redirectUrl } = request;
    const { clientId, clientSecret } = oauth;
    if (clientId !== undefined) {
      const issuer = earlier?.client.client_id === clientId ? earlier.client.issuer : undefined;
      this.client = {
        client_id: clientId,
        ...(clientSecret !== undefined && { client_secret: clientSecret }),
        ...(issuer !== undefined && { issuer }),
      };
    } else if (earlier?.redirectUrl === redirectUrl) {
      // Servers refuse a client that was registered for another address of return.
      this.client = earlier.client;
    }
  }

  get redirectUrl(): string {
    return this.request.redirectUrl;
  }

  get clientMetadata() {
    const { clientSecret } = this.request.oauth;
    return {
      client_name: CLIENT_NAME,
      redirect_uris: [this.redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: clientSecret === undefined ? 'none' : 'client_secret_post',
    };
  }

  state(): string {
    return this.request.state;
  }

  clientInformation(): StoredOAuthClientInformation | undefined {
    return this.client;
  }

  saveClientInformation(client: StoredOAuthClientInformation): void {
    const { clientId } = this.request.oauth;
    if (clientId !== undefined && client.client_id !== clientId) {
      // The server names another provider than before, which must not get the secret of the user's client.
      throw new SignInError('issuer_mismatch');
    }
    this.client = client;
  }

  /** Returns nothing, so that the SDK asks the user. */
  tokens(): StoredOAuthTokens | undefined {
    return undefined;
  }

  saveTokens(tokens: StoredOAuthTokens): void {
    this.saved = tokens;
  }

  redirectToAuthorization(url: URL): void {
    this.target = checkedAddress(url, this.request.server.url);
  }

  saveCodeVerifier(verifier: string): void {
    this.verifier = verifier;
  }

  codeVerifier(): string {
    return this.verifier;
  }

  saveDiscoveryState(discovery: OAuthDiscoveryState): void {
    this.discovery = discovery;
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.discovery;
  }
}
