import type { Log } from '../../core/model/ports';
import { withoutCutValue, withoutValues } from './secretValues';

/** `log`, in which none of these values is written, as they are then; others' texts in it end at an ellipsis where they were cut. */
export function redactedLog(log: Log, values: () => readonly string[]): Log {
  const redact = (text: string): string => withoutCutValues(text, values());
  return {
    debug: (message) => log.debug(redact(message)),
    info: (message) => log.info(redact(message)),
    warn: (message) => log.warn(redact(message)),
    error: (message) => log.error(redact(message)),
  };
}

/** `text` without `values`, and without the beginning of one where it was cut. */
export function withoutCutValues(text: string, values: readonly string[]): string {
  return values.length === 0
    ? text
    : withoutValues(text, values)
        .split('…')
        .map((part) => withoutCutValue(part, values))
        .join('…');
}
