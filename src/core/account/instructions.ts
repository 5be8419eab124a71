/** Texts for the agent's system prompt, from the setting `acpHost.instructions` (RFD "Client-Provided System Prompt"). */
import { array, boolean, type Fields, type Infer, literal, object, string } from '../schema/schema';

const instructionPart = object({
  /** The settings that have the text: the user's own, or those of the workspace or its folder. */
  source: literal('user', 'folder'),
  text: string(),
});

const fields = {
  /** `append`: the texts follow the agent's own system prompt. `override`: they replace it. */
  mode: literal('append', 'override'),
  /** At least one. */
  parts: array(instructionPart),
} as const;

const instructions = object(fields);
export type Instructions = Infer<typeof instructions>;

/** The instructions of a session. */
export interface SentInstructions extends Instructions {
  /** False when the agent takes none. */
  readonly isSent: boolean;
}

/** @param base the fields of every event */
export const instructionEvents = <const B extends Fields>(base: B) => ({
  /** The instructions with which the session was requested. Later requests for the session send the same again. */
  instructions: object({ ...base, ...fields, isSent: boolean() }),
});
