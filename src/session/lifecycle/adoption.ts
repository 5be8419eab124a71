/**
 * Continues a conversation with an agent that has outlived an earlier window: its turn, its questions and its terminals. Loaded when such an agent is
 * found.
 */
import type { AdoptedConversation, Dialect } from '../../acp/dialect';
import type { AdoptedAgent } from '../../core/keeper/keptAgent';
import { entryIdOf, isAbsent, type SessionState } from '../../core/model/state';
import type { AgentAttachment } from '../agent/agentAttachment';
import type { ClientServices } from '../client/clientServices';
import { lostTerminals } from '../client/lostTerminals';
import { adoptedQuestions } from '../questions/adoptedQuestions';
import type { SessionStore } from '../state/store';
import type { Turns } from './turns';

/** The parts of a session that continue. */
export interface AdoptingSession {
  readonly store: SessionStore;
  readonly services: ClientServices;
  readonly turns: Turns;
  /** Attached to the agent, which has the session. */
  readonly attachment: AgentAttachment;
  readonly dialect: Dialect;
}

export interface Adoption {
  readonly agent: AdoptedAgent;
  /** The last frame of the agent that the conversation has. */
  readonly storedFrame: number;
  /** Called when the agent is attached, before its first frame. */
  begin(session: AdoptingSession): void;
}

/** @param hasEndedMode true when the earlier window allowed everything */
export function adoptionOf(agent: AdoptedAgent, storedFrame: number, hasEndedMode?: boolean): Adoption {
  return {
    agent,
    storedFrame,
    begin: (session) => {
      begin(session, storedFrame);
      void (hasEndedMode && tellEndedMode(session.store));
    },
  };
}

/** The agent asks again for what it was allowed before, so the user has to know why. */
function tellEndedMode(store: SessionStore): void {
  // The next window reads that the mode is Ask, and does not say it again.
  store.append(
    { type: 'notice', noticeId: `mode-${store.seq}`, severity: 'info', title: '', failure: { code: 'mode.ended' } },
    { type: 'permission_mode', mode: 'ask' },
  );
}

function begin({ store, services, turns, attachment, dialect }: AdoptingSession, storedFrame: number): void {
  const { state } = store;
  const { sessionId, turn } = state;
  const { connection } = attachment;
  if (sessionId === undefined) {
    return;
  }
  services.open();
  dialect.adoptSession?.(sessionId, conversationOf(state));
  connection.adoptSubagents(sessionId, state.subagents ?? []);
  attachment.claim(sessionId);
  services.adopt(
    lostTerminals(store),
    (conversation, clock) => adoptedQuestions(conversation, clock, () => connection.isRepeated({ storedFrame })),
    isAllowedIn(state) ? turn?.turnId : undefined,
  );
  if (turn) {
    const requests = connection.kept?.requests ?? [];
    const requestId = requests.findLast((request) => request.method === 'session/prompt' && request.sessionId === sessionId)?.id;
    const message = state.entries.get(entryIdOf.message('user', turn.turnId));
    const content = message && !isAbsent(message) && message.kind === 'message' ? message.content : [];
    turns.adopt({ turnId: turn.turnId, content }, requestId);
  }
}

/** True when the user has allowed a request of the running turn. */
function isAllowedIn({ turn, entries }: SessionState): boolean {
  let isAllowed = false;
  for (const entry of entries.inMemory()) {
    if (entry.kind === 'message' && !isAbsent(entry) && entry.messageId === turn?.turnId) {
      isAllowed = false;
    } else if (entry.kind === 'permission' && !isAbsent(entry) && entry.outcome?.type === 'selected') {
      const { optionId } = entry.outcome;
      const kind = entry.options.find((option) => option.optionId === optionId)?.kind;
      isAllowed ||= kind === 'allow_once' || kind === 'allow_always';
    }
  }
  return isAllowed;
}

/** Returns the facts on which the meaning of the agent's next messages depends. */
function conversationOf({ entries, config }: SessionState): AdoptedConversation {
  const toolCalls: string[][] = [[]];
  let message: AdoptedConversation['message'];
  for (const entry of entries.inMemory()) {
    if (entry.kind === 'message' && !isAbsent(entry)) {
      if (entry.role === 'user') {
        toolCalls.push([]);
      }
      message = entry.role === 'user' ? undefined : { role: entry.role, messageId: entry.messageId };
    } else if (entry.kind === 'tool_call') {
      void (isAbsent(entry) || toolCalls.at(-1)!.push(entry.toolCallId));
      message = undefined;
    } else {
      message = undefined;
    }
  }
  return { config, toolCalls, ...(message && { message }) };
}
