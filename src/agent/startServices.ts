/** The services of a window for the start of agents. Each is optional: without it, an agent starts in the environment as it is. */
import type { Environment } from '../util/environment';
import type { ShellEnvironment } from './environment/shellEnvironment';
import type { ProjectEnvironment } from './environment/projectEnvironment';
import type { FoundNode } from './node/findNode';
import type { ManagedNode } from './node/managedNode';

export interface StartServices {
  /** The environment of the user's shell, read once. */
  shell?(): Promise<ShellEnvironment>;
  /** The environment that a project's folder gives to its commands. */
  project?(folder: string, environment: Readonly<Record<string, string>>): Promise<ProjectEnvironment>;
  /** A suitable Node.js of this machine that is not on the PATH. */
  installedNode?(environment: Environment, range: string | undefined): Promise<FoundNode | undefined>;
  /** The Node.js of the extension's storage, when it is installed and suitable. */
  managedNode?(range: string | undefined): Promise<ManagedNode | undefined>;
  /** The program that makes Node.js drop a folder from the PATH; see `preload.ts`. Absolute. */
  readonly preload?: string;
}
