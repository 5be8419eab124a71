/**
 * Runs in the page's document before the view's own script, for the text box that the document contains (`workbench/chat/page.ts`). The box gets
 * the focus that VS Code gives the page, and Enter is saved for the view. The script is part of the document, so it imports nothing itself.
 */
export {};

const root = document.querySelector<HTMLElement>('[data-shell]');
const area = root?.querySelector('textarea');

if (root) {
  // Together, and not as each is found to import the next; all of them are part of what the first one imports anyway.
  for (const uri of JSON.parse(root.dataset['scripts'] ?? '[]') as string[]) {
    void import(uri);
  }
}

if (root && area) {
  const isThere = (): boolean => root.dataset['shell'] !== undefined;
  const focus = (): void => {
    if (isThere() && document.activeElement === document.body) {
      area.focus();
    }
  };
  window.addEventListener('focus', focus);
  if (document.hasFocus()) {
    focus();
  }
  area.addEventListener('keydown', (event) => {
    if (isThere() && event.key === 'Enter' && !event.shiftKey && !event.altKey && !event.isComposing && event.keyCode !== 229) {
      event.preventDefault();
      root.dataset['shell'] = 'send';
    }
  });
}
