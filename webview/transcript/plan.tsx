/** The agent's plan, pinned above the composer: one line of progress that opens to its entries. */
import type { PlanBody } from '../../src/core/content';
import { useFold, useSelect, useView } from '../context';
import { ChevronIcon, ListIcon, StatusIcon } from '../icons';
import { t } from '../l10n';
import { oneLine, visible } from '../markdown/bidi';
import { Markdown } from '../markdown/markdown';
import { baseName, statusWord } from '../words';
import { jsonText } from './raw';

export function Plans() {
  const plans = useSelect((state) => state.plans);
  const shown = Object.entries(plans).filter(([, plan]) => plan.type !== 'items' || plan.entries.length > 0);
  if (shown.length === 0) return null;
  return (
    <div class="plans">
      {shown.map(([planId, plan]) => (
        <Plan key={planId} planId={planId} plan={plan} />
      ))}
    </div>
  );
}

function Plan({ planId, plan }: { planId: string; plan: PlanBody }) {
  const [open, setOpen] = useFold(`plan/${planId}`, false);
  const items = plan.type === 'items' ? plan.entries : [];
  const done = items.filter((item) => item.status === 'completed').length;
  const current = items.find((item) => item.status === 'in_progress') ?? items.find((item) => item.status === 'pending');
  return (
    <section class="plan" aria-label={t('Plan')}>
      <button type="button" class="plan-header" aria-expanded={open} onClick={() => setOpen(!open)}>
        <ChevronIcon />
        <ListIcon />
        <span class="plan-title">{t('Plan')}</span>
        {items.length > 0 && <span class="plan-progress">{t('{done}/{all}', { done, all: items.length })}</span>}
        {!open && current && <span class="plan-current">{oneLine(current.content, 120)}</span>}
      </button>
      {open && <PlanBodyView plan={plan} />}
    </section>
  );
}

function PlanBodyView({ plan }: { plan: PlanBody }) {
  const { post } = useView();
  switch (plan.type) {
    case 'items':
      return (
        <ol class="plan-items" tabIndex={0} aria-label={t('Plan')}>
          {plan.entries.map((item, index) => (
            <li key={index} class={`plan-item plan-${/^[a-z_]+$/.test(item.status) ? item.status : 'unknown'}`} dir="auto">
              <StatusIcon status={item.status} />
              <span>{visible(item.content)}</span>
              <span class="sr-only">{statusWord(item.status)}</span>
              {item.priority === 'high' && <span class="plan-priority">{t('High priority')}</span>}
            </li>
          ))}
        </ol>
      );
    case 'markdown':
      return (
        <div class="plan-text">
          <Markdown text={plan.content} />
        </div>
      );
    case 'file':
      return (
        <button type="button" class="text-button" onClick={() => post({ type: 'open_link', href: plan.uri })}>
          {oneLine(baseName(plan.uri))}
        </button>
      );
    default:
      return <pre class="content-text">{visible(jsonText(plan.raw))}</pre>;
  }
}
