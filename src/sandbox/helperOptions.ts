import type { ExpectedMounts } from './disk/mounts';

/** The content of the file that the helper reads at its start, as JSON. It is not part of the command line, which other users can read. */
export interface HelperOptions {
  readonly file: string;
  readonly args: readonly string[];
  /** The whole environment of the program. The helper and bubblewrap have another one, which no agent has a part in. */
  readonly environment: Readonly<Record<string, string>>;
  /** The proxy's socket inside the sandbox. */
  readonly socket: string;
  /** The loopback port inside the sandbox whose connections go to the proxy. */
  readonly proxyPort: number;
  /** The loopback ports that are forwarded to the same ports of the machine. */
  readonly ports: readonly number[];
  readonly mounts: ExpectedMounts;
}
