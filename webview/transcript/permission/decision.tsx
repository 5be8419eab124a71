/** How a permission request ended: a mark on what was asked about, and in its details who decided, and when. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { PermissionEntry, ToolCallEntry } from '../../../src/core/model/state';
import { entryIdOf } from '../../../src/core/model/state';
import { ruleText } from '../../../src/core/model/answeringRule';
import { requestsOf, shownOutcome } from '../../../src/core/approval/requests';
import { type Decision, decisionLabel, decisionText } from '../../../src/text/messages/statusText';
import { useSelect, useView } from '../../state/context';
import { CheckIcon, CrossIcon, ProhibitedIcon, QuestionIcon } from '../../base/icons';
import { t } from '../../base/l10n';
import { oneLine } from '../../../src/text/characters/textSafety';

/** The requests about a tool call; those whose bodies are not here are asked for. The same as long as none of them changes. */
export function useRequests(entry: ToolCallEntry): readonly PermissionEntry[] {
  const { mirror } = useView();
  const kept = useRef<readonly PermissionEntry[]>([]);
  const requests = useSelect(({ entries }) => {
    const now = requestsOf(entry, entries);
    const isSame = now.length === kept.current.length && now.every((request, index) => request === kept.current[index]);
    return isSame ? kept.current : (kept.current = now);
  });
  const missing = requests.length < (entry.requests?.length ?? 0);
  const { generation } = mirror;
  useLayoutEffect(() => {
    if (missing) {
      mirror.want(entry.requests!.map(entryIdOf.permission));
    }
  }, [missing, generation]);
  return requests;
}

/** On a tool call: how the newest request about it ended, unless its `status` is called the same. */
export function DecisionMark({ request, status }: { request: PermissionEntry | undefined; status?: string | undefined }) {
  const decision = request && decisionOf(request);
  const word = decision && decisionLabel(decision, t);
  if (!decision || word === status) {
    return null;
  }
  const isAllowed = decision.kind?.startsWith('allow_') === true;
  const marks = ['decision', isAllowed && 'decision-allowed', decision.rule !== undefined && 'decision-by-rule'].filter(Boolean);
  return (
    <span class={marks.join(' ')} title={decisionText(decision, t)}>
      <DecisionIcon decision={decision} />
      <span class="decision-word">{word}</span>
    </span>
  );
}

/** In a tool call's body, or a request's: by whom and when. */
export function DecisionDetails({ request }: { request: PermissionEntry }) {
  const { post } = useView();
  const decision = decisionOf(request);
  if (!decision || !request.outcome) {
    return null;
  }
  const { byRule } = request.outcome;
  const at = new Date(request.outcome.at);
  return (
    <div class="decision-details">
      {decisionText(decision, t)}
      {' · '}
      <time dateTime={at.toISOString()} title={at.toLocaleString()}>
        {at.toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' })}
      </time>
      {request.from !== undefined && ` · ${t('Answered from {client}', { client: oneLine(request.from, 60) })}`}
      {byRule?.reason.code === 'rule' && (
        <button type="button" class="text-button" onClick={() => post({ type: 'show_rule', ruleId: byRule.id })}>
          {t('Show Rule')}
        </button>
      )}
    </div>
  );
}

function DecisionIcon({ decision: { type, kind = '' } }: { decision: Decision }) {
  if (type !== 'selected' && type !== 'elsewhere') {
    return <ProhibitedIcon />;
  }
  return kind.startsWith('allow_') ? <CheckIcon /> : kind.startsWith('reject_') ? <CrossIcon /> : <QuestionIcon />;
}

function decisionOf(request: PermissionEntry): Decision | undefined {
  const { outcome, options } = request;
  if (!outcome) {
    return undefined;
  }
  const chosen = options.find(({ optionId }) => optionId === outcome.optionId);
  const option = oneLine(chosen?.name ?? '', 160) || oneLine(outcome.optionId ?? '?', 160);
  const { byRule } = outcome;
  const rule = byRule && { rule: oneLine(ruleText(byRule), 160), code: byRule.reason.code };
  return { type: shownOutcome(request) ?? outcome.type, kind: chosen?.kind, option, ...rule };
}
