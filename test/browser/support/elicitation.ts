/** Elicitation requests for browser tests. */
import type { Locator } from 'playwright-core';
import type { ElicitationBody, ElicitationField } from '../../../src/core/elicitation/elicitation';
import type { View } from './view';

export const text = (name: string, more: object = {}): ElicitationField => ({ name, type: 'string', required: false, ...more });
export const list = (...values: string[]) => values.map((value) => ({ value, title: value }));
export const form = (...fields: ElicitationField[]): ElicitationBody => ({ mode: 'form', fields });
export const page = (url: string): ElicitationBody => ({ mode: 'url', elicitationId: 'x', url });

/** Functions that request an elicitation in a view and check its result. */
export function elicitations(view: () => View) {
  const ask = async (body: ElicitationBody, message = 'What now?', requestKey = 'e1'): Promise<Locator> => {
    await view().happen({ type: 'elicitation_requested', requestKey, message, body });
    const card = view().page.locator(`[data-entry-id="elicitation:${requestKey}"]`);
    await card.waitFor();
    return card;
  };
  const submit = (card: Locator) => card.getByRole('button', { name: 'Submit', exact: true });
  const answers = (count = 1) => view().postedAtLeast('answer_elicitation', count);
  const focused = () =>
    view().page.evaluate(() => document.activeElement?.getAttribute('data-entry-id') ?? document.activeElement?.id ?? '');
  return { ask, submit, answers, focused };
}
