/** Labels for words of the protocol. An unknown word is shown as it is. */
import { durationText } from '../../src/text/messages/durations';
import * as statuses from '../../src/text/messages/statusText';
import * as toolKinds from '../../src/text/transcript/toolKinds';
import { refusalOf } from '../../src/core/approval/requests';
import type { PermissionEntry, ToolCallEntry, TurnEntry } from '../../src/core/model/state';
import { turnReason } from '../../src/text/messages/turnEnds';
import { statusOf } from '../../src/core/approval/requests';
import { t } from './l10n';
import { oneLine } from '../../src/text/characters/textSafety';

export { shortPath, shortTitle } from '../../src/core/toolCalls/titles';

/** A tool call's or plan entry's status. */
export function statusLabel(status: string): string {
  return statuses.statusLabel(status, t, (word) => oneLine(word, 40));
}

/** The status of a tool call, or how the user's decision ended it. @param status if it is not the agent's */
export function callLabel(call: ToolCallEntry, requests: readonly PermissionEntry[], status = statusOf(call, requests)): string {
  return statuses.callLabel(status, refusalOf(call, requests), t, (word) => oneLine(word, 40));
}

export function toolKindLabel(kind: string): string {
  return toolKinds.toolKindLabel(kind, t, (word) => oneLine(word, 40));
}

/** A summary of a group of tool calls: `files` read, `searches`, and pages fetched; '' for none. */
export function runText(files: number, searches: number, fetches = 0): string {
  const text = lookedText(files, searches);
  if (fetches === 0) {
    return text;
  }
  if (text === '') {
    return fetches === 1 ? t('Fetched 1 page') : t('Fetched {fetches} pages', { fetches });
  }
  return fetches === 1 ? t('{words}, fetched 1 page', { words: text }) : t('{words}, fetched {fetches} pages', { words: text, fetches });
}

function lookedText(files: number, searches: number): string {
  if (files === 0) {
    return searches === 0 ? '' : searches === 1 ? t('Searched once') : t('Searched {searches} times', { searches });
  }
  if (searches === 0) {
    return files === 1 ? t('Read 1 file') : t('Read {files} files', { files });
  }
  if (files === 1) {
    return searches === 1 ? t('Read 1 file, searched once') : t('Read 1 file, searched {searches} times', { searches });
  }
  return searches === 1
    ? t('Read {files} files, searched once', { files })
    : t('Read {files} files, searched {searches} times', { files, searches });
}

/** The severity of a notice. */
export function severityLabel(severity: string): string {
  return severity === 'error' ? t('Error') : severity === 'warning' ? t('Warning') : t('Info');
}

/** The reason why a turn ended; '' for `end_turn` with an answer. */
export function turnReasonText(turn: Pick<TurnEntry, 'stopReason' | 'unanswered'>): string {
  return turnReason(turn, t, (word) => oneLine(word, 80));
}

/** 900 → "0.9 s", 75000 → "1 min 15 s". `ms` below zero counts as zero. */
export function duration(ms: number): string {
  return durationText(ms, t);
}

/** A duration for display: '' below a second. */
export function timeText(ms: number): string {
  return ms >= 1000 ? duration(ms) : '';
}

/** A duration in whole seconds, for a running clock. */
export function elapsed(ms: number): string {
  return timeText(Math.floor(ms / 1000) * 1000);
}

/** The last part of a path, of either separator. */
export function baseName(path: string): string {
  let end = path.length;
  while (end > 0 && /[\\/]/.test(path[end - 1]!)) {
    end--;
  }
  const trimmed = path.slice(0, end);
  return trimmed.slice(Math.max(trimmed.lastIndexOf('/'), trimmed.lastIndexOf('\\')) + 1) || path;
}

const UNITS = ['K', 'M', 'G', 'T', 'P'];

/** 1234567 → "1.2M": a short form for tokens and other large numbers. */
export function compactNumber(value: number): string {
  let shown = Math.abs(value);
  if (!(shown >= 999.5)) {
    return String(Math.round(value * 10) / 10);
  }
  let unit = -1;
  // A number that would be rounded to four digits gets the next unit.
  for (; shown >= 999.5 && unit < UNITS.length - 1; unit++) {
    shown /= 1000;
  }
  const digits = unit > 0 || shown < 9.95 ? 1 : 0;
  return `${value < 0 ? '-' : ''}${shown < 1e6 ? shown.toFixed(digits) : shown.toExponential(1)}${UNITS[unit]}`;
}
