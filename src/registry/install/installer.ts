/** Installs agents of a registry into a folder, and starts them from there. */
import type { Environment } from '../../util/environment';
import type { Fetch } from '../http';
import type { AgentInstaller } from '../types';

/** The Node that agents run on, and the npm that installs them. */
export interface NodeTools {
  /** Absolute. */
  readonly node: string;
  /** npm's `npm-cli.js`, absolute. Undefined when the Node has no npm. */
  readonly npm?: string;
}

export interface InstallerDependencies {
  /** The folder of all agents. It is created with the first installation. */
  readonly folder: string;
  readonly fetch: Fetch;
  readonly now: () => number;
  /** The user's environment, without a project's variables. Proxies and certificates are included. */
  environment(): Promise<Environment>;
  /** Undefined when this machine has no usable Node. */
  node(): Promise<NodeTools | undefined>;
  /** The absolute path of `uv`. Undefined when it is not installed. */
  uv(): Promise<string | undefined>;
}

export function createInstaller(_deps: InstallerDependencies): AgentInstaller {
  throw new Error('not written');
}
