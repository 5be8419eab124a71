/** The questions of all sessions that wait for the user, as one list. Pure. */
import { operationOf } from '../../core/approval/operation';
import { toolCallIn } from '../../core/approval/permissionSubject';
import { entryIdOf, isAbsent, type SessionState } from '../../core/model/state';
import { inertLine, type InertText, joined } from '../shared/escape';
import { titleOf } from '../shared/sessionTitle';
import type { Translate } from '../shared/translate';

/** UTF-16 units. */
const MAX_LABEL = 120;
const MAX_NAME = 60;
const MAX_COMMAND = 200;

export interface WaitingQuestion {
  readonly sessionKey: string;
  readonly entryId: string;
  /** ms since the epoch. */
  readonly at: number;
  readonly label: InertText;
  /** The agent, or its sub-agent, and the session. */
  readonly description: InertText;
  /** The command that would run. */
  readonly detail?: InertText;
  /** A codicon's id. */
  readonly icon: string;
}

interface AskingSession {
  readonly key: string;
  readonly agentName: string;
  readonly store: { readonly state: SessionState };
}

/** Returns the questions, oldest first. Each names its session, because several may have the same agent. */
export function waitingQuestions(sessions: readonly AskingSession[], t: Translate): readonly WaitingQuestion[] {
  return sessions.flatMap((session) => questionsOf(session, t)).sort((one, other) => one.at - other.at);
}

/**
 * Returns the question after the one that has the focus, so that one key goes through all of them. Undefined when none has the focus, or no other
 * waits.
 * @param questions oldest first
 */
export function questionAfter(
  questions: readonly WaitingQuestion[],
  hasFocus: (question: WaitingQuestion) => boolean,
): WaitingQuestion | undefined {
  const at = questions.findIndex(hasFocus);
  return at < 0 || questions.length < 2 ? undefined : questions[(at + 1) % questions.length];
}

function questionsOf({ key, agentName, store: { state } }: AskingSession, t: Translate): readonly WaitingQuestion[] {
  const { pendingPermissions, pendingElicitations, entries, cwd } = state;
  const ids = [...pendingPermissions.map(entryIdOf.permission), ...pendingElicitations.map(entryIdOf.elicitation)];
  return ids.flatMap((entryId): WaitingQuestion[] => {
    const slot = entries.get(entryId);
    if (!slot || isAbsent(slot) || (slot.kind !== 'permission' && slot.kind !== 'elicitation')) {
      return [];
    }
    const asker = slot.askedBy === undefined ? agentName : `${agentName}: ${slot.askedBy}`;
    const description = joined([inertLine(asker, MAX_NAME), inertLine(titleOf(state), MAX_NAME)], ' · ');
    const about = { sessionKey: key, entryId, at: slot.at, description };
    if (slot.kind === 'elicitation') {
      return [{ ...about, label: inertLine(slot.message, MAX_LABEL) || t('A form'), icon: 'comment-unresolved' }];
    }
    const { name, command: run, written } = operationOf(slot, { call: toolCallIn(state, slot.subject.toolCallId), cwd });
    const command = run ?? written;
    const isNamed = command === undefined || name.includes(command);
    const label = inertLine(name, MAX_LABEL) || t('Permission');
    return [{ ...about, label, icon: 'shield', ...(!isNamed && { detail: inertLine(command, MAX_COMMAND) }) }];
  });
}
