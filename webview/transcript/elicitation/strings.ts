/** Texts about a form's fields and a request's outcome. */
import type { ElicitationValue } from '../../../src/core/elicitation/answer';
import type { ElicitationField, ElicitationProblem } from '../../../src/core/elicitation/elicitation';
import type { ElicitationEntry } from '../../../src/core/model/state';
import { shownOutcome } from '../../../src/core/approval/requests';
import { unansweredText } from '../../../src/text/messages/statusText';
import { MAX_QUESTION, shortened } from '../../../src/text/find/entryTexts';
import { t } from '../../base/l10n';
import { oneLine, escapeMisleading } from '../../../src/text/characters/textSafety';
import type { Address, AddressWarning } from './urlSafety';

/** Text of the agent with several lines, made safe to display. */
export function agentText(text: string, limit = MAX_QUESTION): string {
  return escapeMisleading(shortened(text, limit));
}

export function labelOf({ title, name }: ElicitationField): string {
  return oneLine(title?.trim() || name, 400) || t('Answer');
}

/** The limits of a field's value that its control does not show; '' without limits. */
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
      return range(field.minItems || undefined, field.maxItems, 'Select {min} to {max}', 'Select at least {min}', 'Select at most {max}');
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

/** True for a field that asks for a secret, which a form must not ask for. */
export function wantsSecret({ name, title }: ElicitationField): boolean {
  return /pass(?:word|phrase|code)|secret|token|api[\s_-]?key|credential/i.test(`${name} ${title ?? ''}`);
}

export function problemText({ code, limit = 0, format }: ElicitationProblem, field: ElicitationField): string {
  switch (code) {
    case 'required':
      return t('An answer is required.');
    case 'type':
      return field.type === 'integer'
        ? t('Enter a whole number.')
        : field.type === 'number'
          ? t('Enter a number, for example 3.5.')
          : t("This answer isn't valid.");
    case 'too_short':
      return t('Value must be at least {limit} characters long.', { limit });
    case 'too_long':
      return t('Value must be at most {limit} characters long.', { limit });
    case 'pattern':
      return t('Value must match the pattern: {pattern}', { pattern: field.type === 'string' ? oneLine(field.pattern ?? '', 200) : '' });
    case 'pattern_unknown':
      return t("Couldn't check this against the agent's pattern. Submit again to send it anyway.");
    case 'format':
      return formatText(format);
    case 'too_small':
      return t('Value must be at least {limit}.', { limit });
    case 'too_large':
      return t('Value must be at most {limit}.', { limit });
    case 'not_a_choice':
      return t('Select one of the options.');
    case 'too_few':
      return t('Select at least {limit}.', { limit });
    case 'too_many':
      return t('Select at most {limit}.', { limit });
  }
}

function formatText(format: string | undefined): string {
  switch (format) {
    case 'email':
      return t('Enter an email address, for example {example}.', { example: 'name@example.com' });
    case 'uri':
      return t('Enter a full URL, for example {example}.', { example: 'https://example.com' });
    case 'date':
      return t('Enter a full date, for example {example}.', { example: '2026-01-31' });
    default:
      return t('Enter a date and time, for example {example}.', { example: '2026-01-31 14:30' });
  }
}

/** One value of an answer, as the form showed it. */
export function valueText(field: ElicitationField, value: ElicitationValue): string {
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

export function outcomeText(entry: ElicitationEntry): string {
  const { outcome, body, completed } = entry;
  switch (outcome?.type) {
    case 'accepted':
      if (body.mode === 'form') {
        return t('You answered');
      }
      return completed ? t('Finished') : t('Opened in browser');
    default:
      return unansweredText(shownOutcome(entry) ?? 'lost', t);
  }
}

export function warningText(warning: AddressWarning, { host, letters = host }: Address): string {
  switch (warning) {
    case 'mixed_scripts':
      return t('This site\'s name only looks like "{letters}". It mixes letters of several scripts, as imitations of other sites do.', {
        letters: escapeMisleading(letters),
      });
    case 'userinfo':
      return t("The part before the @ isn't the site. The site is {host}.", { host });
    case 'international':
      return t('This site\'s name stands for "{letters}". Some of its letters may look like others.', {
        letters: escapeMisleading(letters),
      });
    case 'not_encrypted':
      return t("The connection to this site isn't encrypted. Others can read and change what you enter there.");
  }
}
