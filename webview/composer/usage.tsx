/** How full the agent's context is, and what the session has cost: a ring that opens to all that is known. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Usage } from '../../src/core/model/content';
import { useSelect } from '../context';
import { t } from '../l10n';
import { compactNumber } from '../words';
import { fullness, level, price, wholeNumber } from './usageWords';

/** The ring's circumference is 100, so that its dash is a percentage. */
const RADIUS = 100 / (2 * Math.PI);

export function UsageView() {
  const usage = useSelect((state) => state.usage);
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (!open) {
      return undefined;
    }
    const outside = (event: Event) => !root.current?.contains(event.target as Node) && setOpen(false);
    document.addEventListener('pointerdown', outside);
    document.addEventListener('focusin', outside);
    return () => {
      document.removeEventListener('pointerdown', outside);
      document.removeEventListener('focusin', outside);
    };
  }, [open]);
  if (!usage) {
    return null;
  }
  const percent = fullness(usage);
  const money = usage.cost && price(usage.cost);
  const words = summary(usage);
  return (
    <div
      class="usage-root"
      ref={root}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !open) {
          return;
        }
        event.stopPropagation();
        setOpen(false);
        root.current?.querySelector('button')?.focus();
      }}
    >
      <button
        type="button"
        class={`usage ${level(percent)}`}
        aria-label={words}
        title={open ? undefined : words}
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        {percent !== undefined && (
          <svg class="usage-ring" viewBox="0 0 40 40" width="14" height="14" aria-hidden="true">
            <circle cx="20" cy="20" r={RADIUS} fill="none" stroke="currentColor" stroke-width="6" opacity="0.25" />
            <circle
              cx="20"
              cy="20"
              r={RADIUS}
              fill="none"
              stroke="currentColor"
              stroke-width="6"
              stroke-dasharray={`${Math.min(100, percent)} 100`}
              transform="rotate(-90 20 20)"
            />
          </svg>
        )}
        <span>{compactNumber(usage.used)}</span>
        {money && <span class="usage-cost">{money}</span>}
      </button>
      {open && <Details usage={usage} />}
    </div>
  );
}

function summary({ used, size, cost }: Usage): string {
  const percent = fullness({ used, size });
  const tokens =
    percent === undefined
      ? t('Context: {used} tokens', { used: compactNumber(used) })
      : t('Context: {used} of {size} ({percent}%)', { used: compactNumber(used), size: compactNumber(size), percent });
  return cost ? `${tokens}, ${price(cost)}` : tokens;
}

function Details({ usage }: { usage: Usage }) {
  const { used, size, cost } = usage;
  const percent = fullness(usage);
  const turn = useSelect((state) => state.turnUsage);
  const rows: (readonly [label: string, value: string] | false | undefined)[] = [
    [t('Used'), wholeNumber(used)],
    size > 0 && [t('Size'), wholeNumber(size)],
    cost && [t('Session Cost'), price(cost)],
  ];
  const turnRows: (readonly [label: string, value: string] | false | undefined)[] = [
    turn?.input !== undefined && [t('Input'), wholeNumber(turn.input)],
    turn?.output !== undefined && [t('Output'), wholeNumber(turn.output)],
    turn?.thought !== undefined && [t('Thinking'), wholeNumber(turn.thought)],
    turn?.cachedRead !== undefined && [t('Cache Read'), wholeNumber(turn.cachedRead)],
    turn?.cachedWrite !== undefined && [t('Cache Write'), wholeNumber(turn.cachedWrite)],
    turn?.total !== undefined && [t('Total'), wholeNumber(turn.total)],
  ];
  return (
    <div class="usage-details" role="group" aria-label={t('Usage')}>
      <div class="usage-heading">{summary({ used, size })}</div>
      <Rows rows={rows} />
      {percent !== undefined && percent >= 90 && (
        <div class="usage-advice">{t('Context is almost full. Earlier messages may be dropped.')}</div>
      )}
      {turnRows.some(Boolean) && (
        <>
          <div class="usage-heading">{t('Last Response')}</div>
          <Rows rows={turnRows} />
        </>
      )}
    </div>
  );
}

function Rows({ rows }: { rows: readonly (readonly [label: string, value: string] | false | undefined)[] }) {
  return (
    <dl class="usage-rows">
      {rows.map(
        (row) =>
          row && (
            <div key={row[0]}>
              <dt>{row[0]}</dt>
              <dd>{row[1]}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
