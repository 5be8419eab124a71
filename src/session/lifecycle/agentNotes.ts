/** Texts for the model that the agent's protocol has no place for. They go into the running turn where the agent supports that, or with the next prompt. */
import type { ContentBlock } from '../../core/model/content';
import type { Failure } from '../../core/model/failure';
import type { SteerOutcome } from '../../core/queue/steering';

/** The maximum number of notes in one prompt. An agent that is denied again and again must not fill it. */
const MAX_NOTES = 10;

type Steer = (content: readonly ContentBlock[], settled: (answer: SteerOutcome | Failure) => void) => Failure | undefined;

export class AgentNotes {
  private waiting: readonly string[] = [];

  /** @param steer adds a message to the running turn, or returns the reason why that is not possible */
  constructor(private readonly steer: Steer) {}

  tell(text: string): void {
    const refused = this.steer([{ type: 'text', text }], (answer) => {
      // Without an answer the agent may have the text. It must not get it twice.
      const isRefused = typeof answer === 'string' ? answer === 'promptRequired' || answer === 'failed' : answer.code === 'request.failed';
      void (isRefused && this.keep([text]));
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
