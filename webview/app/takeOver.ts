/** Hands the text box of the page's HTML (`shell.ts`) over to the view: the same elements, with the text typed meanwhile. */

/** The user's input before the view was ready. */
export interface TakenOver {
  /** The element in which the view is mounted; its children become the view's. */
  readonly root: HTMLElement;
  readonly typed: string;
  /** True when Enter was pressed. */
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
