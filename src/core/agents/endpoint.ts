/** The other end of a connection: where an agent runs, or how it is reached. */

/** A process that the extension starts. The default kind, because an entry of the settings names a program. */
export interface ProcessEndpoint {
  readonly kind?: 'process';
  readonly command: string;
  readonly args: readonly string[];
  /** Variables added to the cleaned environment. */
  readonly env: Readonly<Record<string, string>>;
  /** The working directory of the process, absolute. The session's `cwd` when absent. */
  readonly cwd?: string;
}

/** An agent at an address, which is reached over the proposal "Streamable HTTP and WebSocket transport". */
interface RemoteEndpointBase {
  /** With TLS, except on loopback or where the user waives it. */
  readonly url: string;
  /** True when the user waives TLS, and on this machine the check that the server is one of this user. */
  readonly allowInsecure?: boolean;
  /** Sent with the request that opens the connection; over HTTP with each request. The values are secrets. The variables are `${env:NAME}` and `${input:NAME}`. */
  readonly headers: Readonly<Record<string, string>>;
  /** The folder in which the agent works, as the agent's machine names it. The session's folder when absent. */
  readonly cwd?: string;
  /** Folders of this machine and their paths on the agent's machine. Undefined: nothing is known of the agent's files. */
  readonly pathMapping?: Readonly<Record<string, string>>;
}

export interface WebSocketEndpoint extends RemoteEndpointBase {
  readonly kind: 'websocket';
  readonly subprotocol?: string;
  /** SHA-256 of the only certificate that is accepted, in lower-case hexadecimal digits. It takes the place of the authorities. */
  readonly fingerprint?: string;
}

export interface HttpEndpoint extends RemoteEndpointBase {
  readonly kind: 'http';
}

export type RemoteEndpoint = WebSocketEndpoint | HttpEndpoint;

/** A program on another host, which the user's own `ssh` starts there. */
export interface SshEndpoint extends Pick<ProcessEndpoint, 'command' | 'args' | 'env'> {
  readonly kind: 'ssh';
  /** A name of the SSH configuration, or an address. */
  readonly host: string;
  /** The absolute folder on the host. The session's folder when absent. */
  readonly cwd?: string;
  /** Folders of this machine and their paths on the host. Undefined: nothing is known of the agent's files. */
  readonly pathMapping?: Readonly<Record<string, string>>;
  /** Ports of this machine that lead to the same ports of the host, for the pages of a sign-in. */
  readonly forwardPorts?: readonly number[];
}

/** A stream that other code hands in, such as a pipe to an agent in the same process. */
export interface StreamEndpoint {
  readonly kind: 'stream';
  /** Opens the stream. Called once per connection. */
  open(): StreamPair;
}

export type Endpoint = ProcessEndpoint | SshEndpoint | WebSocketEndpoint | HttpEndpoint | StreamEndpoint;
export type EndpointKind = NonNullable<Endpoint['kind']>;

/** Bytes in both directions, one JSON text per line. A pair of web streams fits. */
export interface StreamPair {
  readonly readable: { getReader(): StreamReader };
  readonly writable: { getWriter(): StreamWriter };
}

export interface StreamReader {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
  cancel(): Promise<void>;
}

export interface StreamWriter {
  write(bytes: Uint8Array): Promise<void>;
  close(): Promise<void>;
}

export function isProcess<E extends Endpoint>(endpoint: E): endpoint is Extract<E, { readonly kind?: 'process' }> {
  return endpoint.kind === undefined || endpoint.kind === 'process';
}

export function isRemote<E extends Endpoint>(endpoint: E): endpoint is Extract<E, { readonly kind: 'websocket' | 'http' }> {
  return endpoint.kind === 'websocket' || endpoint.kind === 'http';
}

/** True for an agent on a machine that may be another one. */
export function isElsewhere<E extends Endpoint>(endpoint: E): endpoint is Extract<E, { readonly kind: 'websocket' | 'http' | 'ssh' }> {
  return isRemote(endpoint) || endpoint.kind === 'ssh';
}

/** The absolute folder in which the agent works. @param cwd the session's folder */
export function workingFolder(endpoint: Endpoint, cwd: string): string {
  // The folder on a host is that of the agent alone: `ssh` itself starts in the session's.
  return endpoint.kind === 'stream' || endpoint.kind === 'ssh' ? cwd : (endpoint.cwd ?? cwd);
}
