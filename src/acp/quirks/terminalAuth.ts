/**
 * OpenCode, Copilot CLI and other agents of before methods had a type `terminal` (protocol page "Authentication") say in `_meta["terminal-auth"]`
 * what signs in, `{command, args, env, label}`, some of them only to clients that name the same in their capabilities. The `command` may be any program:
 * whoever runs it must have the user's word for it.
 */
import type { AuthMethod } from '../../core/model/content';
import { isRecord } from '../json/fields';

/** For `clientCapabilities._meta`. */
export const TERMINAL_AUTH_CAPABILITY = { 'terminal-auth': true };

/** UTF-16 units of a command line that somebody is to read before it runs. */
const MAX_COMMAND = 2000;

/** How a method without a type signs in in a terminal; undefined for all others, and for what nobody could agree to. */
export function legacyTerminal(type: unknown, meta: unknown): Pick<AuthMethod, 'command' | 'args' | 'env'> | undefined {
  const offered = isRecord(meta) ? meta['terminal-auth'] : undefined;
  if (typeof type === 'string' || !isRecord(offered)) {
    return undefined;
  }
  const { command, args = [], env = {} } = offered;
  const hasCommand = typeof command === 'string' && command.trim() !== '';
  if (!Array.isArray(args) || !args.every((arg) => typeof arg === 'string') || !isRecord(env) || (command !== undefined && !hasCommand)) {
    return undefined;
  }
  const values = Object.values(env);
  const words = [...(hasCommand ? [command] : []), ...args, ...values];
  if (!words.every((word): word is string => typeof word === 'string' && !word.includes('\0')) || words.join(' ').length > MAX_COMMAND) {
    return undefined;
  }
  const variables = values.length > 0 && { env: env as Readonly<Record<string, string>> };
  return { ...(hasCommand && { command }), args: args as readonly string[], ...variables };
}
