/** Shows how full the agent's context is and what the session has cost: a ring that opens the details. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useSelect } from '../state/context';
import { WarningIcon } from '../base/icons';
import { useLazy } from '../base/lazy';
import { t } from '../base/l10n';
import { compactNumber } from '../base/strings';
import { composerChunk } from './lazyComposer';
import { fullness, level, price, summary } from './usageStrings';

/** Per cent from which the ring is a warning, which its colour alone must not convey. */
const ALMOST_FULL = 90;

/** The ring's circumference is 100, so that its dash is a percentage. */
const RADIUS = 100 / (2 * Math.PI);

export function UsageView() {
  const usage = useSelect((state) => state.usage);
  const quota = useSelect((state) => state.quota);
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const chunk = useLazy(composerChunk, quota !== undefined);
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
  const limit = quota && chunk?.nearestLimit(quota);
  if (!usage && !limit) {
    return null;
  }
  const percent = usage && fullness(usage);
  const money = usage?.cost && price(usage.cost);
  const text = [usage && summary(usage), limit?.text].filter(Boolean).join('\n');
  const warns = limit?.isWarning || (percent ?? 0) >= ALMOST_FULL;
  const close = () => {
    setOpen(false);
    root.current?.querySelector('button')?.focus();
  };
  return (
    <div
      class="usage-root"
      ref={root}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !open) {
          return;
        }
        event.stopPropagation();
        close();
      }}
    >
      <button
        type="button"
        class={`usage ${level(percent)}`}
        aria-label={text}
        title={open ? undefined : text}
        aria-expanded={open}
        onClick={() => {
          void composerChunk.load();
          setOpen(!open);
        }}
      >
        {warns && <WarningIcon />}
        {!warns && percent !== undefined && (
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
        {usage ? (
          <span>
            {compactNumber(usage.used)}
            {usage.size > 0 && <span class="usage-size">{` / ${compactNumber(usage.size)}`}</span>}
          </span>
        ) : (
          <span>{t('Limits')}</span>
        )}
        {money && <span class="usage-cost">{money}</span>}
      </button>
      {open && chunk && <chunk.UsageDetails usage={usage} close={close} />}
    </div>
  );
}
