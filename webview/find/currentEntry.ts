/** px from the end that still count as the end */
const END = 32;

/** Entries of the session's conversation, without those of a subagent. */
const ENTRY = '.log > .page > [data-slot]';

/** The entry that the user reads: the one with the focus, otherwise the newest if the view follows the end, otherwise the first on the screen. */
export function readingEntry(): string | undefined {
  const scroller = document.querySelector('.scroller');
  if (!scroller) {
    return undefined;
  }
  const focused = scroller.contains(document.activeElement) ? document.activeElement!.closest<HTMLElement>(ENTRY) : null;
  if (focused) {
    return focused.dataset.slot;
  }
  if (scroller.scrollTop > 0 && scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight <= END) {
    return [...scroller.querySelectorAll<HTMLElement>(ENTRY)].at(-1)?.dataset.slot;
  }
  const top = scroller.getBoundingClientRect().top + 1;
  for (const entry of scroller.querySelectorAll<HTMLElement>(ENTRY)) {
    if (entry.getBoundingClientRect().bottom > top) {
      return entry.dataset.slot;
    }
  }
  return undefined;
}
