/** The policy of one session: all sources of rules that apply to the requests of its agent. */
import type { Roots } from '../../core/model/roots';
import { askBeforeCommandsSource, editorToolSource, reviewSource } from '../../policy/settingSources';
import { Policy } from '../../policy/policy';
import { ProtectedPaths } from '../../policy/protection/protectedPaths';
import { protectedPathSource } from '../../policy/protectedPathSource';
import type { RuleSource } from '../../policy/rule';
import type { SessionPermissions } from '../../policy/sessionPermissions';
import type { QuestionDependencies } from './questionDependencies';
import type { Permissions } from './permissions';

export interface SessionPolicyDependencies {
  readonly agentId: string;
  readonly agentName: string;
  readonly roots: Roots;
  readonly deps: QuestionDependencies;
  readonly permissions: Pick<Permissions, 'allowedInTurn'>;
  /** See {@link QuestionDependencies.ruleSources}. */
  readonly ruleSources?: readonly RuleSource[];
}

/** @param given the permissions that the user gives in this session */
export function sessionPolicy(
  { agentId, agentName, roots, deps, permissions, ruleSources }: SessionPolicyDependencies,
  given: SessionPermissions,
): Policy {
  return new Policy({ agent: { id: agentId, name: agentName }, roots }, [
    protectedPathSource(async () => new ProtectedPaths(roots, await deps.protectedRules())),
    askBeforeCommandsSource(
      () => deps.askBeforeCommands(agentId, agentName),
      () => permissions.allowedInTurn !== undefined,
    ),
    reviewSource(async () => (await deps.writePreviews?.()) !== undefined),
    given,
    ...(ruleSources ?? []),
    // Last, so that a question names the user's own rule, which no answer for the session covers.
    editorToolSource,
  ]);
}
