/** Failures that the model can correct. */
import type { ToolAnswer, ToolContext } from './tool';

/** A failure of a call that the model can correct. The message says how. */
export class RetryError extends Error {}

/** Answers a {@link RetryError} of `run` as a failed call. */
export function answeringRetries<Input>(
  run: (input: Input, context: ToolContext) => Promise<ToolAnswer>,
): (input: Input, context: ToolContext) => Promise<ToolAnswer> {
  return async (input, context) => {
    try {
      return await run(input, context);
    } catch (error) {
      if (error instanceof RetryError) {
        return { text: error.message, isError: true };
      }
      throw error;
    }
  };
}

/** Turns a failure into one that the model can correct. */
export async function reasoned<T>(what: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof RetryError) {
      throw error;
    }
    throw new RetryError(`${what}: ${(error instanceof Error ? error.message : String(error)).slice(0, 1000)}`);
  }
}
