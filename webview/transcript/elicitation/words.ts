/** What is said about a form's fields and how a request ended. */
import type { ElicitationValue } from '../../../src/core/elicitation/answer';
import type { ElicitationField, ElicitationProblem } from '../../../src/core/elicitation/elicitation';
import type { ElicitationEntry } from '../../../src/core/model/state';
import { unansweredWords } from '../../../src/text/messages/statuses';
import { t } from '../../l10n';
import { oneLine, visible } from '../../markdown/textSafety';
import type { Address, AddressWarning } from './urlSafety';

/** UTF-16 units of an agent's text that are shown; what is longer nobody reads in a form. */
const MAX_TEXT = 20_000;

/** Several lines of the agent's, safe to look at. */
export function agentText(text: string, limit = MAX_TEXT): string {
  return visible(text.length > limit ? `${text.slice(0, limit)}…` : text);
}

export function labelOf({ title, name }: ElicitationField): string {
  return oneLine(title?.trim() || name, 400) || t('Answer');
}

/** What may be filled in, as far as the control does not show it; '' for anything. */
export function limitsOf(field: ElicitationField): string {
  switch (field.type) {
    case 'string':
      if (field.format === 'date-time') {
        return t('For example {example}', { example: '2026-01-31 14:30' });
      }
      return range(
        field.minLength || undefined,
        field.maxLength,
        '{min} to {max} characters',
        'At least {min} characters',
        'At most {max} characters',
      );
    case 'number':
    case 'integer':
      return range(field.minimum, field.maximum, '{min} to {max}', 'At least {min}', 'At most {max}');
    case 'choices':
      return range(field.minItems || undefined, field.maxItems, 'Choose {min} to {max}', 'Choose at least {min}', 'Choose at most {max}');
    default:
      return '';
  }
}

function range(min: number | undefined, max: number | undefined, both: string, least: string, most: string): string {
  if (min === undefined) {
    return max === undefined ? '' : t(most, { max });
  }
  return max === undefined ? t(least, { min }) : t(both, { min, max });
}

/** True for a field that asks for what a form must not ask for. */
export function wantsSecret({ name, title }: ElicitationField): boolean {
  return /pass(?:word|phrase|code)|secret|token|api[\s_-]?key|credential/i.test(`${name} ${title ?? ''}`);
}

export function problemWords({ code, limit = 0, format }: ElicitationProblem, field: ElicitationField): string {
  switch (code) {
    case 'required':
      return t('An answer is required.');
    case 'type':
      return field.type === 'integer'
        ? t('Write a whole number.')
        : field.type === 'number'
          ? t('Write a number, like 3.5.')
          : t('This answer does not fit.');
    case 'too_short':
      return t('Too short: write at least {limit} characters.', { limit });
    case 'too_long':
      return t('Too long: write at most {limit} characters.', { limit });
    case 'pattern':
      return t('The agent wants another form: {pattern}', { pattern: field.type === 'string' ? oneLine(field.pattern ?? '', 200) : '' });
    case 'pattern_unknown':
      return t('This could not be checked against the agent’s rule. Submit again to send it as it is.');
    case 'format':
      return formatWords(format);
    case 'too_small':
      return t('Too small: at least {limit}.', { limit });
    case 'too_large':
      return t('Too large: at most {limit}.', { limit });
    case 'not_a_choice':
      return t('Choose one of the answers offered.');
    case 'too_few':
      return t('Choose at least {limit}.', { limit });
    case 'too_many':
      return t('Choose at most {limit}.', { limit });
  }
}

function formatWords(format: string | undefined): string {
  switch (format) {
    case 'email':
      return t('Write an e-mail address, like {example}.', { example: 'name@example.com' });
    case 'uri':
      return t('Write a whole address, like {example}.', { example: 'https://example.com' });
    case 'date':
      return t('Write a whole date, like {example}.', { example: '2026-01-31' });
    default:
      return t('Write date and time, like {example}.', { example: '2026-01-31 14:30' });
  }
}

/** One value of an answer, as the form showed it. */
export function valueWords(field: ElicitationField, value: ElicitationValue): string {
  const titleOf = (chosen: string) =>
    'choices' in field ? (field.choices.find((choice) => choice.value === chosen)?.title ?? chosen) : chosen;
  if (typeof value === 'boolean') {
    return value ? t('Yes') : t('No');
  }
  if (typeof value === 'number') {
    return String(value);
  }
  if (typeof value === 'string') {
    return agentText(titleOf(value), 4000);
  }
  return value.length === 0 ? t('None') : value.map((chosen) => oneLine(titleOf(chosen), 200)).join(', ');
}

export function outcomeWords({ outcome, body, completed }: ElicitationEntry): string {
  switch (outcome?.type) {
    case 'accepted':
      if (body.mode === 'form') {
        return t('You answered');
      }
      return completed ? t('Finished') : t('Opened in the browser');
    default:
      return unansweredWords(outcome?.type ?? 'lost', t);
  }
}

export function warningWords(warning: AddressWarning, { host, letters = host }: Address): string {
  switch (warning) {
    case 'mixed_scripts':
      return t('The site’s name only looks like “{letters}”: it mixes letters of several scripts, as names do that imitate others.', {
        letters: visible(letters),
      });
    case 'userinfo':
      return t('What stands before the @ is not the site. The site is {host}.', { host });
    case 'international':
      return t('The site’s name stands for “{letters}”. Some of its letters may look like others.', { letters: visible(letters) });
    case 'not_encrypted':
      return t('The connection to this site is not encrypted: others can read and change what you enter there.');
  }
}
