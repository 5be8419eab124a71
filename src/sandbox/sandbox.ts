/** A sandbox of the operating system: wraps programs so that they write, read and connect only as the plan allows. */
import { mkdtemp, chmod, mkdir, realpath, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { gitFolders } from './disk/gitFolders';
import { holdFiles } from './disk/gitHolds';
import { keepFolder, PREFIX, removeFolder, UNREADABLE } from './disk/privateFolders';
import type { SandboxRefusal } from '../core/sandbox/sandbox';
import type { Disposable } from '../core/platform/disposable';
import { failureOf, fault, Fault } from '../core/model/failure';
import type { Environment } from '../util/environment';
import { endpointHosts, placesOf, type NamedStart } from './plan/agentState';
import { expectedMounts, gatherPlan, withoutGoneSockets } from './disk/gatherPlaces';
import type { RuleFor } from './disk/protectedFiles';
import { insideEnvironment } from './environment';
import type { HelperOptions } from './helperOptions';
import { loopbackPorts } from './network/hosts';
import { startProxy, type Proxy } from './network/proxy';
import type { SandboxPlan } from './plan/plan';
import { refusalsIn } from './refusals';
import { foldersOf, isNetworkOff, textsOf, type SandboxSettings } from './settings';
import { bubblewrapArguments, SOCKET_FOLDER } from './system/bubblewrap';
import { findSandbox } from './system/probe';
import { seatbeltProfile } from './system/seatbelt';

/** A program with its exact arguments and environment. */
export interface SandboxedProgram {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
}

export interface SandboxDependencies {
  /** The session's folders, read at each start. */
  roots(): readonly string[];
  /** The agent that runs in the sandbox; for commands, the agent that runs them. */
  readonly agent: NamedStart;
  /** True for the agent's own process, which needs its state and the hosts of its models. */
  readonly isAgent: boolean;
  /** The user's settings, read at each start, and the hosts for each connection. */
  settings(): SandboxSettings;
  /** The user's rules for protected files. */
  ruleFor(): Promise<RuleFor>;
  /** The folder in which the caches of sandboxed programs stay, absolute. */
  readonly cacheFolder: string;
  /** The built `helper.ts`. */
  readonly helper: string;
  /** The environment of the extension host. */
  readonly environment: Environment;
}

/** A program inside a sandbox. Disposed when it has ended. */
export interface WrappedProgram extends Disposable {
  readonly program: SandboxedProgram;
  /** Returns the refused accesses to files in the output of the program. */
  refusalsIn(output: string, cwd: string): readonly SandboxRefusal[];
}

const PROXY_PORT = 3128;
/** Hosts that an agent's package runner downloads from. */
const REGISTRIES = ['registry.npmjs.org', 'registry.yarnpkg.com', 'pypi.org', 'files.pythonhosted.org'];
/** The file beside the socket that the helper reads. */
const START = 'start.json';

export class Sandbox implements Disposable {
  private ready: Promise<Ready> | undefined;
  private disposed = false;
  private wrapped = 0;
  /** The files that a project lacks, made for the programs. */
  private held: Disposable | undefined;
  /** The proxies of programs that have not ended. */
  private readonly open = new Set<Proxy>();

  constructor(private readonly deps: SandboxDependencies) {}

  /**
   * Returns the program that runs `program` inside.
   * @param hasTerminal it runs on a terminal of its own @param onRefused called for each refused connection
   * @throws Fault `sandbox.*`
   */
  async wrap(program: SandboxedProgram, hasTerminal: boolean, onRefused: (refusal: SandboxRefusal) => void): Promise<WrappedProgram> {
    try {
      return await this.wrapWhole(program, hasTerminal, onRefused);
    } catch (error) {
      throw error instanceof Fault ? error : fault('sandbox.failed', undefined, { detail: failureOf(error).detail ?? '' });
    }
  }

  private async wrapWhole(
    program: SandboxedProgram,
    hasTerminal: boolean,
    onRefused: (refusal: SandboxRefusal) => void,
  ): Promise<WrappedProgram> {
    const ready = await (this.ready ??= this.prepare());
    await this.hold();
    const { deps } = this;
    const { writable, unreadable } = deps.settings();
    const home = await realpath(homedir());
    // The user's entry may give the agent another home. An agent chooses the environment of its commands.
    const environment = deps.isAgent ? program.environment : {};
    const agentHome = environment['HOME']?.startsWith('/') ? environment['HOME'] : homedir();
    const places = placesOf(deps.agent, agentHome, environment);
    const plan = await gatherPlan({
      homes: [...new Set([home, agentHome])],
      roots: deps.roots(),
      agent: deps.isAgent
        ? places
        : { ...places, write: [], readOnly: [], others: [...places.others, ...places.write.map((each) => each.path)] },
      writable: foldersOf(writable, home),
      unreadable: foldersOf(unreadable, home),
      caches: [deps.cacheFolder],
      // The user has configured the agent's start, but the agent chooses its commands: their arguments must not open a hidden place.
      needed: [deps.helper, process.execPath, ...(deps.isAgent ? [program.cwd, program.file, ...program.args] : [])].filter((each) =>
        each.startsWith('/'),
      ),
      ruleFor: await deps.ruleFor(),
    });
    const hosts = this.hostsOf(deps.isAgent ? [...endpointHosts(environment), ...places.hosts, ...REGISTRIES] : []);
    const sockets = path.join(ready.folder, `run-${++this.wrapped}`);
    await mkdir(sockets, { mode: 0o700 });
    const proxy = await startProxy(process.platform === 'darwin' ? undefined : path.join(sockets, 'proxy.sock'), {
      hosts,
      onRefused: (target) => onRefused({ kind: 'host', target }),
    });
    this.open.add(proxy);
    const inside = { ...ready, plan, hosts: hosts(), sockets, proxy };
    return {
      program: process.platform === 'darwin' ? this.onMac(program, inside) : await this.onLinux(program, inside, hasTerminal),
      refusalsIn: (output, cwd) => refusalsIn(output, { plan, cwd, home }),
      dispose: () => {
        this.open.delete(proxy);
        proxy.dispose();
        void rm(sockets, { recursive: true, force: true }).catch(() => undefined);
      },
    };
  }

  /** Makes the files again that are gone. They stay until the sandbox ends, so that they do not come and go with each command. */
  private async hold(): Promise<void> {
    const roots = this.deps.roots();
    const held = await holdFiles(roots, await gitFolders(roots));
    this.held?.dispose();
    this.held = held;
    void (this.disposed && held.dispose());
  }

  dispose(): void {
    if (!this.disposed) {
      this.disposed = true;
      this.held?.dispose();
      this.open.forEach((proxy) => proxy.dispose());
      this.open.clear();
      void this.ready?.then(
        ({ folder }) => void removeFolder(folder),
        () => undefined,
      );
    }
  }

  private async prepare(): Promise<Ready> {
    try {
      const file = await findSandbox(this.deps.environment, this.deps.roots());
      const folder = await mkdtemp(path.join(await realpath(tmpdir()), PREFIX));
      keepFolder(folder);
      const inside = { folder, unreadable: path.join(folder, UNREADABLE), empty: path.join(folder, 'empty') };
      await mkdir(inside.unreadable);
      await writeFile(inside.empty, '');
      await writeFile(`${inside.unreadable}-file`, '', { mode: 0 });
      await chmod(inside.unreadable, 0);
      await Promise.all(['tmp', 'var-tmp'].map((name) => mkdir(path.join(folder, name), { mode: 0o700 })));
      return { ...inside, file };
    } catch (error) {
      // The next start tries again: the user may have installed what was missing.
      this.ready = undefined;
      throw error;
    }
  }

  /** The hosts are read for each connection, so that a change of the settings counts at once. */
  private hostsOf(further: readonly string[]): () => readonly string[] {
    return () => {
      const settings = this.deps.settings();
      return isNetworkOff(settings) ? [] : [...textsOf(settings.hosts), ...further];
    };
  }

  private async onLinux(program: SandboxedProgram, ready: Inside, hasTerminal: boolean): Promise<SandboxedProgram> {
    const environment = insideEnvironment(program.environment, {
      proxy: `http://127.0.0.1:${PROXY_PORT}`,
      temporary: '/tmp',
      cache: this.deps.cacheFolder,
    });
    const options: HelperOptions = {
      file: program.file,
      args: program.args,
      environment,
      socket: `${SOCKET_FOLDER}/proxy.sock`,
      proxyPort: PROXY_PORT,
      ports: loopbackPorts(ready.hosts).filter((port) => port !== PROXY_PORT),
      mounts: await expectedMounts(ready.plan),
    };
    await writeFile(path.join(ready.sockets, START), JSON.stringify(options), { mode: 0o600 });
    const { folder, plan, unreadable, empty } = ready;
    const args = bubblewrapArguments({
      plan: withoutGoneSockets(plan),
      cwd: program.cwd,
      stand: {
        privateFolder: (each) => path.join(folder, each.slice(1).replaceAll('/', '-')),
        unreadableFolder: unreadable,
        unreadableFile: `${unreadable}-file`,
        emptyFile: empty,
      },
      reads: [process.execPath, this.deps.helper],
      socketFolder: ready.sockets,
      hasOwnSession: !hasTerminal,
    });
    const { PATH } = this.deps.environment;
    return {
      // Signals are ignored by bubblewrap, whose death would kill the program at once. The helper restores them for the program.
      file: '/bin/sh',
      args: [
        ...['-c', 'trap "" INT TERM HUP QUIT; exec "$@"', 'sh', ready.file, ...args],
        ...[process.execPath, this.deps.helper, `${SOCKET_FOLDER}/${START}`],
      ],
      cwd: '/',
      // These programs run outside the sandbox. Variables such as LD_PRELOAD, which an agent may set for its command, must not reach them.
      environment: {
        ...(PATH !== undefined && { PATH }),
        ...(process.versions['electron'] !== undefined && { ELECTRON_RUN_AS_NODE: '1' }),
      },
    };
  }

  private onMac(program: SandboxedProgram, { file, folder, plan, hosts, proxy }: Inside): SandboxedProgram {
    const temporary = path.join(folder, 'tmp');
    const profile = seatbeltProfile({ plan, temporary, proxyPort: proxy.port, ports: loopbackPorts(hosts) });
    return {
      file,
      args: ['-p', profile, program.file, ...program.args],
      cwd: program.cwd,
      environment: insideEnvironment(program.environment, {
        proxy: `http://127.0.0.1:${proxy.port}`,
        temporary,
        cache: this.deps.cacheFolder,
      }),
    };
  }
}

/** A prepared sandbox: its program and its folders. */
interface Ready {
  readonly file: string;
  readonly folder: string;
  readonly unreadable: string;
  readonly empty: string;
}

/** A sandbox with the facts of one program. */
interface Inside extends Ready {
  readonly plan: SandboxPlan;
  readonly hosts: readonly string[];
  readonly sockets: string;
  readonly proxy: Proxy;
}
