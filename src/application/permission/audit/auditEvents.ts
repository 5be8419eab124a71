/** The audit's entries that follow from the events of a session. Pure. */
import { operationOf } from '../../../core/approval/operation';
import { toolCallIn } from '../../../core/approval/permissionSubject';
import { ruleText } from '../../../core/model/answeringRule';
import type { SessionEvent } from '../../../core/model/event';
import { type ElicitationEntry, entryIdOf, isAbsent, type PermissionEntry, type SessionState } from '../../../core/model/state';
import { titleOf } from '../../shared/sessionTitle';
import type { AuditEntry } from './auditEntry';

/** The files that an entry names. */
const MAX_FILES = 10;

/** Returns the entry of an event; undefined for an event that the audit does not contain. @param state after the event */
export function auditEntryOf(event: SessionEvent, state: SessionState, sessionId: string, agent: string): AuditEntry | undefined {
  const about = { at: event.at, sessionId, session: titleOf(state), agent };
  switch (event.type) {
    case 'permission_requested': {
      const request = permissionIn(state, event.permissionId);
      // A request that a rule answers is one entry, with its answer.
      return request && !request.outcome ? { ...about, kind: 'question', ...operationIn(request, state) } : undefined;
    }
    case 'permission_resolved': {
      const request = permissionIn(state, event.permissionId);
      const { byRule, outcome, optionId } = event;
      const option = request?.options.find((each) => each.optionId === optionId);
      const answer = { outcome: option?.kind ?? outcome, ...(option && { option: option.name }) };
      const rule = byRule && { ruleId: byRule.id, reason: byRule.reason.code, rule: ruleText(byRule) };
      return request && { ...about, kind: byRule ? 'automatic' : 'answer', ...operationIn(request, state), ...answer, ...rule };
    }
    case 'elicitation_requested': {
      const form = formIn(state, event.requestKey);
      return form && { ...about, kind: 'question', ...questionIn(form) };
    }
    case 'elicitation_resolved': {
      // The values of a form are the user's own, and no part of the audit.
      const form = formIn(state, event.requestKey);
      return form && { ...about, kind: 'answer', ...questionIn(form), outcome: event.outcome };
    }
    case 'permission_mode':
      return { ...about, kind: 'mode', title: event.mode };
    default:
      return undefined;
  }
}

/** Returns the id of the question's entry, for an event that answers a question. */
export function answeredEntryId(event: SessionEvent): string | undefined {
  switch (event.type) {
    case 'permission_resolved':
      return entryIdOf.permission(event.permissionId);
    case 'elicitation_resolved':
      return entryIdOf.elicitation(event.requestKey);
    default:
      return undefined;
  }
}

function permissionIn({ entries }: SessionState, permissionId: string): PermissionEntry | undefined {
  const slot = entries.get(entryIdOf.permission(permissionId));
  return slot?.kind === 'permission' && !isAbsent(slot) ? slot : undefined;
}

function formIn({ entries }: SessionState, requestKey: string): ElicitationEntry | undefined {
  const slot = entries.get(entryIdOf.elicitation(requestKey));
  return slot?.kind === 'elicitation' && !isAbsent(slot) ? slot : undefined;
}

type Operation = Pick<AuditEntry, 'title' | 'detail' | 'reason' | 'askedBy'>;

function operationIn(request: PermissionEntry, state: SessionState): Operation {
  const { name, command, written } = operationOf(request, { call: toolCallIn(state, request.subject.toolCallId), cwd: state.cwd });
  const { content = [], locations = [], reason } = request.subject;
  const changed = content.flatMap((each) => (each.type === 'diff' ? each.changes.map(({ path }) => path) : []));
  const files = [...new Set([...changed, ...locations.map(({ path }) => path)])].slice(0, MAX_FILES);
  const detail = command ?? written ?? files.join(', ');
  return {
    title: name || request.subject.kind || '?',
    ...(detail !== '' && detail !== name && { detail }),
    ...(reason && { reason: reason.type }),
    ...askerOf(request),
  };
}

function questionIn(form: ElicitationEntry): Operation {
  return { title: form.message, ...(form.body.mode === 'url' && { detail: form.body.url }), ...askerOf(form) };
}

function askerOf({ askedBy }: { readonly askedBy?: string }): Pick<AuditEntry, 'askedBy'> {
  return askedBy === undefined ? {} : { askedBy };
}
