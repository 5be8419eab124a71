/** Sends prompts as lists of content blocks; to an agent that refuses a list because it wants a text, as text (`quirks/early`). */
import type { ContentBlock } from '../../../core/model/content';
import type { Failure } from '../../../core/model/failure';
import type { Ongoing } from '../../dialect';
import type { Connection } from '../../jsonrpc/connection';
import { RPC, type Settled, succeeded } from '../../jsonrpc/rpc';

/** The part of an error that asks for a text. */
const EXPECTS_TEXT = /\b(?:expected|must be|should be|not)\W+(?:of type |an? |valid )*["'`]?(?:string|str|text)\b/i;
/** The list that was refused. */
const LIST = /\b(?:prompt|array|sequence|list)\b/i;
/** An error about one block of the list. */
const BLOCK = /\bprompt\b["'`]?[.[/,\s]*\d/i;

/** True for an agent's error that refuses the list of a prompt because it is not a text. */
export function wantsText({ params, detail = '' }: Failure): boolean {
  return params?.['code'] === RPC.invalidParams && EXPECTS_TEXT.test(detail) && LIST.test(detail) && !BLOCK.test(detail);
}

export class PromptSender {
  /** Set when the agent has refused a list of blocks. Returns undefined for a prompt that cannot be a text. */
  private textOf: ((content: readonly ContentBlock[]) => string | undefined) | undefined;
  /** Sessions whose newest prompt was cancelled. */
  private readonly cancelled = new Set<string>();

  /** @param resends false in a replay, whose log has the second prompt */
  constructor(
    private readonly connection: Connection,
    private readonly resends: boolean,
  ) {}

  /** @param blocks the content in the format of version 1 */
  send(sessionId: string, content: readonly ContentBlock[], blocks: readonly unknown[], settled: Settled<unknown>): Ongoing {
    this.cancelled.delete(sessionId);
    const request = (prompt: unknown, answered: Settled<unknown>): Ongoing =>
      this.connection.request('session/prompt', { sessionId, prompt }, {}, answered);
    const text = this.textOf?.(content);
    if (text !== undefined) {
      return request(text, settled);
    }
    let ongoing = request(blocks, (outcome) => {
      if (outcome.ok || !this.resends || !wantsText(outcome.failure)) {
        settled(outcome);
        return;
      }
      void import('../../quirks/early/prompts').then(
        ({ promptText }) => {
          const again = promptText(content);
          if (again === undefined) {
            settled(outcome);
          } else if (this.cancelled.has(sessionId)) {
            settled(succeeded({ stopReason: 'cancelled' }));
          } else {
            this.textOf = promptText;
            ongoing = request(again, settled);
          }
        },
        () => settled(outcome),
      );
    });
    return {
      get requestId() {
        return ongoing.requestId;
      },
      cancel: () => ongoing.cancel(),
    };
  }

  /** The user has pressed Stop: a refused prompt is not sent again. */
  stop(sessionId: string): void {
    this.cancelled.add(sessionId);
  }
}
