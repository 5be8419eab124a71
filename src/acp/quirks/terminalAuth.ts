/**
 * OpenCode, Copilot CLI and other agents that precede the method type `terminal` (protocol page "Authentication") describe the sign-in in
 * `_meta["terminal-auth"]`: `{command, args, env, label}`. Some send it only to clients that have the same key in their capabilities. The `command`
 * may be any program, so it must run only with the user's consent.
 */
import type { AuthMethod } from '../../core/model/content';
import { isRecord } from '../json/fields';

/** For `clientCapabilities._meta`. */
export const TERMINAL_AUTH_CAPABILITY = { 'terminal-auth': true };

/** The longest command line, in UTF-16 units, because the user must read it before it runs. */
const MAX_COMMAND = 2000;

/** The terminal command of a sign-in method without a type. Undefined for other methods, and for a command that the user could not check. */
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
