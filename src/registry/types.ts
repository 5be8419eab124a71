/** The agents of ACP registries, and those of them that are installed on this machine. Source: the manifest schema of 2026-08. */
import type { Failure } from '../core/model/failure';

/** A way to run an agent on this machine. `args` and `env` are the manifest's. */
export type InstallWay = PackageWay | BinaryWay;

/** A package of npm (`npx`) or PyPI (`uvx`). `package` names an exact version, such as `cline@3.0.65`. */
export interface PackageWay {
  readonly kind: 'npx' | 'uvx';
  readonly package: string;
  /** The package's program. Absent: the one that `npx` or `uvx` would choose. */
  readonly cmd?: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** An archive or a single program. `cmd` is relative to the unpacked archive. */
export interface BinaryWay {
  readonly kind: 'binary';
  readonly archive: string;
  /** Lower-case hexadecimal. Absent: the manifest has no checksum. */
  readonly sha256?: string;
  readonly cmd: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** An agent of a registry. All text is the manifest's, bounded and not trusted. */
export interface RegistryAgent {
  /** Unique in its registry. A refused duplicate, and an entry without a valid id, have an id with `#`, which no valid id contains. */
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license?: string;
  readonly licenseUrl?: string;
  readonly website?: string;
  readonly repository?: string;
  readonly authors: readonly string[];
  /** A monochrome SVG, rebuilt from the allowed shapes of the manifest's icon. */
  readonly icon?: string;
  /** The address of the registry. */
  readonly origin: string;
  /** The agent's identity in the catalog and in sessions, also before it is installed. A predefined agent keeps its own. */
  readonly agentId: string;
  /** The ways that run on this platform, the best first. Empty with `problem`, or where the agent does not support the platform. */
  readonly ways: readonly InstallWay[];
  /** The manifest is refused; its other fields are then shown as far as they are valid. */
  readonly problem?: Failure;
}

/** The state of all registries. A registry that cannot be reached keeps the agents of its cache. */
export interface RegistryState {
  readonly agents: readonly RegistryAgent[];
  readonly registries: readonly {
    readonly url: string;
    /** Milliseconds since 1970 of the last answer, also of one that said "not changed". */
    readonly checkedAt?: number;
    readonly problem?: Failure;
  }[];
}

/** The list of agents from the registries of `acpHost.registry.urls`. */
export interface RegistryIndex {
  /** The list of the cache, without a request. */
  cached(): Promise<RegistryState>;
  /**
   * Asks every registry, by ETag. Never rejects: a registry's failure is its `problem`.
   * @param report called when a registry has answered, while others are waited for
   */
  refresh(signal?: AbortSignal, report?: (state: RegistryState) => void): Promise<RegistryState>;
}

/** An installed version. `folder` is absolute and contains nothing else. */
export interface InstalledVersion {
  readonly version: string;
  readonly folder: string;
  readonly way: InstallWay['kind'];
  /** The package or the archive that was installed. */
  readonly source: string;
  /** Milliseconds since 1970. */
  readonly installedAt: number;
  /** The command is absolute. It makes no network request. */
  readonly launch: { readonly command: string; readonly args: readonly string[]; readonly env: Readonly<Record<string, string>> };
}

/** An agent that was installed from a registry. */
export interface InstalledAgent {
  /** The agent's identity in the catalog and in sessions; see `registryAgentId`. */
  readonly agentId: string;
  readonly id: string;
  readonly origin: string;
  readonly name: string;
  readonly icon?: string;
  /** The version that starts. */
  readonly current: InstalledVersion;
  /** The other versions that are installed, the one installed last first. */
  readonly previous: readonly InstalledVersion[];
  /** The version that a rollback starts: the one that was used before the current one. Absent when none is older. */
  readonly earlier?: InstalledVersion;
  /** The version from which the user went back. It is not offered again. */
  readonly skipped?: string;
  /** The starts of the current version that failed since its installation. 0 after a start that succeeded. */
  readonly failedStarts: number;
  /** True when the current version has been ready at least once. */
  readonly hasStarted: boolean;
  /** The user stays with the current version; updates are not offered. */
  readonly pinned: boolean;
}

/** The progress of an installation. `total` is absent while it is unknown; both are bytes. */
export interface InstallProgress {
  readonly step: 'download' | 'verify' | 'unpack' | 'finish';
  readonly done?: number;
  readonly total?: number;
}

/** Installs agents into the extension's storage. A cancelled, failed or killed installation leaves nothing that counts as installed. */
export interface AgentInstaller {
  /** Installs the version of the manifest, also as an update. @throws FailureError */
  install(agent: RegistryAgent, report: (progress: InstallProgress) => void, signal?: AbortSignal): Promise<InstalledAgent>;
  /** Starts the version that was used before from now on. @throws FailureError where there is none */
  rollBack(agentId: string): Promise<InstalledAgent>;
  /** Starts this installed version from now on. @throws FailureError where it is not installed */
  choose(agentId: string, version: string): Promise<InstalledAgent>;
  /** Keeps the current version, or offers updates again. */
  pin(agentId: string, pinned: boolean): Promise<InstalledAgent>;
  /** True while a process of this or another window runs a version of the agent, which then can't be uninstalled. */
  isUsed(agentId: string): Promise<boolean>;
  /** Removes all versions that no process of another window uses. @throws FailureError when one is in use */
  uninstall(agentId: string): Promise<void>;
  /** The installed agents. A node program's command is resolved with each call. */
  list(): Promise<readonly InstalledAgent[]>;
  /**
   * Marks the version in this folder as used by this process, so that no window deletes it. @returns a function that ends the use; undefined when the
   * file does not belong to an installed version
   */
  use(file: string): Promise<(() => void) | undefined>;
  /** Marks the version in this folder as used until the keeper with this process id has ended: its agent may outlive this window. */
  useKept(file: string, keeperPid: number): Promise<void>;
  /** Records a start of the version in this folder. @returns the agent; undefined when the file does not belong to an installed version */
  recordStart(file: string, succeeded: boolean): Promise<InstalledAgent | undefined>;
  /** Deletes what cancelled, failed and killed installations of processes that ended have left. */
  clean(): Promise<void>;
  /** Called after every change, also of another window. @returns a function that ends it */
  onDidChange(listener: () => void): () => void;
}
