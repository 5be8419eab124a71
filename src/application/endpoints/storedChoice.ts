/** The user's choice for an endpoint, as it is stored. */
import type { ProviderChoice } from '../../core/account/provider';

/** Returns the choice; empty when the text is not one. */
export function choiceIn(providerId: string, text: string): ProviderChoice[] {
  let value: Partial<Record<'isOff' | 'apiType' | 'baseUrl' | 'headers', unknown>> | null;
  try {
    value = JSON.parse(text) as typeof value;
  } catch {
    return [];
  }
  if (value?.isOff === true) {
    return [{ providerId, isOff: true }];
  }
  const { apiType, baseUrl, headers } = value ?? {};
  if (typeof apiType !== 'string' || typeof baseUrl !== 'string') {
    return [];
  }
  const entries = typeof headers === 'object' && headers !== null ? Object.entries(headers) : [];
  const texts = entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return [{ providerId, apiType, baseUrl, headers: Object.fromEntries(texts) }];
}
