/** The agents of registries as sources of the catalog. Pure. */
import type { CatalogSources, InstalledLaunch } from '../../agent/catalog';
import { PREDEFINED_AGENTS } from '../../agent/predefined';
import { PUBLIC_REGISTRY } from '../../core/agents/registryTwins';
import type { ProcessLaunch } from '../../core/model/agentLaunch';
import type { InstalledAgent, PackageWay, RegistryAgent } from '../../registry/types';
import { compareVersions } from '../../registry/versions';
import { isSuccessor } from './fallbackEntries';

/** The sources that registries add to the catalog. */
export function registrySources(
  installed: readonly InstalledAgent[],
  known: readonly RegistryAgent[],
): Pick<CatalogSources, 'installed' | 'predefined'> {
  return { installed: installed.map(installedLaunch), predefined: predefinedLaunches(known) };
}

function installedLaunch({ agentId, name, icon, current }: InstalledAgent): InstalledLaunch {
  const { launch, way, source } = current;
  const args = launch.args.slice(launch.args[0]?.startsWith(current.folder) ? 1 : 0);
  const program = way === 'npx' ? ['npx', '--yes', source, ...args] : ['registry', agentId];
  return { launch: { agentId, agentName: name, ...launch, credentialProgram: program }, ...(icon !== undefined && { icon }) };
}

/**
 * The predefined agents that npm runs, with the versions and arguments of the public registry. Our pin stays where the registry has no entry, a refused
 * one, another package, or an older version: a cache may be older than the extension.
 */
export function predefinedLaunches(known: readonly RegistryAgent[]): readonly ProcessLaunch[] {
  const ways = new Map<string, PackageWay>();
  for (const { agentId, origin, problem, ways: offered } of known) {
    const way = offered.find((each): each is PackageWay => each.kind === 'npx');
    if (origin === PUBLIC_REGISTRY && !problem && way && way.cmd === undefined) {
      ways.set(agentId, way);
    }
  }
  return PREDEFINED_AGENTS.map((launch) => {
    const way = ways.get(launch.agentId);
    const [yes, own = ''] = launch.args;
    if (!way || launch.command !== 'npx' || yes !== '--yes' || !isNewer(way.package, own)) {
      return launch;
    }
    const args = ['--yes', way.package, ...way.args];
    return { ...launch, args, env: { ...launch.env, ...way.env }, credentialProgram: ['npx', ...args] };
  });
}

/** True for a newer version of the same package, or of its successor. @param own such as `cline@3.0.65` */
function isNewer(offered: string, own: string): boolean {
  const [name, version] = split(offered);
  const [ownName, ownVersion] = split(own);
  return isSuccessor(name, ownName) && compareVersions(version, ownVersion) > 0;
}

function split(spec: string): readonly [name: string, version: string] {
  const at = spec.lastIndexOf('@');
  return [spec.slice(0, at), spec.slice(at + 1)];
}
