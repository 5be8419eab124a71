/** The words that a conversation's document has besides those of others. */
import type { ContentBlock, ExitStatus } from '../../core/model/content';
import type { Failure } from '../../core/model/failure';
import type { TurnEntry } from '../../core/model/state';
import type { Decision } from '../messages/statuses';

/** The words around what others said, in the reader's language. */
export interface TranscriptWords {
  readonly you: string;
  readonly agent: string;
  /** @param ms it took */
  thought(ms: number): string;
  /** Of a tool call; `ms` it took, when it is done. */
  status(status: string, ms: number): string;
  tool(title: string): string;
  readonly input: string;
  readonly output: string;
  changed(operation: string, path: string): string;
  asked(title: string): string;
  /** How a permission request ended. */
  decided(decision: Decision): string;
  /** Of a tool call that waits for the user's permission, in place of its status. */
  readonly needsApproval: string;
  /** Why a question has no answer: a word of its outcome, or undefined while it waits. */
  unanswered(outcome: string | undefined): string;
  accepted: string;
  terminal(exitStatus: ExitStatus | undefined): string;
  turnEnded(turn: Pick<TurnEntry, 'stopReason' | 'unanswered'>, ms: number): string;
  failure(failure: Failure): string;
  compaction(status: string): string;
  unknown(label: string): string;
  /** The name of an attachment that only we write; undefined for any other block. */
  ownAttachment(block: ContentBlock): string | undefined;
  readonly plan: string;
  /** @param count UTF-16 units or lines that are left out */
  leftOut(count: number, unit: 'characters' | 'lines'): string;
}
