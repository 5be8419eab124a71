/** The settings about agents' changes, of which only the user's own values count: what an agent did is not for a project to hide. */
import type { ChangeLimits } from '../../changes/turns/fileStates';
import { DEFAULT_CHANGE_LIMITS, DEFAULT_STORE_BYTES } from '../../changes/turns/fileStates';
import { readUserValue } from '../agents/agentSettings';
import { settings } from '../shared/ids';

export interface ChangeSettings {
  readonly review: boolean;
  readonly checkpoints: boolean;
  readonly limits: ChangeLimits;
  /** What a session may keep, in bytes. */
  readonly storeBytes: number;
}

const MEGABYTE = 1024 * 1024;

export function readChangeSettings(): ChangeSettings {
  return {
    review: readUserValue(settings.changesReview, 'after').value !== 'off',
    checkpoints: readUserValue(settings.checkpointsEnabled, true).value !== false,
    limits: { ...DEFAULT_CHANGE_LIMITS, fileBytes: bytesOf(settings.changesMaxFileSize, DEFAULT_CHANGE_LIMITS.fileBytes) },
    storeBytes: bytesOf(settings.changesMaxSessionSize, DEFAULT_STORE_BYTES),
  };
}

function bytesOf(setting: string, own: number): number {
  const { value } = readUserValue(setting, own / MEGABYTE);
  return typeof value === 'number' && value > 0 ? value * MEGABYTE : own;
}
