/** Applies a preset to a session, and reports its missing parts in the conversation. Loaded with the first preset. */
import { agentNamed, type AgentIdentity } from '../../core/agents/agentIds';
import { missingOptions, type Preset } from '../../application/presets/preset';
import type { Session } from '../../session/session';
import type { WindowServers } from '../mcp/windowServers';

type PresetSession = Pick<Session, 'key' | 'agentId' | 'store' | 'setPermissionMode' | 'setOptions'>;

export interface ApplyPresetDependencies {
  readonly servers: Pick<WindowServers, 'feature'>;
  agents(): { readonly catalog: { readonly entries: readonly AgentIdentity[] } };
}

/** Applies the parts that a session has before its agent starts. The options are part of its setup. */
export async function startWithPreset(deps: ApplyPresetDependencies, session: PresetSession, preset: Preset): Promise<void> {
  const { mcpServers, permissionMode } = preset;
  if (mcpServers) {
    await (await deps.servers.feature()).choices.limit(session.key, mcpServers);
  }
  if (permissionMode) {
    await session.setPermissionMode(permissionMode);
  }
  const subscription = session.store.onEvents((_, events) => {
    if (events.some(({ type }) => type === 'session_ready')) {
      subscription.dispose();
      void reportMissing(deps, session as Session, preset);
    }
  });
}

/** Applies a preset to a session whose agent runs. */
export async function switchToPreset(deps: ApplyPresetDependencies, session: Session, preset: Preset): Promise<void> {
  const { mcpServers, permissionMode = 'ask' } = preset;
  // The options come first, because Plan only replaces the agent's mode.
  await new Promise<void>((resolve) => session.setOptions(preset.options, resolve));
  await session.setPermissionMode(permissionMode);
  if (mcpServers) {
    const feature = await deps.servers.feature();
    await feature.choices.limit(session.key, mcpServers);
    await feature.changed();
  }
  await reportMissing(deps, session, preset);
}

async function reportMissing(deps: ApplyPresetDependencies, session: Session, preset: Preset): Promise<void> {
  const { store, agentId } = session;
  const isOtherAgent = agentNamed(deps.agents().catalog.entries, preset.agent)?.agentId !== agentId;
  const missing = [
    ...(isOtherAgent ? [preset.agent] : []),
    ...missingOptions(preset, store.state.config),
    ...(preset.mcpServers?.length ? await missingServers(deps, session, preset.mcpServers) : []),
  ];
  if (missing.length > 0) {
    const failure = { code: 'preset.partial', params: { preset: preset.name, missing: missing.join(', ') } } as const;
    store.append({ type: 'notice', noticeId: `preset-${store.seq}`, severity: 'info', title: '', failure });
  }
}

/** Returns the names of servers that the session does not have at all. The list of servers shows why another one is left out. */
async function missingServers(
  { servers }: ApplyPresetDependencies,
  session: Session,
  names: readonly string[],
): Promise<readonly string[]> {
  const plan = await (await servers.feature()).planOf(session);
  return names.filter((name) => !plan?.servers.some((server) => server.name === name));
}
