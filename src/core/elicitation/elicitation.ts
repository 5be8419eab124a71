/** What an agent asks of the user beyond a permission: a form or a web page (RFD "Elicitation", stable in v1). */

export interface ElicitationChoice {
  readonly value: string;
  readonly title: string;
  readonly description?: string;
}

interface FieldBase {
  /** The property's name: the key of the answer. */
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly required: boolean;
}

export interface TextField extends FieldBase {
  readonly type: 'string';
  /** Code points, both, as JSON Schema counts. */
  readonly minLength?: number;
  readonly maxLength?: number;
  /** The agent's regular expression: never run on a thread of ours without a limit. */
  readonly pattern?: string;
  /** email, uri, date, date-time, or a word we do not know (then it says nothing). */
  readonly format?: string;
  readonly defaultValue?: string;
}

/** One of `choices`. */
export interface ChoiceField extends FieldBase {
  readonly type: 'choice';
  readonly choices: readonly ElicitationChoice[];
  readonly defaultValue?: string;
}

/** Any of `choices`. */
export interface ChoicesField extends FieldBase {
  readonly type: 'choices';
  readonly choices: readonly ElicitationChoice[];
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly defaultValue?: readonly string[];
}

export interface NumberField extends FieldBase {
  readonly type: 'number' | 'integer';
  readonly minimum?: number;
  readonly maximum?: number;
  readonly defaultValue?: number;
}

export interface BooleanField extends FieldBase {
  readonly type: 'boolean';
  readonly defaultValue?: boolean;
}

export type ElicitationField = TextField | ChoiceField | ChoicesField | NumberField | BooleanField;

export type ElicitationBody =
  | { readonly mode: 'form'; readonly title?: string; readonly description?: string; readonly fields: readonly ElicitationField[] }
  /** `elicitationId` is the agent's; `elicitation/complete` names it. */
  | { readonly mode: 'url'; readonly elicitationId: string; readonly url: string };

export type ElicitationValue = string | number | boolean | readonly string[];

/** A form's answer by property name; a field that was left empty is absent. */
export type ElicitationContent = Readonly<Record<string, ElicitationValue>>;

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

/** accepted: for a web page, agreed to open it; declined: an explicit no; cancelled: dismissed; withdrawn: by the agent; lost: the connection went. */
export type ElicitationOutcome = 'accepted' | 'declined' | 'cancelled' | 'withdrawn' | 'lost';
