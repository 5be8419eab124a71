/** The settings for agents that outlive their window. Loaded with the first agent. */
import path from 'node:path';
import type { KeeperPlaces } from '../../agent/keeper/startKeeper';
import { settings } from '../../application/shared/ids';
import type { KeepLimits } from '../../core/keeper/messages';
import { readUserValue } from '../settings/agentSettings';

/** ms in which a window comes back after a reload, an update or a crash. */
const AWAY_MS = 60_000;
/** ms in which an agent's request waits for a window. */
const REQUEST_MS = 30 * 60_000;
const HOUR_MS = 3_600_000;
const DEFAULT_HOURS = 8;

/** Returns undefined when agents end with their window. Only the user's own values count. */
export function readKeepLimits(): KeepLimits | undefined {
  const { value: mode } = readUserValue(settings.keepAgentsRunning, 'reload');
  const { value: hours } = readUserValue(settings.keepAgentsHours, DEFAULT_HOURS);
  if (mode === 'never') {
    return undefined;
  }
  const idle = typeof hours === 'number' && Number.isFinite(hours) && hours > 0 ? hours : DEFAULT_HOURS;
  return { mode: mode === 'always' ? 'always' : 'reload', awayMs: AWAY_MS, idleMs: idle * HOUR_MS, requestMs: REQUEST_MS };
}

/** The folder of the keepers' records, and the program. @param storage the extension's folder for all windows */
export function keeperPlaces(storage: string, extensionPath: string): KeeperPlaces {
  return { folder: path.join(storage, 'keepers'), program: path.join(extensionPath, 'dist', 'keeper.js'), node: process.execPath };
}
