/** The choices of a field: radio buttons for one, check boxes for several, with a filter for many. */
import { useState } from 'preact/hooks';
import type { ChoiceField, ChoicesField, ElicitationChoice } from '../../../src/core/elicitation/elicitation';
import { t } from '../../base/l10n';
import { oneLine } from '../../../src/text/characters/textSafety';
import type { ControlAttributes } from './text';
import { agentText, labelOf } from './strings';

/** The number of choices from which on there is a filter, and the most that are shown. */
const MANY = 12;
const MAX_SHOWN = 100;

export function OneOf({
  field,
  chosen,
  attributes,
  onFill,
}: {
  field: ChoiceField;
  chosen: string | null;
  attributes: ControlAttributes;
  onFill: (value: string | null) => void;
}) {
  const { id, ...group } = attributes;
  const clear = (button: HTMLElement) => {
    button.parentElement!.querySelector('input')!.focus(); // The button is removed, and the focus must not be lost with it.
    onFill(null);
  };
  return (
    <div class="choices" role="radiogroup" aria-labelledby={`${id}/name`} {...group}>
      {field.choices.map((choice, index) => (
        <Choice
          key={index}
          id={`${id}/${index}`}
          type="radio"
          name={id}
          choice={choice}
          checked={choice.value === chosen}
          onChange={() => onFill(choice.value)}
        />
      ))}
      {!field.required && chosen !== null && (
        <button type="button" class="text-button" onClick={(event) => clear(event.currentTarget)}>
          {t('Clear selection')}
        </button>
      )}
    </div>
  );
}

export function ChoicesControl({
  field,
  chosen,
  attributes,
  onFill,
}: {
  field: ChoicesField;
  chosen: readonly string[];
  attributes: ControlAttributes;
  onFill: (value: readonly string[]) => void;
}) {
  const [wanted, setWanted] = useState('');
  const { id, 'aria-required': _, 'aria-invalid': __, ...group } = attributes;
  const text = wanted.trim().toLowerCase();
  const matching = field.choices
    .map((choice, index) => ({ choice, index }))
    .filter(({ choice }) => text === '' || choice.title.toLowerCase().includes(text));
  const shown = matching.slice(0, MAX_SHOWN);
  const toggle = (value: string, on: boolean) => {
    const left = new Set(chosen.filter((other) => other !== value).concat(on ? [value] : []));
    // The values keep the agent's order, whatever the order of the clicks.
    onFill([...new Set(field.choices.map((choice) => choice.value))].filter((each) => left.has(each)));
  };
  return (
    <div class="choices" role="group" aria-labelledby={`${id}/name`} {...group}>
      {field.choices.length > MANY && (
        <input
          class="field-input choices-filter"
          type="text"
          value={wanted}
          placeholder={t('Filter')}
          aria-label={t('Filter {field}', { field: labelOf(field) })}
          autoComplete="off"
          spellcheck={false}
          onInput={(event) => setWanted(event.currentTarget.value)}
          onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        />
      )}
      <div class={field.choices.length > MANY ? 'choices-list choices-many' : 'choices-list'}>
        {shown.map(({ choice, index }) => (
          <Choice
            key={index}
            id={`${id}/${index}`}
            type="checkbox"
            choice={choice}
            checked={chosen.includes(choice.value)}
            invalid={attributes['aria-invalid']}
            onChange={(on) => toggle(choice.value, on)}
          />
        ))}
        {shown.length === 0 && <div class="field-hint">{t('No matching results')}</div>}
        {shown.length < matching.length && (
          <div class="field-hint">{t('{count} more. Filter to see them.', { count: matching.length - shown.length })}</div>
        )}
      </div>
      {field.choices.length > MANY && (
        <div class="field-hint" role="status">
          {t('{count} selected', { count: chosen.length })}
        </div>
      )}
    </div>
  );
}

interface ChoiceProps {
  readonly id: string;
  readonly type: 'radio' | 'checkbox';
  readonly name?: string;
  readonly choice: ElicitationChoice;
  readonly checked: boolean;
  readonly invalid?: boolean;
  readonly onChange: (on: boolean) => void;
}

function Choice({ id, type, name, choice: { title, value, description }, checked, invalid, onChange }: ChoiceProps) {
  const described = description ? `${id}/text` : undefined;
  return (
    <div class="choice">
      <input
        type={type}
        id={id}
        {...(name !== undefined && { name })}
        {...(invalid && { 'aria-invalid': true })}
        checked={checked}
        aria-describedby={described}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <div>
        <label for={id} dir="auto">
          {oneLine(title, 400) || oneLine(value, 400)}
        </label>
        {description && (
          <div class="field-hint" id={described} dir="auto">
            {agentText(description, 2000)}
          </div>
        )}
      </div>
    </div>
  );
}
