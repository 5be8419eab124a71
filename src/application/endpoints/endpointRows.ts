/** The endpoints of an agent's models as rows of quick picks and of the page, and checks of what the user types. Pure. */
import type { ModelProvider, ProviderChoice } from '../../core/account/provider';
import type { EndpointOnPage } from '../../core/protocol/channels/endpoints';
import { type InertText, inertLine } from '../shared/escape';
import type { Translate } from '../shared/translate';

const MAX_NAME = 80;
const MAX_ADDRESS = 300;

export interface EndpointRow {
  readonly label: InertText;
  readonly description: InertText;
  readonly detail?: InertText;
  readonly provider: ModelProvider;
}

/** The agent's endpoints, and those that the user has set for an agent that does not list them now. */
export function listedEndpoints(providers: readonly ModelProvider[], choices: readonly ProviderChoice[]): EndpointOnPage[] {
  const unlisted = choices
    .filter(({ providerId }) => !providers.some((provider) => provider.providerId === providerId))
    .map(({ providerId }): ModelProvider => ({ providerId, supported: [], required: true }));
  return [...providers, ...unlisted].map((provider) => ({
    ...provider,
    isSet: choices.some(({ providerId }) => providerId === provider.providerId),
  }));
}

export function endpointRows(providers: readonly ModelProvider[], choices: readonly ProviderChoice[], t: Translate): EndpointRow[] {
  return listedEndpoints(providers, choices).map((provider) => {
    const { providerId, current, isSet } = provider;
    return {
      label: inertLine(providerId, MAX_NAME),
      description: current ? inertLine(current.apiType, MAX_NAME) : provider.supported.length === 0 ? t('Not offered') : t('Off'),
      ...(current && { detail: inertLine(current.baseUrl, MAX_ADDRESS) }),
      ...(isSet && !current && { detail: t('Set by you') }),
      provider,
    };
  });
}

/** The ways to send a key. */
export type KeyHeader = 'none' | 'bearer' | 'x-api-key' | 'api-key';

export function headersOf(kind: KeyHeader, key: string): Readonly<Record<string, string>> {
  switch (kind) {
    case 'none':
      return {};
    case 'bearer':
      return { Authorization: `Bearer ${key}` };
    case 'x-api-key':
    case 'api-key':
      return { [kind]: key };
  }
}

/** Returns the reason why a text is not the address of an endpoint; undefined when it is one. */
export function addressProblem(text: string, t: Translate): InertText | undefined {
  let url: URL;
  try {
    // The parser ignores control characters, which the agent would get.
    url = new URL(/\p{Cc}/u.test(text.trim()) ? '' : text.trim());
  } catch {
    return t('Enter an address that begins with https:// or http://');
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    return t('Enter an address that begins with https:// or http://');
  }
  return url.username || url.password ? t("The address must not contain a password. You'll be asked for the key.") : undefined;
}

/** True when a key would be sent unencrypted over a network. */
export function isUnencrypted(address: string): boolean {
  const { protocol, hostname } = new URL(address.trim());
  return protocol === 'http:' && !/^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}

/** Returns the choices with this one in place of the endpoint's earlier one. Without `choice`, the agent's own setting applies. */
export function withChoice(choices: readonly ProviderChoice[], providerId: string, choice: ProviderChoice | undefined): ProviderChoice[] {
  const others = choices.filter((each) => each.providerId !== providerId);
  return choice ? [...others, choice] : others;
}
