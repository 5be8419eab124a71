/** Makes a rule that the user chose on a request, and answers the request by it. */
import type { RuleSuggestion } from '../../../core/advice/advice';
import { isMisnamed } from '../../../core/approval/optionName';
import { failureOf } from '../../../core/model/failure';
import { entryIdOf, isAbsent } from '../../../core/model/state';
import { optionFor } from '../../../session/questions/ruleAnswers';
import type { Session } from '../../../session/session';
import type { RuleStore } from '../../../application/permission/rules/ruleStore';
import { showFailure } from '../../shared/showFailure';

export interface SuggestedRules {
  store(): Promise<Pick<RuleStore, 'add'>>;
  suggestion(sessionKey: string, permissionId: string, suggestionId: string): Promise<RuleSuggestion | undefined>;
}

type AskingSession = Pick<Session, 'key' | 'answerPermission'> & {
  readonly roots: Pick<Session['roots'], 'cwd'>;
  readonly store: { readonly state: Pick<Session['store']['state'], 'entries'> };
};

/** Stores the rule, then answers with the agent's own option for once. Where the agent offers none that fits, the request stays open. */
export async function makeRule(rules: SuggestedRules, session: AskingSession, permissionId: string, suggestionId: string): Promise<void> {
  const suggestion = await rules.suggestion(session.key, permissionId, suggestionId);
  if (!suggestion) {
    return;
  }
  const { rule, scope } = suggestion;
  try {
    await (await rules.store()).add(rule, scope, { sessionId: session.key, cwd: session.roots.cwd });
  } catch (error) {
    void showFailure('error', failureOf(error));
    return;
  }
  const request = session.store.state.entries.get(entryIdOf.permission(permissionId));
  if (request?.kind !== 'permission' || isAbsent(request) || request.outcome || rule.effect === 'ask') {
    return;
  }
  const optionId = optionFor(
    rule.effect,
    request.options.filter((option) => !isMisnamed(option)),
  );
  if (optionId !== undefined) {
    session.answerPermission(permissionId, optionId);
  }
}
