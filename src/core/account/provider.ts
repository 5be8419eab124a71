/** The endpoints from which an agent gets its models (RFD "Configurable LLM Providers"). */

/** An endpoint as the agent lists it. The agent never returns headers. */
export interface ModelProvider {
  readonly providerId: string;
  /** The kinds of endpoints that can be set, such as `anthropic`. */
  readonly supported: readonly string[];
  /** True when it cannot be turned off. */
  readonly required: boolean;
  /** Absent while it is turned off. */
  readonly current?: { readonly apiType: string; readonly baseUrl: string };
}

/** An endpoint as the user has set it. The headers contain the key. */
export interface ProviderEndpoint {
  readonly providerId: string;
  readonly apiType: string;
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The user's choice for one of the agent's endpoints. */
export type ProviderChoice = ProviderEndpoint | { readonly providerId: string; readonly isOff: true };
