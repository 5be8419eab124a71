/** Routes the messages of pages to the handlers of the features, by name. */
import { failureOf } from '../../core/model/failure';
import type { Log } from '../../core/platform/log';
import { recordedIntent, restrictedIntent, rulesOf } from '../../core/protocol/intent';
import type { FromView } from '../../core/protocol/view';
import { isRestricted } from '../trust/restrictedMode';
import { showFailure } from '../shared/showFailure';
import type { Handler, Router, Source } from '../../application/routing/feature';

export class FeatureRouter implements Router {
  private readonly handlers: ReadonlyMap<string, Handler>;

  /** @param handlers of each feature, by the names of their messages */
  constructor(
    handlers: readonly Readonly<Record<string, Handler>>[],
    private readonly log: Pick<Log, 'error'>,
  ) {
    this.handlers = new Map(handlers.flatMap((each) => Object.entries(each)));
  }

  /** Runs the handler of the message, unless a rule of the message refuses it. An error is logged and shown, as for a command. Never rejects. */
  async act(message: FromView, source: Source): Promise<void> {
    const accepted = acceptedFrom(message, source);
    try {
      await (accepted && this.handlers.get(accepted.type)?.(accepted, source));
    } catch (error) {
      this.log.error(`${message.type}: ${String(error)}`);
      void showFailure('error', failureOf(error));
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
