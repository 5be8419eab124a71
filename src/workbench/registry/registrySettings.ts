/** `acpHost.registry.urls` of the user. An entry leads to programs that run, so no other value counts. */
import { settings } from '../../application/shared/ids';
import { PUBLIC_REGISTRY } from '../../core/agents/registryTwins';
import { readUserValue } from '../settings/agentSettings';

/** Returns the addresses of the registries; none when the user has removed all. */
export function readRegistryUrls(): readonly string[] {
  const { value } = readUserValue(settings.registryUrls);
  return Array.isArray(value)
    ? value.filter((url): url is string => typeof url === 'string' && url.trim() !== '').map((url) => url.trim())
    : [PUBLIC_REGISTRY];
}
