/** One answer for many questions: which of them it may answer. Pure. */
import { entryIdOf, isAbsent, type PermissionEntry, type SessionState } from '../model/state';
import { isMisnamed } from './optionName';

export type AlikeKind = 'allow_once' | 'reject_once';

export interface AlikeAnswer {
  readonly permissionId: string;
  readonly optionId: string;
}

/**
 * Returns the answers of this kind for the questions that offer it. Some questions need a look
 * of their own and are never allowed this way: protected paths, the agent's advice to refuse, repetitions and plans.
 */
export function alikeAnswers(
  questions: readonly PermissionEntry[],
  kind: AlikeKind,
  conversation: Pick<SessionState, 'entries'>,
): readonly AlikeAnswer[] {
  return questions.flatMap(({ permissionId, options, defaultToNo, subject }) => {
    const { type } = subject.reason ?? {};
    const isPlan = kindOf(subject, conversation) === 'switch_mode';
    const needsLook = defaultToNo === true || type === 'protected_path' || type === 'repetition' || isPlan;
    const option = kind === 'allow_once' && needsLook ? undefined : options.find((each) => each.kind === kind && !isMisnamed(each));
    return option ? [{ permissionId, optionId: option.optionId }] : [];
  });
}

/** Returns the kind of the request's tool. Without one of its own, the request has the kind of the tool call that it names. */
function kindOf({ kind, toolCallId }: PermissionEntry['subject'], { entries }: Pick<SessionState, 'entries'>): string | undefined {
  const call = toolCallId === undefined ? undefined : entries.get(entryIdOf.toolCall(toolCallId));
  return kind ?? (call?.kind === 'tool_call' && !isAbsent(call) ? call.toolKind : undefined);
}
