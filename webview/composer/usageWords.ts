/** Numbers of tokens and money, as people read them. */
import type { Usage } from '../../src/core/model/content';
import { t } from '../l10n';
import { compactNumber } from '../words';
import { oneLine } from '../../src/text/characters/textSafety';

/** Per cent of the window that is taken; more than 100 when the agent says so, undefined when it did not say how large the window is. */
export function fullness({ used, size }: Pick<Usage, 'used' | 'size'>): number | undefined {
  return size > 0 ? Math.max(0, Math.round((used / size) * 100)) : undefined;
}

/** How full it is, in a line. */
export function summary({ used, size, cost }: Usage): string {
  const percent = fullness({ used, size });
  const tokens =
    percent === undefined
      ? t('Context: {used} tokens', { used: compactNumber(used) })
      : t('Context: {used} of {size} ({percent}%)', { used: compactNumber(used), size: compactNumber(size), percent });
  return cost ? `${tokens}, ${price(cost)}` : tokens;
}

/** A class; the thresholds are those that the protocol's RFD "Session Usage" advises. */
export function level(percent: number | undefined): string {
  if (percent === undefined || percent < 75) {
    return '';
  }
  return percent > 95 ? 'usage-full' : percent >= 90 ? 'usage-high' : 'usage-much';
}

/** With as many digits as it takes to see that it is not nothing. */
export function price({ amount, currency }: NonNullable<Usage['cost']>): string {
  const digits =
    Math.abs(amount) >= 1 || amount === 0 ? {} : Math.abs(amount) >= 0.01 ? { maximumFractionDigits: 3 } : { maximumSignificantDigits: 2 };
  try {
    return new Intl.NumberFormat(language(), { style: 'currency', currency, ...digits }).format(amount);
  } catch {
    return `${amount} ${oneLine(currency, 20)}`; // Not a currency we can format.
  }
}

export function wholeNumber(value: number): string {
  return new Intl.NumberFormat(language(), { maximumFractionDigits: 1 }).format(value);
}

/** Undefined when the browser does not know the page's. */
function language(): string | undefined {
  const lang = typeof document === 'undefined' ? '' : document.documentElement.lang;
  try {
    return lang && Intl.NumberFormat.supportedLocalesOf(lang).length > 0 ? lang : undefined;
  } catch {
    return undefined;
  }
}
