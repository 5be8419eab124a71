/** The types of the loopback provider. */
export interface ProviderOptions {
  /** s of an access token. */
  lifetime?: number;
  /** Members that replace those of the metadata. */
  metadata?: object;
  resource?: object;
  tokens?: object;
  /** Parameters of the address of return. */
  answer?: Record<string, string>;
  /** The status with which the token endpoint fails. */
  tokenStatus?: number | undefined;
  metadataRedirect?: string;
  metadataUrl?: string;
  refuse?: boolean;
  /** The server asks for no token. */
  isOpen?: boolean;
  /** The addresses of return of clients that are registered by hand. */
  clients?: Record<string, string[]>;
}

export interface Provider {
  readonly url: string;
  readonly issuer: string;
  /** Each request as method and path. */
  readonly requests: string[];
  readonly clients: Map<string, string[]>;
  readonly tokens: Map<string, number>;
  /** The baskets of the tool's calls. */
  readonly calls: string[];
  set(changes: ProviderOptions): void;
  revoke(what?: 'all' | 'access'): void;
  secrets(): string[];
  close(): Promise<void>;
}

export function startProvider(options?: ProviderOptions): Promise<Provider>;
