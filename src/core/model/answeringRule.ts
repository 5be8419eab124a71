/** The rule that answered a request instead of the user, as the conversation records it. */
import { type Infer, object, optional, record, string } from '../schema/schema';

/** The maximum number of UTF-16 units of an id, a code and a parameter's name. */
const MAX_NAME = 400;
/** The maximum number of UTF-16 units of a parameter's value. */
const MAX_VALUE = 4000;
const MAX_PARAMS = 16;

/**
 * A code with parameters, from which `text/messages` makes the sentence. The code is any string, because a journal of a newer version may have
 * codes that this version does not know.
 */
const ruleReason = object({
  code: string({ min: 1, max: MAX_NAME }),
  params: optional(record(string({ max: MAX_VALUE }), { max: MAX_PARAMS })),
});

/** A rule by its id, with its reason. */
export const answeringRule = object({ id: string({ min: 1, max: MAX_NAME }), reason: ruleReason });
export type AnsweringRule = Infer<typeof answeringRule>;

/** The end of a permission request. */
export interface PermissionOutcome {
  readonly type: 'selected' | 'cancelled' | 'withdrawn' | 'lost';
  readonly optionId?: string;
  /** The rule that decided instead of the user. */
  readonly byRule?: AnsweringRule;
  readonly at: number;
}

/** Returns a copy of a value from a journal. Undefined when it is not a rule. */
export function answeringRuleIn(value: unknown): AnsweringRule | undefined {
  return answeringRule.validate(value) ? answeringRule.parse(value) : undefined;
}

/** Returns the rule as the user knows it: its own text, the pattern of a protected path, or the id. */
export function ruleText({ id, reason: { params = {} } }: AnsweringRule): string {
  const named = ['text', 'rule'].find((name) => Object.hasOwn(params, name) && params[name] !== '');
  return named === undefined ? id : params[named]!;
}
