/** The controls for text, numbers and dates of a form: one line or several. */
import type { JSX } from 'preact';
import type { ElicitationField } from '../../../src/core/elicitation/elicitation';
import { hasFormat } from '../../../src/core/elicitation/formats';

/** UTF-16 units; longer answers need more than one line. */
const LONG = 200;

/** The attributes of every control of a form. */
export interface ControlAttributes {
  readonly id: string;
  readonly 'aria-required': boolean;
  readonly 'aria-invalid': boolean;
  readonly 'aria-describedby': string | undefined;
}

/** True for a text that may be long. A line break in the default value would be lost in a single line. */
export function isMultiLine(field: ElicitationField): boolean {
  if (field.type !== 'string') {
    return false;
  }
  const { format, pattern, maxLength = Infinity, defaultValue = '' } = field;
  return /[\r\n]/.test(defaultValue) || (format === undefined && pattern === undefined && maxLength > LONG);
}

interface Props {
  readonly field: ElicitationField;
  readonly value: string;
  readonly attributes: ControlAttributes;
  readonly onFill: (value: string) => void;
  readonly onLeave: () => void;
}

export function TextControl({ field, value, attributes, onFill, onLeave }: Props) {
  const common = { ...attributes, class: 'field-input', value, dir: 'auto', onBlur: () => afterPress(onLeave) } as const;
  if (isMultiLine(field)) {
    return <textarea {...common} rows={1} onInput={(event) => onFill(event.currentTarget.value)} onKeyDown={enterSubmits} />;
  }
  return (
    <input {...common} {...kindOf(field)} autoComplete="off" spellcheck={false} onInput={(event) => onFill(event.currentTarget.value)} />
  );
}

/**
 * Calls back after a pointer press has ended. A field's message moves the content below it; a button that moves between press and release gets no
 * click.
 */
function afterPress(callback: () => void): void {
  if (document.querySelector(':active')) {
    window.addEventListener('pointerup', () => setTimeout(callback), { once: true });
  } else {
    callback();
  }
}

/** Submits on Enter, like the composer. */
function enterSubmits(event: JSX.TargetedKeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key !== 'Enter' || event.shiftKey) {
    return;
  }
  event.preventDefault();
  if (!event.repeat) {
    event.currentTarget.form?.requestSubmit();
  }
}

/**
 * The browser's own control is used only for dates, whose value has the required format. Its controls for numbers, addresses and times drop or change
 * input that they do not understand.
 */
function kindOf(field: ElicitationField): JSX.HTMLAttributes<HTMLInputElement> & { type: string } {
  if (field.type === 'number') {
    return { type: 'text', inputMode: 'decimal' };
  }
  if (field.type === 'integer') {
    return { type: 'text', inputMode: field.minimum !== undefined && field.minimum >= 0 ? 'numeric' : 'text' };
  }
  if (field.type !== 'string') {
    return { type: 'text' };
  }
  switch (field.format) {
    case 'email':
      return { type: 'text', inputMode: 'email' };
    case 'uri':
      return { type: 'text', inputMode: 'url' };
    case 'date':
      return { type: field.defaultValue === undefined || hasFormat(field.defaultValue, 'date') ? 'date' : 'text' };
    default:
      return { type: 'text' };
  }
}
