/**
 * The changes of a file in a turn that runs, for display alone. They can be neither kept nor undone, because the authors are known for certain only at the
 * end of the turn.
 */
import { setImmediate } from 'node:timers/promises';
import { LiveHunks } from '../hunks/liveHunks';
import { canReplay, type TextStep } from '../hunks/replayTurn';

export class RunningHunks {
  private hunks: LiveHunks;
  private applied: readonly TextStep[] = [];
  private isTooLarge = false;

  /** @param before the text before the turn */
  constructor(
    private readonly before: string,
    private readonly turnId: string,
  ) {
    this.hunks = LiveHunks.of(before);
  }

  /**
   * Returns the changes in the document's present text; undefined when there are too many to follow. Pauses between the steps.
   * @param steps the texts of the turn, oldest first. Steps of the last call are not applied again
   * @param present text that no step has is the user's
   */
  async update(steps: readonly TextStep[], present: string): Promise<LiveHunks | undefined> {
    if (this.isTooLarge || !canReplay(steps)) {
      return undefined;
    }
    if (!this.applied.every((step, index) => step === steps[index])) {
      this.hunks = LiveHunks.of(this.before);
      this.applied = [];
    }
    for (const step of steps.slice(this.applied.length)) {
      const { author, text } = step;
      if (!this.hunks.replace(text, author === 'agent' ? { type: 'agent', by: this.turnId } : { type: author })) {
        this.isTooLarge = true;
        return undefined;
      }
      this.applied = [...this.applied, step];
      await setImmediate();
    }
    const shown = this.hunks.copy();
    return shown.replace(present, { type: 'user' }) ? shown : undefined;
  }
}
