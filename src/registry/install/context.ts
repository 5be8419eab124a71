/** The ports of an installation. */
import type { Environment } from '../../util/environment';
import type { ArchiveLimits } from '../archive/guard';
import type { Fetch, RequestLimits } from '../http';
import type { InstallProgress } from '../types';

/** The Node that agents run on, and the npm that installs them. */
export interface NodeTools {
  /** Absolute. */
  readonly node: string;
  /** npm's `npm-cli.js`, absolute. Undefined when the Node has no npm. */
  readonly npm?: string | undefined;
  /** Variables that this Node needs, such as `ELECTRON_RUN_AS_NODE`. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface InstallerDependencies {
  /** The folder of all agents, absolute. It is created with the first installation. */
  readonly folder: string;
  readonly fetch: Fetch;
  readonly now: () => number;
  /** The user's environment, without a project's variables. Proxies and certificates are included. */
  environment(): Promise<Environment> | Environment;
  /** Returns the Node for agents. Undefined when this machine has no usable one. @param engines the agent's range of versions, such as `>=22` */
  node(engines?: string): Promise<NodeTools | undefined>;
  /** The absolute path of `uv`. Undefined when it is not installed. */
  uv(): Promise<string | undefined>;
  /** The bounds of downloads and archives. Absent: those of the largest agents. */
  readonly limits?: { readonly download: RequestLimits; readonly archive: ArchiveLimits };
}

/** An installation that runs. */
export interface InstallContext extends Pick<InstallerDependencies, 'environment' | 'node' | 'uv' | 'fetch' | 'now' | 'limits'> {
  readonly report: (progress: InstallProgress) => void;
  readonly signal?: AbortSignal | undefined;
}
