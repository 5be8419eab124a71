/** Numbers of tokens and amounts of money, formatted for display. */
import type { Usage } from '../../src/core/model/content';
import { t } from '../base/l10n';
import { compactNumber } from '../base/strings';
import { oneLine } from '../../src/text/characters/textSafety';

/** Per cent of the context window in use; more than 100 when the agent reports so, undefined when it did not report the window's size. */
export function fullness({ used, size }: Pick<Usage, 'used' | 'size'>): number | undefined {
  return size > 0 ? Math.max(0, Math.round((used / size) * 100)) : undefined;
}

/** The context's use in one line. */
export function summary({ used, size, cost }: Usage): string {
  const percent = fullness({ used, size });
  const tokens =
    percent === undefined
      ? t('Context: {used} tokens', { used: compactNumber(used) })
      : t('Context: {used} of {size} ({percent}%)', { used: compactNumber(used), size: compactNumber(size), percent });
  return cost ? `${tokens}, ${price(cost)}` : tokens;
}

/** A CSS class. The thresholds are those of the protocol's RFD "Session Usage". */
export function level(percent: number | undefined): string {
  if (percent === undefined || percent < 75) {
    return '';
  }
  return percent > 95 ? 'usage-full' : percent >= 90 ? 'usage-high' : 'usage-much';
}

/** Formats a price with enough digits that a small one is not shown as zero. */
export function price({ amount, currency }: NonNullable<Usage['cost']>): string {
  const digits =
    Math.abs(amount) >= 1 || amount === 0 ? {} : Math.abs(amount) >= 0.01 ? { maximumFractionDigits: 3 } : { maximumSignificantDigits: 2 };
  try {
    return new Intl.NumberFormat(language(), { style: 'currency', currency, ...digits }).format(amount);
  } catch {
    return `${amount} ${oneLine(currency, 20)}`; // The code is not a currency that can be formatted.
  }
}

export function wholeNumber(value: number): string {
  return new Intl.NumberFormat(language(), { maximumFractionDigits: 1 }).format(value);
}

/** Undefined when the browser does not know the page's language. */
function language(): string | undefined {
  const lang = typeof document === 'undefined' ? '' : document.documentElement.lang;
  try {
    return lang && Intl.NumberFormat.supportedLocalesOf(lang).length > 0 ? lang : undefined;
  } catch {
    return undefined;
  }
}
