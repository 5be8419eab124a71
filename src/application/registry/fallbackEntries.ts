/**
 * The predefined agents as entries of the public registry, with the versions that were tested. They can be installed while the registry cannot be
 * reached, and where it lacks them. Pure.
 */
import { PREDEFINED_AGENTS } from '../../agent/predefined';
import { REGISTRY_TWINS } from '../../core/agents/registryTwins';
import type { ProcessLaunch } from '../../core/model/agentLaunch';

interface Package {
  readonly package: string;
  readonly args: readonly string[];
}

/**
 * Packages of agents that start by another command. Pi's second package is installed beside the adapter. `@factory/cli` is left out: npm has no program
 * for its version 0.225.1.
 */
const PACKAGES: Readonly<Record<string, Package>> = {
  Pi: { package: 'pi-acp@0.0.34', args: [] },
  'Kimi CLI': { package: '@moonshot-ai/kimi-code@2.1.0', args: ['acp'] },
};

/** The packages that have replaced others, by the name of the earlier one. */
const SUCCESSORS: Readonly<Record<string, string>> = {
  '@zed-industries/claude-code-acp': '@agentclientprotocol/claude-agent-acp',
  '@zed-industries/codex-acp': '@agentclientprotocol/codex-acp',
  'opencode-ai': '@opencode/cli',
};

/** True when the name is the same package, or its successor. */
export function isSuccessor(name: string, earlier: string): boolean {
  return name === earlier || (Object.hasOwn(SUCCESSORS, earlier) && SUCCESSORS[earlier] === name);
}

/** Returns manifests, as a registry has them. */
export function fallbackEntries(): readonly object[] {
  return Object.entries(REGISTRY_TWINS).flatMap(([id, agentId]) => {
    const launch = PREDEFINED_AGENTS.find((each) => each.agentId === agentId);
    const npx = launch && packageOf(launch);
    const version = npx && npx.package.slice(npx.package.lastIndexOf('@') + 1);
    return npx
      ? [{ id, name: launch.agentName, version, description: launch.agentName, distribution: { npx: { ...npx, env: launch.env } } }]
      : [];
  });
}

function packageOf({ agentId, command, args }: ProcessLaunch): Package | undefined {
  const [yes, spec = '', ...rest] = args;
  return command === 'npx' && yes === '--yes' && !spec.startsWith('-')
    ? { package: spec, args: rest }
    : Object.hasOwn(PACKAGES, agentId)
      ? PACKAGES[agentId]
      : undefined;
}
