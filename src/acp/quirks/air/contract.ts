/**
 * The extension contract of claude-agent-acp and codex-acp, `_meta.jetbrains.air`. They published it for one client, and send its parts only to
 * clients that declare it. The declaration also changes the forms of other messages (`docs/decisions/wire/air-extension.md`), so a setting decides.
 */
import { type Fields, isRecord } from '../../json/fields';

/** For `clientCapabilities._meta`. Only capabilities whose whole is supported are declared. */
export const AIR_CAPABILITY = {
  jetbrains: { air: { version: 1, capabilities: ['asyncTasks', 'sessionFailure', 'recommendedValue', 'diffPatch'] } },
};

/** Returns the object of the contract in a message's `_meta`; undefined when there is none. */
export function airOf(meta: unknown): Fields | undefined {
  const jetbrains = isRecord(meta) ? meta.jetbrains : undefined;
  return isRecord(jetbrains) && isRecord(jetbrains.air) ? jetbrains.air : undefined;
}
