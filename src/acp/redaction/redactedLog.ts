import type { Log } from '../../core/platform/log';
import { withoutCutValue, withoutValues } from './secretValues';

/**
 * Returns a `log` that redacts the values that `values` returns at the time of each message. A quoted text that was cut ends in an ellipsis, so the
 * beginning of a value before an ellipsis is redacted, too.
 */
export function redactedLog(log: Log, values: () => readonly string[]): Log {
  const redact = (text: string): string => withoutCutValues(text, values());
  return {
    debug: (message) => log.debug(redact(message)),
    info: (message) => log.info(redact(message)),
    warn: (message) => log.warn(redact(message)),
    error: (message) => log.error(redact(message)),
  };
}

/** Returns `text` without `values`, and without the beginning of a value where the text was cut. */
export function withoutCutValues(text: string, values: readonly string[]): string {
  return values.length === 0
    ? text
    : withoutValues(text, values)
        .split('…')
        .map((part) => withoutCutValue(part, values))
        .join('…');
}
