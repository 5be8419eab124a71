/** Sets the endpoints that the user has chosen for an agent, before its first session. They last as long as the agent's process. */
import type { Dialect } from '../../acp/dialect';
import type { Failure } from '../../core/model/failure';
import type { ProviderChoice } from '../../core/account/provider';

/**
 * Sets one endpoint after the other, then calls `settled`. An agent that refuses one must not start, because its prompts would go to another endpoint
 * than the user has chosen.
 */
export function applyProviders(dialect: Dialect, choices: readonly ProviderChoice[], settled: (failure?: Failure) => void): void {
  const [choice, ...others] = choices;
  if (!choice) {
    settled();
    return;
  }
  const refused = (detail?: string): void =>
    settled({ code: 'agent.endpoint_refused', params: { endpoint: choice.providerId }, ...(detail !== undefined && { detail }) });
  if (!dialect.setProvider) {
    refused();
    return;
  }
  dialect.setProvider(choice, (outcome) => (outcome.ok ? applyProviders(dialect, others, settled) : refused(outcome.failure.detail)));
}
