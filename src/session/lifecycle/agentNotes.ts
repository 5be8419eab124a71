/** Texts for the model that the agent's protocol has no place for. They go into the running turn where the agent supports that, or with the next prompt. */
import type { ContentBlock } from '../../core/model/content';
import type { Failure } from '../../core/model/failure';
import { afterSteering, type SteerOutcome } from '../../core/queue/steering';

/** The maximum number of notes in one prompt. An agent that is denied again and again must not fill it. */
const MAX_NOTES = 10;

type Steer = (content: readonly ContentBlock[], settled: (answer: SteerOutcome | Failure) => void) => Failure | undefined;

export class AgentNotes {
  private waiting: readonly string[] = [];

  /**
   * @param steer adds a message to the running turn, or returns the reason why that is not possible
   * @param sent shows a note that the agent has received
   */
  constructor(
    private readonly steer: Steer,
    private readonly sent: (content: readonly ContentBlock[]) => void,
  ) {}

  tell(text: string): void {
    const content: readonly ContentBlock[] = [{ type: 'text', text }];
    const refused = this.steer(content, (answer) => {
      const { message } = afterSteering(answer);
      if (message === 'sent') {
        this.sent(content);
      } else if (message !== 'paused') {
        this.keep([text]);
      }
      // Without an answer the agent may have the note. It must not get it twice.
    });
    void (refused && this.keep([text]));
  }

  /** Takes the notes for a prompt. The caller calls `markUnsent` when the agent does not receive it. */
  take(): { readonly content: readonly ContentBlock[]; markUnsent(): void } | undefined {
    const texts = this.waiting;
    this.waiting = [];
    return texts.length === 0 ? undefined : { content: texts.map((text) => ({ type: 'text', text })), markUnsent: () => this.keep(texts) };
  }

  private keep(texts: readonly string[]): void {
    this.waiting = [...new Set([...this.waiting, ...texts])].slice(-MAX_NOTES);
  }
}
