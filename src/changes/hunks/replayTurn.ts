/** Separates the agent's and the user's parts of a turn. Replays the texts that the editor saw in the turn, each as the edit of its author. */
import { withLineFeeds } from '../../util/text';
import { type Author, LiveHunks } from './liveHunks';

/** A text of a file in a turn, as the editor saw it. */
export interface TextStep {
  readonly author: 'agent' | 'user' | 'external';
  readonly text: string;
}

/** The most steps, and UTF-16 units of their texts, that are replayed. */
const MAX_STEPS = 200;
const MAX_UNITS = 8 * 1024 * 1024;
/** The most units that are replayed without a pause: about 30 ms. */
const MAX_UNITS_AT_ONCE = 2 * 1024 * 1024;

/** False when the steps are too many or too long. The parts cannot be distinguished then, and the change counts as shared. */
export function canReplay(steps: readonly TextStep[]): boolean {
  return steps.length <= MAX_STEPS && unitsOf(steps) <= MAX_UNITS;
}

/**
 * Writes the steps, then `after` as the agent's, into `hunks`. Each iteration is one step, after which the caller may pause.
 * @param by the turn
 * @returns false when the hunks cannot follow; they are useless then
 */
export function* replayInSteps(hunks: LiveHunks, by: string, steps: readonly TextStep[], after: string): Generator<void, boolean> {
  for (const { author, text } of [...steps, { author: 'agent', text: after } as const]) {
    const writer: Author = author === 'agent' ? { type: 'agent', by } : { type: author };
    if (!hunks.replace(text, writer)) {
      return false;
    }
    yield;
  }
  return true;
}

/** Returns the steps after a text that one of them has. All of them where none has it. */
export function stepsAfter(steps: readonly TextStep[], text: string): readonly TextStep[] {
  return steps.slice(steps.findLastIndex((step) => step.text === text) + 1);
}

/**
 * Returns the pending changes of a turn that began with `before`, without a pause.
 * @returns undefined when the parts cannot be distinguished, or there are too many changes to follow
 */
export function replayTurn(before: string, by: string, steps: readonly TextStep[], after: string): LiveHunks | undefined {
  const hunks = LiveHunks.of(before);
  if (!canReplay(steps)) {
    return undefined;
  }
  const replay = replayInSteps(hunks, by, steps, after);
  let step = replay.next();
  while (!step.done) {
    step = replay.next();
  }
  return step.value ? hunks : undefined;
}

/** False when nothing in `after` is the agent's, because only the user or another program changed the text. True in doubt. */
export function agentHasPart(before: string, steps: readonly TextStep[], after: string): boolean {
  const last = steps.at(-1)?.text ?? before;
  if (after === last && steps.every(({ author, text }, index) => author !== 'agent' || text === (steps[index - 1]?.text ?? before))) {
    return false;
  }
  if (unitsOf(steps) + before.length + after.length > MAX_UNITS_AT_ONCE) {
    return true;
  }
  const hunks = replayTurn(before, '', steps, after);
  return !hunks || hunks.hunks.length > 0;
}

function unitsOf(steps: readonly TextStep[]): number {
  return steps.reduce((sum, { text }) => sum + text.length, 0);
}

/** True when a text differs from `start`, the text before the turn, by its line ends alone. */
export function hasOtherLineEnds({ hunks, setAside, text }: LiveHunks, start: string | undefined): boolean {
  return hunks.length + setAside.length === 0 && start !== undefined && start !== text && withLineFeeds(start) === withLineFeeds(text);
}
