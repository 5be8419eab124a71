/** The agents of the public registry that are also predefined. Both have one identity: the predefined one's, which sessions have stored. Pure. */
import { registryAgentId } from './agentIds';

/** The address of the public registry. */
export const PUBLIC_REGISTRY = 'https://cdn.agentclientprotocol.com/registry/v1/latest/registry.json';

/** The ids of predefined agents, by the id in the public registry. */
export const REGISTRY_TWINS: Readonly<Record<string, string>> = {
  'claude-acp': 'Claude Code',
  'codex-acp': 'Codex CLI',
  gemini: 'Gemini CLI',
  'github-copilot-cli': 'GitHub Copilot CLI',
  opencode: 'OpenCode',
  'qwen-code': 'Qwen Code',
  auggie: 'Auggie CLI',
  cline: 'Cline',
  kilo: 'Kilo Code',
  'pi-acp': 'Pi',
  'factory-droid': 'Factory Droid',
  goose: 'Goose',
  kimi: 'Kimi CLI',
  'mistral-vibe': 'Mistral Vibe',
};

/** Returns the identity of a registry's agent. @param origin the address of the registry */
export function identityOf(id: string, origin: string): string {
  if (origin !== PUBLIC_REGISTRY) {
    return registryAgentId(id, origin);
  }
  return (Object.hasOwn(REGISTRY_TWINS, id) && REGISTRY_TWINS[id]) || registryAgentId(id);
}
