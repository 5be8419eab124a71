/** The types of an agent's process behind the SDK's server. */
import type { AcpServerOptions } from '@agentclientprotocol/sdk/experimental/server';

type Write = (message: unknown) => Promise<void>;

export declare function processAgent(
  launch: {
    readonly command: string;
    readonly args: readonly string[];
    readonly cwd: string;
    readonly env: Readonly<Record<string, string | undefined>>;
  },
  deliver?: (write: Write, message: unknown) => Promise<void>,
): NonNullable<AcpServerOptions['agent']>;
