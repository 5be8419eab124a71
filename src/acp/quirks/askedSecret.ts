/**
 * Sign-in methods that take a secret from the client in `_meta` of `authenticate`, which the protocol does not have. A method with
 * `_meta["api-key"]` takes a key, one with `_meta.gateway` the address of a gateway and its headers. Codex, Gemini CLI and Claude Code have them.
 */
import type { AuthMethod } from '../../core/model/content';
import { isRecord } from '../json/fields';

/** For `clientCapabilities.auth._meta`. Agents offer a gateway only to clients that have it. */
export const GATEWAY_CAPABILITY = { gateway: true };

/** UTF-16 units of a provider's name. */
const MAX_NAME = 40;

/** The secret that a method of type `agent` asks for. `provider`: whose key it is, or the protocol of the gateway. */
export function askedSecret(meta: unknown): Pick<AuthMethod, 'asks' | 'provider'> | undefined {
  const { 'api-key': key, gateway } = isRecord(meta) ? meta : {};
  return isRecord(key) ? asking('key', key.provider) : isRecord(gateway) ? asking('gateway', gateway.protocol) : undefined;
}

function asking(asks: 'key' | 'gateway', provider: unknown): Pick<AuthMethod, 'asks' | 'provider'> {
  return { asks, ...(typeof provider === 'string' && { provider: provider.slice(0, MAX_NAME) }) };
}
