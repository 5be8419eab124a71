/** A sandbox of the operating system: wraps programs so that they write, read and connect only as the plan allows. */
import { mkdtemp, chmod, mkdir, realpath, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import type { SandboxRefusal } from '../core/model/sandbox';
import type { Disposable } from '../core/platform/disposable';
import { failureOf, fault, Fault } from '../core/model/failure';
import type { Environment } from '../util/environment';
import { endpointHosts, placesOf, type NamedStart } from './agentState';
import { gatherPlan } from './disk/gatherPlaces';
import type { RuleFor } from './disk/protectedFiles';
import { insideEnvironment } from './environment';
import type { HelperOptions } from './helperOptions';
import { loopbackPorts } from './network/hosts';
import { startProxy, type Proxy } from './network/proxy';
import type { SandboxPlan } from './plan';
import { refusalsIn } from './refusals';
import { foldersOf, textsOf, type SandboxSettings } from './settings';
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
  onRefused(refusal: SandboxRefusal): void;
}

const PROXY_PORT = 3128;
/** Hosts that an agent's package runner downloads from. */
const REGISTRIES = ['registry.npmjs.org', 'registry.yarnpkg.com', 'pypi.org', 'files.pythonhosted.org'];
/** Variables that Node reads at its start, and which are meant for the program. */
const FOR_NODE = ['NODE_OPTIONS', 'NODE_PATH', 'NODE_EXTRA_CA_CERTS', 'NODE_DEBUG', 'NODE_V8_COVERAGE', 'ELECTRON_RUN_AS_NODE'];

export class Sandbox implements Disposable {
  private ready: Promise<Ready> | undefined;
  private disposed = false;
  private plan: SandboxPlan | undefined;
  private endpoints: readonly string[] = [];

  constructor(private readonly deps: SandboxDependencies) {}

  /** Returns the program that runs `program` inside. @param hasTerminal it runs on a terminal of its own @throws Fault `sandbox.*` */
  async wrap(program: SandboxedProgram, hasTerminal: boolean): Promise<SandboxedProgram> {
    const ready = await (this.ready ??= this.prepare());
    const { deps } = this;
    const { writable, unreadable } = deps.settings();
    const home = await realpath(homedir());
    this.endpoints = deps.isAgent ? endpointHosts(program.environment) : [];
    const places = placesOf(deps.agent, homedir(), program.environment);
    const plan = await gatherPlan({
      home,
      roots: deps.roots(),
      agent: deps.isAgent ? places : { ...places, write: [], readOnly: [], others: [...places.others, ...places.write.map((each) => each.path)] },
      writable: foldersOf(writable, home),
      unreadable: foldersOf(unreadable, home),
      caches: [deps.cacheFolder],
      // The user has configured the agent's start, but the agent chooses its commands: their arguments must not open a hidden place.
      needed: [deps.helper, process.execPath, ...(deps.isAgent ? [program.cwd, program.file, ...program.args] : [])].filter((each) =>
        each.startsWith('/'),
      ),
      ruleFor: await deps.ruleFor(),
    });
    this.plan = plan;
    return process.platform === 'darwin' ? this.onMac(program, plan, ready) : this.onLinux(program, plan, ready, hasTerminal);
  }

  /** Returns the refused accesses to files in the output of a sandboxed program. */
  refusalsIn(output: string, cwd: string): readonly SandboxRefusal[] {
    return this.plan ? refusalsIn(output, { plan: this.plan, cwd, home: homedir() }) : [];
  }

  dispose(): void {
    if (!this.disposed) {
      this.disposed = true;
      void this.ready?.then(
        ({ proxy, folder }) => {
          proxy.dispose();
          void rm(folder, { recursive: true, force: true }).catch(() => undefined);
        },
        () => undefined,
      );
    }
  }

  private async prepare(): Promise<Ready> {
    try {
      const file = await findSandbox(this.deps.environment);
      const folder = await mkdtemp(path.join(await realpath(tmpdir()), 'acp-host-'));
      const inside = { folder, sockets: path.join(folder, 'run'), unreadable: path.join(folder, 'unreadable'), empty: path.join(folder, 'empty') };
      await mkdir(inside.sockets);
      await mkdir(inside.unreadable);
      await writeFile(inside.empty, '');
      await writeFile(`${inside.unreadable}-file`, '', { mode: 0 });
      await chmod(inside.unreadable, 0);
      await Promise.all(['tmp', 'var-tmp'].map((name) => mkdir(path.join(folder, name), { mode: 0o700 })));
      const proxy = await startProxy(process.platform === 'darwin' ? undefined : path.join(inside.sockets, 'proxy.sock'), {
        hosts: () => this.hosts(),
        onRefused: (target) => this.deps.onRefused({ kind: 'host', target }),
      });
      return { ...inside, file, proxy };
    } catch (error) {
      this.ready = undefined;
      throw error instanceof Fault ? error : fault('sandbox.failed', undefined, { detail: failureOf(error).detail ?? '' });
    }
  }

  private hosts(): readonly string[] {
    const own = textsOf(this.deps.settings().hosts);
    return this.deps.isAgent ? [...own, ...this.endpoints, ...REGISTRIES, ...placesOf(this.deps.agent, '', {}).hosts] : own;
  }

  private onLinux(program: SandboxedProgram, plan: SandboxPlan, ready: Ready, hasTerminal: boolean): SandboxedProgram {
    const environment = insideEnvironment(program.environment, {
      proxy: `http://127.0.0.1:${PROXY_PORT}`,
      temporary: '/tmp',
      cache: this.deps.cacheFolder,
    });
    const forNode = Object.fromEntries(FOR_NODE.map((name) => [name, program.environment[name] ?? null]));
    const options: HelperOptions = {
      socket: `${SOCKET_FOLDER}/proxy.sock`,
      proxyPort: PROXY_PORT,
      ports: loopbackPorts(this.hosts()).filter((port) => port !== PROXY_PORT),
      environment: forNode,
    };
    const { folder, unreadable, empty } = ready;
    const args = bubblewrapArguments({
      plan,
      cwd: program.cwd,
      stand: {
        privateFolder: (each) => path.join(folder, each.slice(1).replaceAll('/', '-')),
        unreadableFolder: unreadable,
        unreadableFile: `${unreadable}-file`,
        emptyFile: empty,
      },
      socketFolder: ready.sockets,
      hasOwnSession: !hasTerminal,
    });
    for (const name of FOR_NODE) {
      delete environment[name];
    }
    return {
      // Signals are ignored by bubblewrap, whose death would kill the program at once. The helper restores them for the program.
      file: '/bin/sh',
      args: [
        ...['-c', 'trap "" INT TERM HUP QUIT; exec "$@"', 'sh', ready.file, ...args],
        ...[process.execPath, this.deps.helper, JSON.stringify(options), program.file, ...program.args],
      ],
      cwd: program.cwd,
      environment: { ...environment, ...(process.versions['electron'] !== undefined && { ELECTRON_RUN_AS_NODE: '1' }) },
    };
  }

  private onMac(program: SandboxedProgram, plan: SandboxPlan, { file, proxy, folder }: Ready): SandboxedProgram {
    const temporary = path.join(folder, 'tmp');
    const profile = seatbeltProfile({ plan, temporary, proxyPort: proxy.port, ports: loopbackPorts(this.hosts()) });
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

/** A prepared sandbox: its program, its folders, its proxy. */
interface Ready {
  readonly file: string;
  readonly folder: string;
  readonly sockets: string;
  readonly unreadable: string;
  readonly empty: string;
  readonly proxy: Proxy;
}
