/** The settings of the sandbox, read so that only the user's own values count. */
import { settings } from '../../application/shared/ids';
import type { SandboxMode } from '../../core/sandbox/sandbox';
import { sandboxModeOf, type SandboxSettings } from '../../sandbox/settings';
import { readUserValue } from '../settings/agentSettings';

export function readSandboxSettings(): SandboxSettings {
  return {
    modes: readUserValue(settings.sandbox).value,
    network: readUserValue(settings.sandboxNetwork).value,
    hosts: readUserValue(settings.sandboxHosts).value,
    writable: readUserValue(settings.sandboxWritable).value,
    unreadable: readUserValue(settings.sandboxUnreadable).value,
  };
}

/** The user's setting for an agent. */
export function readSandboxMode(agentId: string, agentName: string): SandboxMode {
  return sandboxModeOf(readUserValue(settings.sandbox).value, agentId, agentName);
}
