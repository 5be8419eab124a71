/** The settings about agents' changes, of which only the user's own values count: what an agent did is not for a project to hide. */
import type { ChangeLimits } from '../../changes/turns/fileStates';
import { DEFAULT_CHANGE_LIMITS, DEFAULT_STORE_BYTES } from '../../changes/turns/fileStates';
import { readUserValue } from './agentSettings';
import { settings } from '../../application/shared/ids';

export interface ChangeSettings {
  readonly review: boolean;
  /** Writes that come through us wait until the user has looked at them. */
  readonly holdsWrites: boolean;
  readonly checkpoints: boolean;
  readonly limits: ChangeLimits;
  /** The limit of all sessions together, in bytes. */
  readonly totalBytes: number;
  /** The limit of one session, in bytes. */
  readonly storeBytes: number;
}

/** When changes that wait are kept without being looked at. */
export type AutoKeep = 'never' | 'onCommit' | 'onNextPrompt' | 'afterDelay';

const MEGABYTE = 1024 * 1024;
const DEFAULT_TOTAL_BYTES = 1024 * MEGABYTE;
const DEFAULT_DELAY_SECONDS = 60;

export function readChangeSettings(): ChangeSettings {
  const review = readUserValue(settings.changesReview, 'after').value;
  return {
    review: review !== 'off',
    holdsWrites: review === 'before',
    checkpoints: readUserValue(settings.checkpointsEnabled, true).value !== false,
    limits: { ...DEFAULT_CHANGE_LIMITS, fileBytes: bytesOf(settings.changesMaxFileSize, DEFAULT_CHANGE_LIMITS.fileBytes) },
    totalBytes: bytesOf(settings.changesMaxTotalSize, DEFAULT_TOTAL_BYTES),
    storeBytes: bytesOf(settings.changesMaxSessionSize, DEFAULT_STORE_BYTES),
  };
}

/** True unless the user has turned the tint of changed lines off. */
export function readsHighlight(): boolean {
  return readUserValue(settings.changesHighlight, true).value !== false;
}

function bytesOf(setting: string, own: number): number {
  const { value } = readUserValue(setting, own / MEGABYTE);
  return typeof value === 'number' && value > 0 ? value * MEGABYTE : own;
}

/** Reads the present setting. @returns delay in ms */
export function readAutoKeep(): { readonly when: AutoKeep; readonly delay: number } {
  const { value } = readUserValue(settings.changesAutoKeep, 'never');
  const { value: seconds } = readUserValue(settings.changesAutoKeepDelay, DEFAULT_DELAY_SECONDS);
  return {
    when: value === 'onCommit' || value === 'onNextPrompt' || value === 'afterDelay' ? value : 'never',
    delay: (typeof seconds === 'number' && seconds > 0 ? seconds : DEFAULT_DELAY_SECONDS) * 1000,
  };
}
