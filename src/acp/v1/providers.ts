/** The requests about the endpoints of an agent's models (RFD "Configurable LLM Providers", unstable). */
import type { ModelProvider } from '../../core/account/provider';
import type { Dialect } from '../dialect';
import { isRecord, textOf } from '../json/fields';
import type { Connection } from '../jsonrpc/connection';
import { failed, type Outcome, type Settled, succeeded } from '../jsonrpc/rpc';

/** The most endpoints that are listed. Agents have a handful. */
const MAX_PROVIDERS = 100;

export function providerMethods(connection: Connection, timeoutMs: number): Pick<Dialect, 'listProviders' | 'setProvider'> {
  const nothing =
    (settled: Settled<void>): Settled<unknown> =>
    (outcome) =>
      settled(outcome.ok ? succeeded(undefined) : outcome);
  return {
    listProviders: (settled) => connection.request('providers/list', {}, { timeoutMs }, (outcome) => settled(listed(outcome))),
    setProvider: (choice, settled) => {
      if ('isOff' in choice) {
        return connection.request('providers/disable', { providerId: choice.providerId }, { timeoutMs }, nothing(settled));
      }
      const { providerId, apiType, baseUrl, headers } = choice;
      const params = { providerId, apiType, baseUrl, ...(Object.keys(headers).length > 0 && { headers }) };
      return connection.request('providers/set', params, { timeoutMs }, nothing(settled));
    },
  };
}

function listed(outcome: Outcome<unknown>): Outcome<readonly ModelProvider[]> {
  if (!outcome.ok) {
    return outcome;
  }
  const providers = isRecord(outcome.value) ? outcome.value.providers : undefined;
  return Array.isArray(providers)
    ? succeeded(providers.slice(0, MAX_PROVIDERS).flatMap(decodeProvider))
    : failed({ code: 'protocol.bad_answer', params: { method: 'providers/list' } });
}

/** An entry without an id cannot be set and is left out. `id` and `protocol` are the names of the earlier proposal. */
function decodeProvider(raw: unknown): ModelProvider[] {
  if (!isRecord(raw)) {
    return [];
  }
  const providerId = textOf(raw.providerId) ?? textOf(raw.id);
  const current = isRecord(raw.current) ? raw.current : undefined;
  const apiType = textOf(current?.apiType) ?? textOf(current?.protocol);
  const baseUrl = textOf(current?.baseUrl);
  const supported = Array.isArray(raw.supported) ? raw.supported.filter((each) => typeof each === 'string') : [];
  return providerId === undefined
    ? []
    : [
        {
          providerId,
          supported,
          required: raw.required === true,
          ...(apiType !== undefined && baseUrl !== undefined && { current: { apiType, baseUrl } }),
        },
      ];
}
