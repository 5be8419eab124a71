/** A form's field with many choices: a button with a list, like the agent's options. */
import { useMemo } from 'preact/hooks';
import type { ChoiceField, ElicitationChoice } from '../../../src/core/elicitation/elicitation';
import { oneLine } from '../../../src/text/characters/textSafety';
import { t } from '../../base/l10n';
import { type Choices, MAX_ROWS, type Row } from '../../options/choices';
import { SelectButton } from '../../options/select';
import type { ControlAttributes } from './text';
import { agentText, labelOf } from './strings';

/** The most choices that are read and filtered. */
const MAX_CHOICES = 10_000;
/** The value of the row for no choice. */
const NONE = '';

export function ChoiceSelect({
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
  const { choices } = field;
  const at = choices.findIndex(({ value }) => value === chosen);
  const all = useMemo(() => rowsOf(choices, at), [choices, at]);
  const description = choices[at]?.description;
  return (
    <>
      <SelectButton
        class="field-input field-select"
        attributes={attributes}
        list={({ ChoiceList }, frame) => (
          <ChoiceList
            {...frame}
            name={labelOf(field)}
            all={all}
            value={at < 0 ? NONE : String(at)}
            choose={(value) => onFill(choices[Number(value === NONE ? -1 : value)]?.value ?? null)}
          />
        )}
      >
        <span dir="auto">{at < 0 ? t('No answer') : titleOf(choices[at]!)}</span>
      </SelectButton>
      {description && (
        <div class="field-hint" dir="auto">
          {agentText(description, 2000)}
        </div>
      )}
    </>
  );
}

/**
 * Returns the row for no choice, and one row per choice, identified by its index because two may have the same value. The current choice is always
 * included.
 */
function rowsOf(choices: readonly ElicitationChoice[], at: number): Choices {
  const rowAt = (index: number): Row => {
    const choice = choices[index]!;
    return { value: String(index), label: titleOf(choice), description: oneLine(choice.description ?? '', 300), group: '' };
  };
  const rows = choices.slice(0, MAX_CHOICES).map((_, index) => rowAt(index));
  const none: Row = { value: NONE, label: t('No answer'), description: '', group: '' };
  const more = choices.length - rows.length;
  if (at < MAX_ROWS - 1) {
    return { rows: [none, ...rows], more };
  }
  return { rows: [none, rowAt(at), ...rows.filter((_, index) => index !== at)], more: at < MAX_CHOICES ? more : more - 1 };
}

function titleOf({ title, value }: ElicitationChoice): string {
  return oneLine(title, 200) || oneLine(value, 200);
}
