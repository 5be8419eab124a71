/** One field of a form: its name, its description, its control and its error. */
import type { ComponentChildren } from 'preact';
import type { ChoiceField, ElicitationField, ElicitationProblem } from '../../../src/core/elicitation/elicitation';
import { t } from '../../base/l10n';
import { ChoicesControl, OneOf } from './choices';
import { ChoiceSelect } from './choiceSelect';
import type { Filled } from '../../state/forms';
import { type ControlAttributes, TextControl } from './text';
import { agentText, labelOf, limitsOf, problemText, wantsSecret } from './strings';

interface Props {
  /** Unique on the page. */
  readonly id: string;
  readonly index: number;
  readonly field: ElicitationField;
  readonly filled: Filled;
  readonly problem: ElicitationProblem | undefined;
  readonly onFill: (value: Filled) => void;
  readonly onLeave: () => void;
}

export function FieldView({ id, index, field, filled, problem, onFill, onLeave }: Props) {
  const hints = [
    field.description && agentText(field.description, 4000),
    limitsOf(field),
    wantsSecret(field) && t('Your answer is sent to the agent and stays in the conversation.'),
  ].filter(Boolean);
  const described = [...hints.map((_, hint) => `${id}/hint${hint}`), ...(problem ? [`${id}/problem`] : [])].join(' ');
  const attributes: ControlAttributes = {
    id,
    'aria-required': field.required,
    // A value that could not be checked is not invalid.
    'aria-invalid': problem !== undefined && problem.code !== 'pattern_unknown',
    'aria-describedby': described || undefined,
  };
  const isGroup = field.type === 'choices' || (field.type === 'choice' && showsAll(field));
  const name = <bdi>{labelOf(field)}</bdi>;
  const required = field.required && <span class="field-required">{t('(required)')}</span>;
  return (
    <div class="field" data-field={index}>
      {field.type === 'boolean' ? (
        <div class="field-check">
          <input type="checkbox" {...attributes} checked={filled === true} onChange={(event) => onFill(event.currentTarget.checked)} />
          <label for={id}>{name}</label>
          {required}
        </div>
      ) : (
        <div class="field-label">
          {isGroup ? <span id={`${id}/name`}>{name}</span> : <label for={id}>{name}</label>}
          {required}
        </div>
      )}
      {hints.map((hint, at) => (
        <div key={at} class="field-hint" id={`${id}/hint${at}`} dir="auto">
          {hint}
        </div>
      ))}
      {control()}
      {problem && (
        <div class={problem.code === 'pattern_unknown' ? 'field-problem field-unsure' : 'field-problem'} id={`${id}/problem`}>
          {problemText(problem, field)}
        </div>
      )}
    </div>
  );

  function control(): ComponentChildren {
    switch (field.type) {
      case 'boolean':
        return null;
      case 'choice':
        return showsAll(field) ? (
          <OneOf field={field} chosen={filled as string | null} attributes={attributes} onFill={onFill} />
        ) : (
          <ChoiceSelect field={field} chosen={filled as string | null} attributes={attributes} onFill={onFill} />
        );
      case 'choices':
        return <ChoicesControl field={field} chosen={filled as readonly string[]} attributes={attributes} onFill={onFill} />;
      default:
        return <TextControl field={field} value={filled as string} attributes={attributes} onFill={onFill} onLeave={onLeave} />;
    }
  }
}

/** The most choices that are shown at once; more fold into a list. */
const MAX_SHOWN = 6;
function showsAll({ choices }: ChoiceField): boolean {
  return choices.length <= MAX_SHOWN;
}
