/** The updates that are offered. Pure. */
import type { InstalledAgent, RegistryAgent } from '../../registry/types';
import { compareVersions } from '../../registry/versions';

/** An installed agent with a newer version. */
export interface AgentUpdate {
  readonly installed: InstalledAgent;
  readonly agent: RegistryAgent;
}

/** The installed agents of which a registry has a newer version that the user may want. */
export function updatesOf(installed: readonly InstalledAgent[], known: readonly RegistryAgent[]): AgentUpdate[] {
  return installed.flatMap((each) => {
    const agent = known.find(({ agentId, origin, problem }) => agentId === each.agentId && origin === each.origin && !problem);
    return agent && canUpdate(each, agent) ? [{ installed: each, agent }] : [];
  });
}

function canUpdate({ current, pinned, skipped }: InstalledAgent, { version, ways }: RegistryAgent): boolean {
  return !pinned && ways.length > 0 && version !== skipped && compareVersions(version, current.version) > 0;
}

/** The page that says what changed: the releases of a repository on GitHub, otherwise the page that the entry names. */
export function changesPage({ repository, website }: Pick<RegistryAgent, 'repository' | 'website'>): string | undefined {
  const [onGitHub] = /^https:\/\/github\.com\/[^/?#]+\/[^/?#]+/.exec(repository ?? '') ?? [];
  return onGitHub === undefined ? (repository ?? website) : `${onGitHub.replace(/\.git$/, '')}/releases`;
}

/** The version to go back to: when the current one has never started since its installation, or has failed twice in a row. */
export function versionToReturnTo({ earlier, failedStarts, hasStarted }: InstalledAgent): string | undefined {
  return failedStarts >= (hasStarted ? 2 : 1) ? earlier?.version : undefined;
}
