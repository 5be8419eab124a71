/** A session of the window as the sharing needs it. */
import type { ContentBlock } from '../../core/model/content';
import type { SessionEvent } from '../../core/model/event';
import { entryIdOf } from '../../core/model/state';
import type { Session } from '../../session/session';
import type { SharedSession } from '../../share/sharedSession';
import { withoutSequences } from '../../text/ansi/sequences';
import { failureText } from '../shared/failureText';
import { titleOf } from '../shared/sessionTitle';
import type { TranslateVerbatim } from '../shared/translate';

export function sharedSessionOf(session: Session, t: TranslateVerbatim): SharedSession {
  const { store } = session;
  /** The names of the senders of messages that wait, by the id of their turn. */
  const senders = new Map<string, string>();

  /** Adds the origin after the listeners have received the events that it is about, so that each listener sees them in their order. */
  const mark = (entryId: string, client: string): void => {
    queueMicrotask(() => store.append({ type: 'entry_origin', entryId, client }));
  };
  const watchMessages = (events: readonly SessionEvent[]): void => {
    for (const event of events) {
      const sender = event.type === 'message' && event.role === 'user' ? senders.get(event.messageId) : undefined;
      if (event.type === 'message' && sender !== undefined) {
        senders.delete(event.messageId);
        mark(entryIdOf.message('user', event.messageId), sender);
      }
    }
  };
  const following = store.onEvents((_seq, events) => watchMessages(events));

  return {
    key: session.key,
    get state() {
      return store.state;
    },
    get title() {
      return titleOf(store.state);
    },
    onEvents: (listener) => store.onEvents((_seq, events, whole) => listener(events, whole)),
    outputOf: (terminalId) => {
      const { terminals } = store.state;
      return Object.hasOwn(terminals, terminalId) ? withoutSequences(terminals[terminalId]!.output) : undefined;
    },
    prompt: (content, client) => {
      const turnBefore = store.state.turn?.turnId;
      const before = new Set(store.state.queue.map(({ queueId }) => queueId));
      const problem = session.submit(content as ContentBlock[]);
      if (problem) {
        return { refused: failureText(problem, t) };
      }
      const { turn, queue } = store.state;
      const turnId = turn && turn.turnId !== turnBefore ? turn.turnId : queue.find(({ queueId }) => !before.has(queueId))?.queueId;
      if (turnId === undefined) {
        return { refused: failureText({ code: 'internal' }, t) };
      }
      if (store.state.entries.indexOf(entryIdOf.message('user', turnId)) >= 0) {
        mark(entryIdOf.message('user', turnId), client);
      } else {
        senders.set(turnId, client);
      }
      return { turnId };
    },
    cancel: () => session.cancel(),
    removeQueued: (turnId) => void session.queue.remove(turnId),
    answerPermission: (permissionId, optionId, client) => {
      const isFirst = session.answerPermission(permissionId, optionId);
      if (isFirst) {
        mark(entryIdOf.permission(permissionId), client);
      }
      return isFirst;
    },
    answerElicitation: async (requestKey, action, content, client) => {
      const isWaiting = (): boolean => store.state.pendingElicitations.includes(requestKey);
      const wasWaiting = isWaiting();
      const problems = await session.elicitations.answer(requestKey, action, content);
      if (wasWaiting && problems.length === 0 && !isWaiting()) {
        mark(entryIdOf.elicitation(requestKey), client);
      }
      return problems.length === 0;
    },
    setConfig: (configId, value) => session.setConfig(configId, value),
    dispose: () => following.dispose(),
  };
}
