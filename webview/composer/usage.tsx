/** How full the agent's context is, and what the session has cost. */
import { useSelect } from '../context';
import { t } from '../l10n';
import { oneLine } from '../markdown/bidi';
import { compactNumber } from '../words';

/** The ring's circumference is 100, so that its dash is a percentage. */
const RADIUS = 100 / (2 * Math.PI);

export function UsageView() {
  const usage = useSelect((state) => state.usage);
  if (!usage) return null;
  const { used, size, cost } = usage;
  const percent = size > 0 ? Math.max(0, Math.min(100, Math.round((used / size) * 100))) : undefined;
  const tokens = percent === undefined ? t('{used} tokens used', { used }) : t('{used} of {size} tokens used ({percent} %)', { used, size, percent });
  const money = cost && price(cost.amount, cost.currency);
  const words = money ? `${tokens}, ${money}` : tokens;
  return (
    <span class={percent !== undefined && percent >= 85 ? 'usage usage-high' : 'usage'} role="img" aria-label={words} title={words}>
      {percent !== undefined && (
        <svg class="usage-ring" viewBox="0 0 40 40" width="14" height="14" aria-hidden="true">
          <circle cx="20" cy="20" r={RADIUS} fill="none" stroke="currentColor" stroke-width="6" opacity="0.25" />
          <circle cx="20" cy="20" r={RADIUS} fill="none" stroke="currentColor" stroke-width="6" stroke-dasharray={`${percent} 100`} transform="rotate(-90 20 20)" />
        </svg>
      )}
      <span>{compactNumber(used)}</span>
      {money && <span>{money}</span>}
    </span>
  );
}

function price(amount: number, currency: string): string {
  try {
    return new Intl.NumberFormat(document.documentElement.lang || undefined, { style: 'currency', currency, maximumFractionDigits: amount < 1 ? 3 : 2 }).format(amount);
  } catch {
    return `${amount} ${oneLine(currency, 20)}`; // Not a currency we can format, or a language the browser does not know.
  }
}
