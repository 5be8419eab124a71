/** Records the answers to requests that change a conversation. */
import type { ContentBlock } from '../../core/model/content';
import type { Failure } from '../../core/model/failure';
import type { SessionState } from '../../core/model/state';
import { namesOf, optionRefusal } from '../../core/preferences/optionRefusal';
import { afterSteering, type SteerOutcome } from '../../core/queue/steering';
import type { Recording } from './recording';

/** Records the outcome of a message for the running turn. */
export function recordSteering(session: Recording, content: readonly ContentBlock[], answer: SteerOutcome | Failure): void {
  const { message, failure, isInfo } = afterSteering(answer);
  if (message === 'sent') {
    session.say(content);
  }
  if (failure) {
    session.notice('', isInfo ? 'info' : 'error', failure);
  }
}

/** The failure that names the value that the agent refused. */
export function refusedOption(
  { configId, value }: { readonly configId: string; readonly value: string | boolean },
  { config }: SessionState,
  failure: Failure,
): Failure {
  return failure.code === 'auth.required' ? failure : optionRefusal(namesOf(config, configId, value), failure);
}
