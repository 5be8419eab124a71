/** The texts of our own in a conversation's document. */
import type { ContentBlock, ExitStatus } from '../../core/model/content';
import type { Failure } from '../../core/model/failure';
import type { TurnEntry } from '../../core/model/state';
import type { SubagentStatus } from '../../core/subagents/subagentTree';
import type { Decision } from '../messages/statusText';

/** The texts around quoted content, in the reader's language. */
export interface TranscriptStrings {
  readonly you: string;
  readonly agent: string;
  /** @param ms the thinking time */
  thought(ms: number): string;
  /** The status of a tool call. @param ms its duration, when it is done */
  status(status: string, ms: number): string;
  tool(title: string): string;
  readonly input: string;
  readonly output: string;
  changed(operation: string, path: string): string;
  asked(title: string): string;
  /** Returns the outcome of a permission request. */
  decided(decision: Decision): string;
  /** @param client the other client that has sent the message */
  sentFrom(client: string): string;
  /** @param client the other client that has answered the question */
  answeredFrom(client: string): string;
  /** The text in place of a tool call's status while it waits for a permission. */
  readonly needsApproval: string;
  /** Returns why a question has no answer: a word of its outcome, or undefined while it waits. */
  unanswered(outcome: string | undefined): string;
  accepted: string;
  terminal(exitStatus: ExitStatus | undefined): string;
  turnEnded(turn: Pick<TurnEntry, 'stopReason' | 'unanswered'>, ms: number): string;
  failure(failure: Failure): string;
  compaction(status: string): string;
  /** @param name of the subagent */
  subagent(name: string): string;
  /** Returns an empty text when the status is not known. */
  subagentStatus(status: SubagentStatus): string;
  /** @param sender, recipient names of subagents; undefined for the session itself */
  sessionMessage(sender: string | undefined, recipient: string | undefined): string;
  unknown(label: string): string;
  /** Returns the name of an attachment that only we write; undefined for any other block. */
  ownAttachment(block: ContentBlock): string | undefined;
  readonly plan: string;
  /** @param count UTF-16 units or lines that are left out */
  leftOut(count: number, unit: 'characters' | 'lines'): string;
}
