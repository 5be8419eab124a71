/** Installed agents as other code sees them. */
import path from 'node:path';
import type { InstalledAgent, InstalledVersion } from '../types';
import type { InstallerDependencies } from './context';
import { hasStarted, versionBefore } from './history';
import { readVersion, type StoredAgent, type StoredVersion } from './record';

export function versionOf(folder: string): Promise<StoredVersion | undefined> {
  return readVersion(folder);
}

export async function installedAgent(agent: StoredAgent, { node }: Pick<InstallerDependencies, 'node'>): Promise<InstalledAgent> {
  const { current, others, state } = agent;
  const describe = async ({ folder, record }: StoredVersion): Promise<InstalledVersion> => {
    const { version, way, source, installedAt, program, args, env } = record;
    const file = path.join(folder, program.file);
    const tools = program.kind === 'node' ? await node(program.engines) : undefined;
    // Without a Node, the start reports that the program was not found.
    const launch =
      program.kind === 'node'
        ? { command: tools?.node ?? 'node', args: [file, ...args], env: { ...tools?.env, ...env } }
        : { command: file, args, env };
    return { version, folder, way, source, installedAt, launch };
  };
  const { agentId, id, origin, name, icon } = current.record;
  const { isPinned, skipped, failedStarts = 0 } = state;
  const [now, ...previous] = await Promise.all([current, ...others].map(describe));
  const about = { agentId, id, origin, name, ...(icon !== undefined && { icon }) };
  const before = versionBefore(agent);
  const earlier = previous.find(({ folder }) => folder === before?.folder);
  return {
    ...about,
    current: now!,
    previous,
    ...(earlier && { earlier }),
    pinned: isPinned === 'yes',
    ...(skipped !== undefined && { skipped }),
    failedStarts,
    hasStarted: hasStarted(agent),
  };
}
