/** The agent's plan: a line with its progress that opens its entries. It is above the composer while its turn runs, and then at the turn's end. */
import type { PlanBody } from '../../../src/core/model/content';
import type { Plans as PlansById } from '../../../src/core/model/state';
import { useDisclosure, useSelect, useView } from '../../state/context';
import { CheckIcon, ChevronIcon, ListIcon, StatusIcon } from '../../base/icons';
import { t } from '../../base/l10n';
import { linkKind } from '../../../src/text/links/linkKind';
import { oneLine, escapeMisleading } from '../../../src/text/characters/textSafety';
import { Markdown } from '../../markdown/markdown';
import { baseName, statusLabel } from '../../base/strings';
import { jsonText } from '../../base/jsonText';

export function Plans() {
  const plans = useSelect((state) => state.plans);
  return <PlanList class="plans" plans={plans} within="plan" />;
}

/** The plans of a finished turn. */
export function TurnPlans({ plans, entryId }: { plans: PlansById; entryId: string }) {
  return <PlanList class="turn-plans" plans={plans} within={`${entryId}/plan`} />;
}

/** False when none of these plans is rendered. */
export function hasShownPlan(plans: PlansById): boolean {
  return Object.values(plans).some(isShown);
}

function isShown(plan: PlanBody): boolean {
  return plan.type !== 'items' || plan.entries.length > 0;
}

/** @param within the prefix of the fold keys of these plans, unique in the session */
function PlanList({ plans, within, class: className }: { plans: PlansById; within: string; class: string }) {
  const shown = Object.entries(plans).filter(([, plan]) => isShown(plan));
  if (shown.length === 0) {
    return null;
  }
  return (
    <div class={className}>
      {shown.map(([planId, plan], index) => (
        <Plan
          key={planId}
          disclosureKey={`${within}/${planId}`}
          plan={plan}
          name={index === 0 ? t('Plan') : t('Plan {number}', { number: index + 1 })}
        />
      ))}
    </div>
  );
}

function Plan({ disclosureKey, plan, name }: { disclosureKey: string; plan: PlanBody; name: string }) {
  // Cancelled entries do not count for the progress.
  const items = plan.type === 'items' ? plan.entries.filter(({ status }) => status !== 'cancelled') : [];
  const done = items.filter((item) => item.status === 'completed').length;
  const isDone = items.length > 0 && done === items.length;
  // A completed plan closes once by itself. The user can open it again.
  const [open, setOpen] = useDisclosure(isDone ? `${disclosureKey}/done` : disclosureKey, false);
  const current = items.find((item) => item.status === 'in_progress') ?? items.find((item) => item.status === 'pending');
  return (
    <section class={isDone ? 'plan plan-done' : 'plan'} aria-label={name}>
      <button type="button" class="plan-header" aria-expanded={open} onClick={() => setOpen(!open)}>
        <ChevronIcon />
        {isDone ? <CheckIcon /> : <ListIcon />}
        {isDone && <span class="sr-only">{statusLabel('completed')}</span>}
        <span class="plan-title">{name}</span>
        {items.length > 0 && <span class="plan-progress">{t('{done}/{all}', { done, all: items.length })}</span>}
        {!open && current && <span class="plan-current">{oneLine(current.content, 120)}</span>}
      </button>
      {items.length > 0 && !isDone && (
        <progress class="plan-bar" max={items.length} value={done} aria-label={t('{done} of {all} done', { done, all: items.length })} />
      )}
      {open && <PlanBodyView plan={plan} name={name} />}
    </section>
  );
}

/** The file that contains the plan. */
function PlanFile({ path }: { path: string }) {
  const { post } = useView();
  return (
    <button type="button" class="text-button" title={escapeMisleading(path)} onClick={() => post({ type: 'open_location', path })}>
      {oneLine(baseName(path))}
    </button>
  );
}

const KNOWN = new Set(['pending', 'in_progress', 'completed', 'cancelled']);

function PlanBodyView({ plan, name }: { plan: PlanBody; name: string }) {
  const { post } = useView();
  switch (plan.type) {
    case 'items':
      return (
        <ol class="plan-items" tabIndex={0} aria-label={name}>
          {plan.entries.map((item, index) => (
            <li key={index} class={`plan-item plan-${/^[a-z_]+$/.test(item.status) ? item.status : 'unknown'}`} dir="auto">
              <StatusIcon status={item.status} />
              <span>{escapeMisleading(item.content)}</span>
              <span class={KNOWN.has(item.status) ? 'sr-only' : 'plan-status'}>{statusLabel(item.status)}</span>
              {item.priority === 'high' && <span class="plan-priority">{t('High priority')}</span>}
            </li>
          ))}
        </ol>
      );
    case 'markdown':
      return (
        <div class="plan-text">
          <Markdown text={plan.content} />
          {plan.path !== undefined && <PlanFile path={plan.path} />}
        </div>
      );
    case 'file':
      return linkKind(plan.uri) === 'none' ? (
        <span>{oneLine(baseName(plan.uri))}</span>
      ) : (
        <button type="button" class="text-button" onClick={() => post({ type: 'open_link', href: plan.uri })}>
          {oneLine(baseName(plan.uri))}
        </button>
      );
    default:
      return <pre class="content-text unsearched">{escapeMisleading(jsonText(plan.raw))}</pre>;
  }
}
