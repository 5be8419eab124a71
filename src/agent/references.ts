/** Entries of `acpHost.agents` that refer to another agent instead of naming a program, such as a second account. Pure. */
import { type AgentIdentity, agentWithId } from '../core/agents/agentIds';
import { isProcess } from '../core/agents/endpoint';
import type { AgentLaunch } from '../core/model/agentLaunch';
import type { Failure } from '../core/model/failure';

/** An entry with the field `agent`. It starts the present version of that agent, with variables of its own. */
export interface AgentReference {
  /** The key of the entry. */
  readonly agentId: string;
  readonly agentName: string;
  /** The id of the other agent. */
  readonly base: string;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly timeoutMs?: number;
  readonly protocol?: 1 | 2;
  readonly proxies?: AgentLaunch['proxies'];
}

/**
 * Returns the launch of a reference, or the problem.
 * @param entries the other agents, without references
 * @param isComplete false while agents of other extensions and of registries may be missing, so that nothing is reported
 */
export function resolveReference(
  { base, env, ...own }: AgentReference,
  entries: readonly (AgentIdentity & { readonly launch: AgentLaunch })[],
  setting: string,
  isComplete: boolean,
): { readonly launch?: AgentLaunch; readonly problem?: Failure } {
  const found = agentWithId(entries, base)?.launch;
  if (!found || !isProcess(found)) {
    const params = { setting, agentName: own.agentId, field: 'agent', expected: 'known' };
    return isComplete || found ? { problem: { code: 'config.invalid', params } } : {};
  }
  const { earlierId: _, ...launch } = found;
  return { launch: { ...launch, ...own, env: { ...launch.env, ...env } } };
}
