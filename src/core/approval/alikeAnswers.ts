/** One answer for many questions: which of them it may answer. Pure. */
import type { PermissionEntry } from '../model/state';
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
export function alikeAnswers(questions: readonly PermissionEntry[], kind: AlikeKind): readonly AlikeAnswer[] {
  return questions.flatMap(({ permissionId, options, defaultToNo, subject }) => {
    const { type } = subject.reason ?? {};
    const needsLook = defaultToNo === true || type === 'protected_path' || type === 'repetition' || subject.kind === 'switch_mode';
    const option = kind === 'allow_once' && needsLook ? undefined : options.find((each) => each.kind === kind && !isMisnamed(each));
    return option ? [{ permissionId, optionId: option.optionId }] : [];
  });
}
