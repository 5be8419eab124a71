/** From the document's own text box (`shell.ts`) to the view's: the same elements, with what was typed meanwhile. */

/** What the user has done before the view was there. */
export interface TakenOver {
  /** Where the view is mounted; its elements become the view's. */
  readonly root: HTMLElement;
  readonly typed: string;
  /** Enter was pressed. */
  readonly send: boolean;
}

export function takeOver(): TakenOver {
  const root = document.querySelector<HTMLElement>('[data-shell]');
  if (!root) {
    const made = document.createElement('div');
    document.body.append(made);
    return { root: made, typed: '', send: false };
  }
  const send = root.dataset['shell'] === 'send';
  delete root.dataset['shell'];
  return { root, typed: root.querySelector('textarea')?.value ?? '', send };
}
