/** A subagent: its name, task, status, current tool, tokens and time. The card opens to its conversation. */
import { useMemo, useRef } from 'preact/hooks';
import { oneLine } from '../../../src/text/characters/textSafety';
import { MAX_LABEL, MAX_TASK } from '../../../src/text/find/entryTexts';
import { subagentLabel, subagentStatusLabel } from '../../../src/text/messages/subagents';
import type { SubagentEntry } from '../../../src/core/model/subagent';
import {
  canStop,
  type SubagentState,
  type SubagentStatus,
  subagentName,
  subagentOf,
  subagentStatus,
  waitingSubagents,
} from '../../../src/core/subagents/subagentTree';
import type { SessionState } from '../../../src/core/model/state';
import { useDisclosure, useNow, useSelect, useView, ViewContext } from '../../state/context';
import { focusWaiting } from '../list/focusPendingRequest';
import { AgentIcon, ChevronIcon, QuestionIcon, StatusIcon, StopIcon } from '../../base/icons';
import { t } from '../../base/l10n';
import { compactNumber, elapsed } from '../../base/strings';
import { SubagentConversation } from './conversation';
import { subagentView } from './subagentView';

/** UTF-16 units. */
const MAX_TOOL = 200;

export function SubagentView({ entry }: { entry: SubagentEntry }) {
  const child = useSelect((state) => subagentOf(state, entry.subagentId));
  return child ? <Card entryId={entry.entryId} child={child} /> : null;
}

function Card({ entryId, child }: { entryId: string; child: SubagentState }) {
  const isWaiting = useIsWaiting(child.subagentId);
  const [open, setOpen] = useDisclosure(entryId, false);
  const status = subagentStatus(child, isWaiting);
  const name = oneLine(subagentName(child), MAX_LABEL);
  const word = subagentStatusLabel(status, t);
  const label = subagentLabel(name, t);
  const task = oneLine(child.description ?? '', MAX_TASK);
  return (
    <article
      class={`entry tool subagent${isWaiting ? ' subagent-waiting' : ''}`}
      aria-label={word === '' ? label : t('{title}, {status}', { title: label, status: word })}
    >
      <div class="tool-head">
        <button type="button" class="tool-header" aria-expanded={open} onClick={() => setOpen(!open)}>
          <span class="tool-icon" title={t('Sub-agent')}>
            <AgentIcon />
          </span>
          <span class={`tool-title${open ? ' tool-title-whole' : ''}`} title={task}>
            <bdi class="subagent-name">{name}</bdi>
            {task !== '' && (
              <span class="subagent-task">
                {' '}
                <bdi>{task}</bdi>
              </span>
            )}
          </span>
          {word !== '' && (
            <span class={`status status-${status}`} title={word}>
              <Mark status={status} />
              <span class="status-word">{word}</span>
            </span>
          )}
          <ChevronIcon />
        </button>
      </div>
      <Facts child={child} name={name} isWaiting={isWaiting} />
      {open && <Opened child={child} />}
    </article>
  );
}

/** The line below the header: the question that waits, the tool in use or the reason of a failure; tokens, time and Stop. */
function Facts({ child, name, isWaiting }: { child: SubagentState; name: string; isWaiting: boolean }) {
  const { mirror, disclosures, post } = useView();
  const now = oneLine(child.openTools.findLast(({ title }) => title !== '')?.title ?? child.work?.detail ?? '', MAX_TOOL);
  return (
    <div class="subagent-facts">
      <span class="subagent-now" title={now}>
        {isWaiting ? (
          <button type="button" class="text-button" onClick={() => focusWaiting(rootOf(mirror), disclosures, () => true)}>
            {t('Show Question')}
          </button>
        ) : (
          <bdi>{now}</bdi>
        )}
      </span>
      <Tokens child={child} />
      <Time child={child} />
      {canStop(child) && (
        <button
          type="button"
          class="text-button"
          // The composer has the Stop of the turn, and two buttons need different names.
          aria-label={t('Stop {name}', { name })}
          onClick={() => post({ type: 'stop_subagent', subagentId: child.subagentId })}
        >
          <StopIcon />
          {t('Stop')}
        </button>
      )}
    </div>
  );
}

/** The session's mirror, which a subagent's mirror inherits from. */
function rootOf<M extends object>(mirror: M): M {
  let root = mirror;
  for (let next = Object.getPrototypeOf(root) as M; Object.hasOwn(next, 'state'); ) {
    root = next;
    next = Object.getPrototypeOf(root) as M;
  }
  return root;
}

function Opened({ child }: { child: SubagentState }) {
  const view = useView();
  const { subagentId } = child;
  const inner = useMemo(() => subagentView(view, subagentId), [view, subagentId]);
  return (
    <ViewContext.Provider value={inner}>
      <SubagentConversation name={oneLine(subagentName(child), MAX_LABEL)} subagentId={subagentId} />
    </ViewContext.Provider>
  );
}

function Mark({ status }: { status: SubagentStatus }) {
  return status === 'waiting' ? (
    <QuestionIcon />
  ) : (
    <StatusIcon status={status === 'running' || status === 'stopping' ? 'in_progress' : status} />
  );
}

function Tokens({ child: { work, conversation } }: { child: SubagentState }) {
  const tokens = work?.usage?.total ?? conversation.usage?.used;
  return tokens === undefined ? null : <span class="tool-time">{t('{count} tokens', { count: compactNumber(tokens) })}</span>;
}

function Time({ child: { runsSince, worked } }: { child: SubagentState }) {
  const now = useNow(runsSince !== undefined);
  const text = elapsed(worked + (runsSince === undefined ? 0 : Math.max(0, now - runsSince)));
  return text === '' ? null : <span class="tool-time">{text}</span>;
}

/** True while the subagent, or one of its descendants, waits for the user. */
function useIsWaiting(subagentId: string): boolean {
  const { mirror } = useView();
  const root = rootOf(mirror);
  const known = useRef<{ readonly from: readonly unknown[]; readonly waiting: ReadonlySet<string> }>();
  return useSelect(() => {
    const { pendingPermissions, pendingElicitations, subagents, entries } = root.state;
    const from = [
      pendingPermissions,
      pendingElicitations,
      pendingPermissions.length + pendingElicitations.length > 0 && entries,
      Boolean(subagents),
    ];
    if (!known.current?.from.every((each, index) => each === from[index])) {
      known.current = { from, waiting: waitingSubagents(root.state satisfies SessionState) };
    }
    return known.current!.waiting.has(subagentId);
  });
}
