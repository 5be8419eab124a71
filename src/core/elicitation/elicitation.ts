/** What an agent asks of the user beyond a permission: a form or a web page (RFD "Elicitation", stable in v1). */

import { array, boolean, type Infer, number, object, optional, refine, string, variant } from '../model/schema';

const choice = object({ value: string(), title: string(), description: optional(string()) });
export type ElicitationChoice = Infer<typeof choice>;

const fieldHead = {
  /** The property's name: the key of the answer. */
  name: string(),
  title: optional(string()),
  description: optional(string()),
  required: boolean(),
};

const numberField = object({ ...fieldHead, minimum: optional(number()), maximum: optional(number()), defaultValue: optional(number()) });

const elicitationField = variant('type', {
  string: object({
    ...fieldHead,
    /** Code points, both, as JSON Schema counts. */
    minLength: optional(number()),
    maxLength: optional(number()),
    /** The agent's regular expression: never run on a thread of ours without a limit. */
    pattern: optional(string()),
    /** email, uri, date, date-time, or a word we do not know (then it says nothing). */
    format: optional(string()),
    defaultValue: optional(string()),
  }),
  /** One of `choices`. */
  choice: object({ ...fieldHead, choices: array(choice), defaultValue: optional(string()) }),
  /** Any of `choices`. */
  choices: object({
    ...fieldHead,
    choices: array(choice),
    minItems: optional(number()),
    maxItems: optional(number()),
    defaultValue: optional(array(string())),
  }),
  number: numberField,
  integer: numberField,
  boolean: object({ ...fieldHead, defaultValue: optional(boolean()) }),
});
export type ElicitationField = Infer<typeof elicitationField>;
export type TextField = Extract<ElicitationField, { readonly type: 'string' }>;
export type ChoiceField = Extract<ElicitationField, { readonly type: 'choice' }>;
export type ChoicesField = Extract<ElicitationField, { readonly type: 'choices' }>;
export type NumberField = Extract<ElicitationField, { readonly type: 'number' | 'integer' }>;
export type BooleanField = Extract<ElicitationField, { readonly type: 'boolean' }>;

/** True for the address of a web page. Every other scheme may start another program. */
export function isWebAddress(url: string): boolean {
  return /^https?:\/\/[^/\\\s]/i.test(url);
}

export const elicitationBody = variant('mode', {
  form: object({ title: optional(string()), description: optional(string()), fields: array(elicitationField) }),
  /** `elicitationId` is the agent's; `elicitation/complete` names it. */
  url: object({ elicitationId: string(), url: refine(string(), isWebAddress) }),
});
export type ElicitationBody = Infer<typeof elicitationBody>;

/** What is wrong with one field; words are made by the view. `params` hold the limit that was missed. */
export interface ElicitationProblem {
  readonly name: string;
  readonly code:
    | 'required'
    | 'type'
    | 'too_short'
    | 'too_long'
    | 'pattern'
    | 'pattern_unknown'
    | 'format'
    | 'too_small'
    | 'too_large'
    | 'not_a_choice'
    | 'too_few'
    | 'too_many';
  readonly limit?: number;
  readonly format?: string;
}
