/** The session object that other extensions get. */
import type { AcpSession, AcpSessionEvent } from '../../api';
import type { SessionEvent } from '../../core/model/event';
import type { SessionState } from '../../core/model/state';
import { type Failure, Fault } from '../../core/model/failure';
import { needsYou } from '../../core/model/select';
import type { Disposable } from '../../core/platform/disposable';
import type { Session } from '../../session/session';
import { t } from '../shared/l10n';
import { titleOf } from '../../application/shared/sessionTitle';

/** The sessions that another extension has created. */
const held = new WeakSet<Session>();

/** True for a session that another extension has created: it may send a message after the user has closed the chat. */
export function isHeld(session: Session): boolean {
  return held.has(session);
}

/** @param show brings the session's panel to the front @param isBegun the extension that gets the object has created the session */
export function apiSession(session: Session, show: () => void, isBegun = false): AcpSession {
  const { store } = session;
  if (isBegun) {
    held.add(session);
  }
  return {
    key: session.key,
    agentId: session.agentId,
    agentName: session.agentName,
    get title() {
      return titleOf(store.state);
    },
    get status() {
      return store.state.status;
    },
    get busy() {
      return store.state.turn !== undefined;
    },
    get needsYou() {
      return needsYou(store.state);
    },
    prompt: (text) =>
      new Promise((resolve, reject) => {
        const failure = session.prompt([{ type: 'text', text }]);
        const turnId = store.state.turn?.turnId;
        if (failure || turnId === undefined) {
          const reason = failure ?? { code: 'session.not_ready' as const };
          void described(reason).then(reject);
          return;
        }
        const watch = store.onEvents(() => {
          // Every ended turn has a footer, however it ended.
          const footer = store.state.turn?.turnId === turnId ? undefined : store.state.entries.get(`turn:${turnId}`);
          if (footer?.kind !== 'turn' || 'absent' in footer) {
            return;
          }
          watch.dispose();
          if (footer.failure) {
            void described(footer.failure).then(reject);
          } else {
            resolve({ stopReason: footer.stopReason });
          }
        });
      }),
    cancel: () => session.cancel(),
    onDidReceiveEvent: (listener, thisArgs, disposables) => {
      const subscription = listen(session, (event) => void listener.call(thisArgs, event));
      disposables?.push(subscription);
      return subscription;
    },
    show: async () => show(),
    end: () => session.end(),
  };
}

/** Reports events in order. The first listener loads the code that translates them for other extensions. */
function listen({ store }: Session, onEvent: (event: AcpSessionEvent) => void): Disposable {
  const missed: [before: SessionState, after: SessionState, events: readonly SessionEvent[], whole: boolean][] = [];
  let emit: ((...happened: (typeof missed)[number]) => void) | undefined;
  let state = store.state;
  const subscription = store.onEvents((_, events, whole) => {
    const before = state;
    state = store.state;
    if (emit) {
      emit(before, state, events, whole);
    } else {
      missed.push([before, state, events, whole]);
    }
  });
  let disposed = false;
  void import('./sessionEvents').then(({ apiEvents }) => {
    emit = (...happened) => apiEvents(...happened).forEach((event) => disposed || onEvent(event));
    missed.splice(0).forEach((each) => emit?.(...each));
  });
  return {
    dispose: () => {
      disposed = true;
      subscription.dispose();
    },
  };
}

/** Returns the failure with a text for programs, which cannot follow advice. */
async function described(failure: Failure): Promise<Fault> {
  const { shortFailureText } = await import('../../application/shared/failureText');
  return new Fault(failure, undefined, shortFailureText(failure, t));
}
