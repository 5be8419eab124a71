/**
 * Runs in the page's HTML before the view's own script, for the text box in that HTML (`application/chat/page.ts`). Gives the box the focus that VS
 * Code gives the page, and records Enter for the view. The script is inlined, so it imports nothing.
 */
export {};

const root = document.querySelector<HTMLElement>('[data-shell]');
const area = root?.querySelector('textarea');

if (root) {
  // All scripts are requested together, not one by one as imports are found. They are part of the first one's imports anyway.
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
