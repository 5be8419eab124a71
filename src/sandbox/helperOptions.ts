/** The first argument of the helper, as JSON. */
export interface HelperOptions {
  /** The proxy's socket inside the sandbox. Undefined when there is no network at all. */
  readonly socket?: string;
  /** The loopback port inside the sandbox that stands for the proxy. */
  readonly proxyPort: number;
  /** The loopback ports that are forwarded to the same ports of the machine. */
  readonly ports: readonly number[];
  /** Variables for the program that the helper itself must not have; null removes one. */
  readonly environment: Readonly<Record<string, string | null>>;
}
