/**
 * Installs a package of npm, with its dependencies, into a folder of its own. npm runs in that folder, so it reads the user's `.npmrc` and no
 * project's. Scripts of dependencies do not run: they are code that the user did not choose. The agent's own scripts run, because its program would run
 * with the same rights a moment later. See docs/decisions/processes/registry-agents.md.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { overlayEnvironment, variable } from '../../util/environment';
import { interpreterOf } from './interpreter';
import { installFault } from '../registryReasons';
import type { PackageWay } from '../types';
import { compareVersions } from '../versions';
import type { VersionRecord } from './record';
import { runTool, toolEnvironment, type ToolResult } from './runTool';
import type { InstallContext, NodeTools } from './context';

/** The first npm that honours `min-release-age` itself. */
const HONOURS_AGE = '11.10.0';
const DAY_MS = 24 * 60 * 60_000;

/** Packages that an agent needs beside its own, and the variables that name them. */
const COMPANIONS: Readonly<Record<string, { readonly packages: readonly string[]; env(bin: string): Readonly<Record<string, string>> }>> = {
  // The adapter starts `pi`.
  'pi-acp': {
    packages: ['@earendil-works/pi-coding-agent@1.5.2'],
    env: (bin) => ({ PI_ACP_PI_COMMAND: path.join(bin, process.platform === 'win32' ? 'pi.cmd' : 'pi') }),
  },
};

/** @param folder empty */
export async function installNpmPackage(
  way: PackageWay,
  folder: string,
  { environment, node, now, report, signal }: InstallContext,
): Promise<Pick<VersionRecord, 'program' | 'env'>> {
  const tools = await node();
  if (!tools) {
    throw installFault('no_node');
  }
  if (tools.npm === undefined) {
    throw installFault('no_npm');
  }
  report({ step: 'download' });
  await mkdir(folder, { recursive: true });
  // npm would otherwise look for a project in the folders above.
  await writeFile(path.join(folder, 'package.json'), JSON.stringify({ private: true }));
  const base = toolEnvironment(await environment());
  const search = [path.dirname(tools.node), variable(base, 'PATH')].filter(Boolean).join(path.delimiter);
  const npm = (args: readonly string[]): Promise<ToolResult> =>
    runTool({
      command: tools.node,
      args: [tools.npm!, ...args, ...OPTIONS, '--prefix', folder],
      cwd: folder,
      environment: overlayEnvironment(base, { PATH: search, ...(tools.env ?? {}) }),
      signal,
    });
  const name = way.package.slice(0, way.package.lastIndexOf('@'));
  const companion = Object.hasOwn(COMPANIONS, name) ? COMPANIONS[name] : undefined;
  const packages = [way.package, ...(companion?.packages ?? [])];
  const installed = await npm([
    'install',
    ...packages,
    '--ignore-scripts',
    '--include=optional',
    '--omit=dev',
    ...(await ageOptions(tools, npm, now)),
  ]);
  throwProblem(installed, way);
  report({ step: 'finish' });
  const manifest = await readManifest(path.join(folder, 'node_modules', ...name.split('/')));
  await checkPlatform(manifest, path.join(folder, 'node_modules'));
  if (['preinstall', 'install', 'postinstall'].some((script) => manifest.scripts?.[script] !== undefined)) {
    throwProblem(await npm(['rebuild', name]), way);
  }
  const file = path.join('node_modules', ...name.split('/'), programOf(manifest, name, way.cmd));
  const engines = manifest.engines?.['node'];
  return {
    program: {
      kind: await interpreterOf(path.join(folder, file)),
      file,
      ...(typeof engines === 'string' && engines !== '' && { engines: engines.slice(0, 200) }),
    },
    env: { ...companion?.env(path.join(folder, 'node_modules', '.bin')), ...way.env },
  };
}

/** Options that a user's `.npmrc` must not change, because the folder is not a project of theirs. */
const OPTIONS = [
  ...[
    '--global=false',
    '--location=project',
    '--dry-run=false',
    '--package-lock-only=false',
    '--save-exact',
    '--no-audit',
    '--no-fund',
    '--no-update-notifier',
    '--loglevel=error',
  ],
  ...['--workspaces=false', '--install-links=false', '--bin-links=true', '--yes', '--no-progress', '--legacy-peer-deps=false'],
];

/** An older npm does not know `min-release-age`, and gets the date in its place. */
async function ageOptions(
  { npm: cli }: NodeTools,
  npm: (args: readonly string[]) => Promise<ToolResult>,
  now: () => number,
): Promise<string[]> {
  const { version } = await readManifest(path.join(path.dirname(cli!), '..'));
  if (typeof version === 'string' && compareVersions(version, HONOURS_AGE) >= 0) {
    return [];
  }
  const { stdout } = await npm(['config', 'get', 'min-release-age']);
  const days = Number(stdout.trim());
  return days > 0 ? [`--before=${new Date(now() - days * DAY_MS).toISOString()}`] : [];
}

interface Manifest {
  readonly version?: unknown;
  readonly bin?: string | Readonly<Record<string, string>>;
  readonly scripts?: Readonly<Record<string, unknown>>;
  readonly engines?: Readonly<Record<string, unknown>>;
  readonly optionalDependencies?: Readonly<Record<string, unknown>>;
}

/** Programs of a platform are optional dependencies, and npm is silent when none of them fits or exists. @throws Fault */
async function checkPlatform({ optionalDependencies = {} }: Manifest, modules: string): Promise<void> {
  const programs = Object.keys(optionalDependencies).filter((name) => /(?:linux|darwin|win32|windows)/.test(name));
  const installed = await Promise.all(programs.map((name) => readManifest(path.join(modules, ...name.split('/')))));
  if (programs.length > 0 && installed.every(({ version }) => version === undefined)) {
    throw installFault('no_platform');
  }
}

async function readManifest(folder: string): Promise<Manifest> {
  try {
    return JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8')) as Manifest;
  } catch {
    return {};
  }
}

/** Returns the program that `npx` would choose, relative to the package. @throws Fault */
function programOf({ bin }: Manifest, name: string, cmd: string | undefined): string {
  const short = name.replace(/^@[^/]*\//, '');
  const programs = typeof bin === 'string' ? { [short]: bin } : (bin ?? {});
  const files = [...new Set(Object.values(programs))];
  const chosen = cmd !== undefined ? programs[cmd] : files.length === 1 ? files[0] : programs[short];
  const relative = typeof chosen === 'string' ? path.normalize(chosen) : undefined;
  if (relative === undefined || path.isAbsolute(relative) || relative.startsWith('..')) {
    throw installFault('no_program', { package: name });
  }
  return relative;
}

function throwProblem({ exitCode, output }: ToolResult, { package: spec }: PackageWay): void {
  if (exitCode === 0) {
    return;
  }
  const detail = output
    .split('\n')
    .filter((line) => line.trim() !== '' && !/A complete log of this run|debug-\d+\.log/.test(line))
    .slice(-12)
    .join('\n');
  const has = (pattern: RegExp): boolean => pattern.test(output);
  const params = { package: spec };
  if (has(/\bENOSPC\b|\bEDQUOT\b/)) {
    throw installFault('disk_full', params, detail);
  }
  if (has(/ETARGET|notarget/) && has(/with a date before|min-release-age|before/i)) {
    throw installFault('too_new', params, detail);
  }
  if (has(/\bE404\b|\bETARGET\b/)) {
    throw installFault('not_found', params, detail);
  }
  if (has(/\bEINTEGRITY\b/)) {
    throw installFault('wrong_checksum', params, detail);
  }
  if (
    has(
      /\b(?:ENOTFOUND|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EAI_AGAIN|ENOTCACHED|ERR_SOCKET_TIMEOUT|EHOSTUNREACH)\b|CERT|SELF_SIGNED|certificate/,
    )
  ) {
    throw installFault('no_connection', params, detail);
  }
  if (has(/\b(?:EACCES|EROFS|EPERM)\b/)) {
    throw installFault('not_writable', params, detail);
  }
  if (has(/\bEBADENGINE\b/)) {
    throw installFault('needs_other_node', params, detail);
  }
  throw installFault('package_manager_failed', params, detail);
}
