/** A subagent: a session that the agent started itself (RFD "Subagent Sessions"). Its conversation has the shape of a session's state. */
import { contentBlock, type ContentBlock, turnUsage } from './content';
import { type InnerEvent, isInner } from './innerEvent';
import { array, boolean, custom, type Fields, type Infer, nullable, object, optional, string } from '../schema/schema';

/** The work of a subagent as the agent reported it last. */
const subagentWork = object({
  /** One of running, requires_action, idle and unknown, or an unknown word. */
  state: string(),
  /** The reason for `idle`, as in the event `turn_ended`. */
  stopReason: optional(string()),
  /** The agent's message for the stop reason `error`. */
  detail: optional(string()),
  usage: optional(turnUsage),
});
export type SubagentWork = Infer<typeof subagentWork>;

/** The fields that an update can change. An omitted field keeps its value, null clears it. */
const subagentPatch = object({
  title: optional(nullable(string())),
  description: optional(nullable(string())),
  work: optional(nullable(subagentWork)),
  canCancel: optional(nullable(boolean())),
  /** Absolute; the parent's when it is not reported. */
  cwd: optional(nullable(string())),
  additionalDirectories: optional(nullable(array(string()))),
  /** The tool call of the parent's conversation that started it. */
  toolCallId: optional(nullable(string())),
});
export type SubagentPatch = Infer<typeof subagentPatch>;

/**
 * The schemas of the events about subagents.
 *
 * @param base the fields of every event
 * @param isEvent checks an event of the session
 */
export function subagentEvents<const B extends Fields>(base: B, isEvent: (value: unknown) => boolean) {
  return {
    /** Announces a subagent, or changes one. */
    subagent_update: object({
      ...base,
      subagentId: string(),
      /** The subagent that started this one; absent when the session itself did. */
      parentId: optional(string()),
      patch: subagentPatch,
      /** The agent has not announced it: its messages name its session. */
      isImplied: optional(boolean()),
    }),
    subagent_event: object({
      ...base,
      subagentId: string(),
      event: custom<InnerEvent>((value) => isEvent({ at: 0, ...(value as object) }) && isInner(value as InnerEvent)),
    }),
    /** The user pressed Stop on the subagent's card. */
    subagent_cancelling: object({ ...base, subagentId: string() }),
    /** A message between two sessions. An omitted field keeps its value, null clears it. */
    session_message: object({
      ...base,
      messageId: string(),
      senderId: optional(nullable(string())),
      recipientId: optional(nullable(string())),
      content: optional(nullable(array(contentBlock))),
    }),
    session_message_chunk: object({ ...base, messageId: string(), content: contentBlock }),
  };
}

/** A subagent's card in its parent's conversation. Its data are in the session's state. */
export interface SubagentEntry {
  readonly kind: 'subagent';
  readonly entryId: string;
  readonly at: number;
  readonly subagentId: string;
}

/** A message between two sessions, in the conversation of one of them. */
export interface SessionMessageEntry {
  readonly kind: 'session_message';
  readonly entryId: string;
  readonly at: number;
  readonly messageId: string;
  readonly senderId?: string;
  readonly recipientId?: string;
  readonly content: readonly ContentBlock[];
}

/** The kinds of entries that subagents add to a conversation. */
export type SubagentEntries = SubagentEntry | SessionMessageEntry;

/** An open tool call. Stored with its title, because a view may not have the call's body. */
export interface OpenTool {
  readonly toolCallId: string;
  readonly title: string;
}

export interface Subagent<Conversation> {
  readonly subagentId: string;
  readonly parentId?: string;
  readonly title?: string;
  readonly description?: string;
  /** Absent while the agent has not reported any. */
  readonly work?: SubagentWork;
  readonly canCancel?: boolean;
  readonly cwd?: string;
  readonly additionalDirectories?: readonly string[];
  readonly toolCallId?: string;
  readonly isImplied?: true;
  /** ms since the epoch of the announcement. */
  readonly at: number;
  /** The id of the turn, or of the work between turns, in which it was announced; absent when there was none. */
  readonly startedIn?: string;
  /** ms since the epoch of the start of its current work. */
  readonly runsSince?: number;
  /** ms that it has worked before. */
  readonly worked: number;
  /** The user has stopped it, and the agent has not confirmed that. */
  readonly isStopping?: true;
  /** Oldest first. */
  readonly openTools: readonly OpenTool[];
  readonly conversation: Conversation;
}

/** All subagents of a session, whatever their depth, in the order of their announcements. A list, because an object of many is slow to copy. */
export type Subagents<Conversation> = readonly Subagent<Conversation>[];
