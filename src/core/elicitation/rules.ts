/**
 * Checks a form's answer against its fields (RFD "Elicitation": clients validate before they send). Pure, so that the view can report the same
 * problems as the host. `pattern` is the agent's regular expression, so the caller runs it where it can be stopped.
 */
import type { ElicitationContent, ElicitationValue } from './answer';
import type { ElicitationField, ElicitationProblem, TextField } from './elicitation';
import { hasFormat } from './formats';

/** A value that must still match its field's pattern. */
export interface PatternTask {
  readonly name: string;
  readonly pattern: string;
  readonly value: string;
}

export interface CheckedContent {
  /** The content to send: only fields of the form, without empty ones. */
  readonly content: ElicitationContent;
  /** The problems in the form's order, at most one for each field. */
  readonly problems: readonly ElicitationProblem[];
  /** The patterns to check, for the fields without a problem. */
  readonly patterns: readonly PatternTask[];
}

export function checkContent(fields: readonly ElicitationField[], given: ElicitationContent): CheckedContent {
  const content: [string, ElicitationValue][] = [];
  const problems: ElicitationProblem[] = [];
  const patterns: PatternTask[] = [];
  for (const field of fields) {
    const { name } = field;
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    const problem = problemOf(field, value);
    if (problem) {
      problems.push(problem);
    } else if (value !== undefined && !isAbsent(field, value)) {
      content.push([name, value]);
      if (field.type === 'string' && field.pattern !== undefined && typeof value === 'string') {
        patterns.push({ name, pattern: field.pattern, value });
      }
    }
  }
  // Assignment would not work for a field with the name `__proto__`.
  return { content: Object.fromEntries(content), problems, patterns };
}

/** Returns the problem with this field's value, except for its pattern; undefined when there is none. */
export function problemOf(field: ElicitationField, value: ElicitationValue | undefined): ElicitationProblem | undefined {
  const { name } = field;
  if (value === undefined || isAbsent(field, value)) {
    return field.required ? { name, code: 'required' } : undefined;
  }
  switch (field.type) {
    case 'string':
      return typeof value === 'string' ? textProblem(field, value) : { name, code: 'type' };
    case 'choice':
      return field.choices.some((choice) => choice.value === value) ? undefined : { name, code: 'not_a_choice' };
    case 'choices': {
      if (!isList(value)) {
        return { name, code: 'type' };
      }
      const known = new Set(field.choices.map((choice) => choice.value));
      if (!value.every((chosen) => known.has(chosen))) {
        return { name, code: 'not_a_choice' };
      }
      return limited(name, value.length, [field.minItems, 'too_few'], [field.maxItems, 'too_many']);
    }
    case 'number':
    case 'integer': {
      // An unsafe integer would be sent as another number than the user typed.
      const fits = field.type === 'integer' ? Number.isSafeInteger(value) : Number.isFinite(value);
      return fits ? limited(name, value as number, [field.minimum, 'too_small'], [field.maximum, 'too_large']) : { name, code: 'type' };
    }
    case 'boolean':
      return typeof value === 'boolean' ? undefined : { name, code: 'type' };
  }
}

function textProblem(field: TextField, value: string): ElicitationProblem | undefined {
  const { name, minLength, maxLength, format } = field;
  if (minLength !== undefined || maxLength !== undefined) {
    const problem = limited(name, codePoints(value), [minLength, 'too_short'], [maxLength, 'too_long']);
    if (problem) {
      return problem;
    }
  }
  return format !== undefined && !hasFormat(value, format) ? { name, code: 'format', format } : undefined;
}

type Limit = readonly [limit: number | undefined, code: ElicitationProblem['code']];

function limited(name: string, size: number, [least, below]: Limit, [most, above]: Limit): ElicitationProblem | undefined {
  if (least !== undefined && size < least) {
    return { name, code: below, limit: least };
  }
  return most !== undefined && size > most ? { name, code: above, limit: most } : undefined;
}

/** True for an empty field, for which the agent gets no value. An empty choice is an answer only where the agent allows one. */
function isAbsent(field: ElicitationField, value: ElicitationValue): boolean {
  switch (field.type) {
    case 'string':
    case 'number':
    case 'integer':
      return value === '';
    case 'choices':
      return isList(value) && value.length === 0 && !(field.required && field.minItems === 0);
    default:
      return false;
  }
}

function isList(value: ElicitationValue): value is readonly string[] {
  return Array.isArray(value);
}

function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) {
    count++;
  }
  return count;
}
