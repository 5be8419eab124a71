/** Installs a package of PyPI as a tool of uv, with an environment of its own. uv reads the user's configuration and no project's. */
import { mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { overlayEnvironment } from '../../util/environment';
import { installFault } from '../registryReasons';
import type { PackageWay } from '../types';
import type { InstallContext } from './context';
import type { VersionRecord } from './record';
import { runTool, toolEnvironment } from './runTool';

/** @param folder empty; the environment contains its path, so that it cannot be moved later */
export async function installUvTool(
  way: PackageWay,
  folder: string,
  { environment, uv, report, signal }: InstallContext,
): Promise<Pick<VersionRecord, 'program' | 'env'>> {
  const command = await uv();
  if (command === undefined) {
    throw installFault('no_uv');
  }
  report({ step: 'download' });
  const [tools, bin] = [path.join(folder, 'tools'), path.join(folder, 'bin')];
  await mkdir(tools, { recursive: true });
  const [, name = '', version = ''] = /^([^@=]+)(?:@|==)(.+)$/.exec(way.package) ?? [];
  const { exitCode, output } = await runTool({
    command,
    args: ['tool', 'install', `${name}==${version}`, '--no-progress'],
    cwd: folder,
    environment: overlayEnvironment(toolEnvironment(await environment()), { UV_TOOL_DIR: tools, UV_TOOL_BIN_DIR: bin, NO_COLOR: '1' }),
    signal,
  });
  if (exitCode !== 0) {
    const detail = output.trim().split('\n').slice(-12).join('\n');
    const params = { package: way.package };
    if (/No space left|os error 28/.test(output)) {
      throw installFault('disk_full', params, detail);
    }
    if (/not found in the package registry|no version of|no solution found/i.test(output)) {
      throw installFault('not_found', params, detail);
    }
    throw installFault(
      /failed to fetch|error sending request|dns error|certificate/i.test(output) ? 'no_connection' : 'package_manager_failed',
      params,
      detail,
    );
  }
  report({ step: 'finish' });
  const programs = await readdir(bin).catch((): string[] => []);
  const short = name.replace(/\[.*$/, '');
  const wanted = (file: string): boolean => file.replace(/\.exe$/i, '') === (way.cmd ?? short);
  const chosen = programs.find(wanted) ?? (way.cmd === undefined && programs.length === 1 ? programs[0] : undefined);
  if (chosen === undefined) {
    throw installFault('no_program', { package: way.package });
  }
  return { program: { kind: 'file', file: path.join('bin', chosen) }, env: way.env };
}
