/** A request of an agent for user input other than a permission: a form or a web page (RFD "Elicitation", stable in v1). */

import { array, boolean, type Infer, number, object, optional, refine, string, variant } from '../schema/schema';

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
    /** Both limits count code points, as JSON Schema does. */
    minLength: optional(number()),
    maxLength: optional(number()),
    /** The agent's regular expression. It must not run on the main thread without a time limit. */
    pattern: optional(string()),
    /** One of email, uri, date and date-time. Unknown formats have no effect. */
    format: optional(string()),
    defaultValue: optional(string()),
  }),
  /** A field for one of `choices`. */
  choice: object({ ...fieldHead, choices: array(choice), defaultValue: optional(string()) }),
  /** A field for any number of `choices`. */
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

/** A problem with one field. The view makes the text; `params` hold the limit that was missed. */
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
