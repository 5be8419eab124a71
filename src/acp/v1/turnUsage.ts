import type { TurnUsage } from '../../core/model/content';
import type { EventInput } from '../../core/model/event';
import { isRecord, restOf } from '../json/fields';

const NAMES: Readonly<Record<string, keyof TurnUsage>> = {
  totalTokens: 'total',
  inputTokens: 'input',
  outputTokens: 'output',
  thoughtTokens: 'thought',
  cachedReadTokens: 'cachedRead',
  cachedWriteTokens: 'cachedWrite',
};

/**
 * Decodes `usage` of the answer to `session/prompt` (RFD "End turn token usage"). Undefined when none of its numbers can be read, so that it is kept
 * unchanged.
 */
export function decodeTurnUsage(raw: unknown): EventInput | undefined {
  if (!isRecord(raw)) {
    return undefined;
  }
  const known = Object.keys(NAMES).filter((name) => Number.isFinite(raw[name]) && (raw[name] as number) >= 0);
  if (known.length === 0) {
    return undefined;
  }
  const extra = restOf(raw, new Set([...known, '_meta', ...Object.keys(NAMES).filter((name) => raw[name] === null)]));
  return {
    type: 'turn_usage',
    usage: Object.fromEntries(known.map((name) => [NAMES[name]!, raw[name] as number])) as TurnUsage,
    ...(raw._meta !== undefined && raw._meta !== null && { meta: raw._meta }),
    ...(extra && { extra }),
  };
}
