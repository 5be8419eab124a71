/** Routes the messages of pages to the handlers of the features, by name. */
import { recordedIntent, restrictedIntent, rulesOf } from '../../core/protocol/intent';
import type { FromView } from '../../core/protocol/view';
import { isRestricted } from '../sessions/trust/restrictedMode';
import type { Feature, Handler, Source } from './feature';

export class FeatureRouter {
  private readonly handlers: ReadonlyMap<string, Handler>;

  constructor(features: readonly Feature<never>[], services: object) {
    this.handlers = new Map(features.flatMap((feature) => Object.entries(feature.handlers(services as never))));
  }

  /** Runs the handler of the message, unless a rule of the message refuses it. */
  act(message: FromView, source: Source): void {
    const accepted = acceptedFrom(message, source);
    if (accepted) {
      void this.handlers.get(accepted.type)?.(accepted, source);
    }
  }
}

/** Returns the message in the form in which its rules accept it; otherwise undefined. */
function acceptedFrom(message: FromView, { session, showing }: Source): FromView | undefined {
  const { aboutShowing, withoutSession } = rulesOf(message);
  if (!session) {
    return withoutSession && message;
  }
  if (aboutShowing && (!showing || showing.disposed)) {
    return undefined;
  }
  return isRestricted() ? restrictedIntent(message) : session.isRecorded ? recordedIntent(message) : message;
}
