/** A form that waits for the user. The page validates it like the host, so that the user sees errors at once. */
import { useEffect, useRef } from 'preact/hooks';
import type { ElicitationBody } from '../../../src/core/elicitation/elicitation';
import type { ElicitationEntry } from '../../../src/core/model/state';
import { useView } from '../../state/context';
import { t } from '../../base/l10n';
import { FieldView } from './fields';
import { filledOf } from '../../state/forms';
import { isMultiLine } from './text';
import { useForceUpdate } from '../../base/memo';
import { agentText } from './strings';

/** ms after which the user can send an answer again that had no effect. */
export const ANSWER_TIMEOUT_MS = 5000;

type FormBody = Extract<ElicitationBody, { mode: 'form' }>;

export function ElicitationForm({
  entry: { requestKey, entryId },
  form: { title, description, fields },
}: {
  entry: ElicitationEntry;
  form: FormBody;
}) {
  const { forms, post } = useView();
  const forceUpdate = useForceUpdate();
  useEffect(() => forms.subscribe(() => forceUpdate()), []);
  const form = forms.get(requestKey);
  const element = useRef<HTMLFormElement>(null);
  useEffect(() => showFromTop(element.current!.closest<HTMLElement>('.elicitation')!), []);

  useEffect(() => {
    if (form.wrong === undefined) {
      return;
    }
    const index = fields.findIndex(({ name }) => name === form.wrong);
    const controls = element.current!.querySelector(`[data-field="${index}"]`);
    controls?.querySelector<HTMLElement>('input:checked, input, textarea, [role="combobox"]')?.focus();
    forms.arrived(requestKey);
  }, [form]);
  useEffect(() => {
    if (!form.sent) {
      return undefined;
    }
    const timer = setTimeout(() => forms.sent(requestKey, false), ANSWER_TIMEOUT_MS);
    return () => clearTimeout(timer);
  }, [form.sent]);

  const submit = (event: Event) => {
    event.preventDefault();
    if (form.sent) {
      return;
    }
    const half = halfDates(element.current!).map((index) => ({ name: fields[index]!.name, code: 'format', format: 'date' }) as const);
    if (half.length > 0) {
      return forms.found(requestKey, half);
    }
    const { content, problems } = forms.submit(requestKey, fields);
    if (problems.length === 0) {
      post({ type: 'answer_elicitation', requestKey, action: 'accept', content });
    }
  };
  const leave = (action: 'decline' | 'cancel') => () => {
    if (form.sent) {
      return;
    }
    forms.sent(requestKey, true);
    post({ type: 'answer_elicitation', requestKey, action });
  };

  return (
    // The view validates the form itself and shows its own messages.
    <form class="elicitation-form" noValidate autoComplete="off" onSubmit={submit} onKeyDown={notHeld} ref={element}>
      {(title || description) && (
        <div class="elicitation-about" dir="auto">
          {title && <div class="elicitation-about-title">{agentText(title, 400)}</div>}
          {description && <div class="elicitation-text">{agentText(description)}</div>}
        </div>
      )}
      {fields.map((field, index) => (
        <FieldView
          key={index}
          id={`${entryId}/${index}`}
          index={index}
          field={field}
          filled={filledOf(form, field)}
          problem={form.problems.get(field.name)}
          onFill={(value) => forms.fill(requestKey, field, value)}
          onLeave={() => forms.left(requestKey, field)}
        />
      ))}
      <div class="options">
        <button type="submit" class="button" aria-disabled={form.sent}>
          {t('Submit')}
        </button>
        <button
          type="button"
          class="button button-secondary"
          aria-disabled={form.sent}
          title={t('Decline the request')}
          onClick={leave('decline')}
        >
          {t('Decline')}
        </button>
        <button
          type="button"
          class="button button-secondary"
          aria-disabled={form.sent}
          title={t('Close the form without answering')}
          onClick={leave('cancel')}
        >
          {t('Dismiss')}
        </button>
        {fields.some(isMultiLine) && <span class="elicitation-keys">{t('Enter to submit, Shift+Enter for a new line')}</span>}
      </div>
    </form>
  );
}

/**
 * A conversation that follows its end would show the end of the form. Scrolls to the top of a form that is higher than the screen, so that the
 * question comes first.
 */
function showFromTop(card: HTMLElement): void {
  // The conversation has scrolled to its end by then.
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      const scroller = card.closest('.scroller');
      if (!scroller || card.offsetHeight <= scroller.clientHeight) {
        return;
      }
      const { scrollHeight, scrollTop, clientHeight } = scroller;
      // Not `scrollIntoView`, which would also scroll the conversation's ancestors.
      if (scrollHeight - scrollTop - clientHeight < 2) {
        scroller.scrollTop += card.getBoundingClientRect().top - scroller.getBoundingClientRect().top;
      }
    }),
  );
}

/** Ignores a key that was pressed before the form appeared and is still held down. */
function notHeld(event: KeyboardEvent): void {
  if (event.repeat && !event.shiftKey && (event.key === 'Enter' || (event.key === ' ' && event.target instanceof HTMLButtonElement))) {
    event.preventDefault();
  }
}

/** Fields with an incomplete date, whose value is empty for scripts. */
function halfDates(form: HTMLFormElement): number[] {
  const begun = [...form.querySelectorAll<HTMLInputElement>('input[type="date"]')].filter((input) => input.validity.badInput);
  return begun.map((input) => Number(input.closest('[data-field]')!.getAttribute('data-field')));
}
