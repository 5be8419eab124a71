/** The services of a window for the start of agents. Each is optional: without it, an agent starts in the environment as it is. */
import type { ShellEnvironment } from './environment/shellEnvironment';
import type { ProjectEnvironment } from './environment/projectEnvironment';
import type { ManagedNode } from './node/managedNode';

/** A Node.js that an agent needs. */
export interface WantedNode {
  readonly agentName: string;
  /** The range of versions, as in `engines.node`; undefined when any version will do. */
  readonly range: string | undefined;
  /** The version that was found and is too old; undefined without one. */
  readonly found: string | undefined;
}

export interface StartServices {
  /** The environment of the user's shell, read once. */
  shell?(): Promise<ShellEnvironment>;
  /** The environment that a project's folder gives to its commands. */
  project?(folder: string, environment: Readonly<Record<string, string>>): Promise<ProjectEnvironment>;
  /** The Node.js of the extension's storage, when it is installed. */
  managedNode?(range: string | undefined): Promise<ManagedNode | undefined>;
  /** Offers to download one. Resolves to undefined when the user declines. @throws Fault `agent.node_not_installed` */
  offerNode?(wanted: WantedNode, report: (line: string) => void): Promise<ManagedNode | undefined>;
  /** The program that makes Node.js drop a folder from the PATH; see `preload.ts`. Absolute. */
  readonly preload?: string;
}
