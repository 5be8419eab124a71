/** The Escape key for the page as a whole: for find, a waiting question, and the running turn. */

/** Parts that handle Escape themselves while they have the focus: forms, and a terminal whose program may use it. */
const OWN_ESCAPE = '.elicitation-waiting, .sign-in, [role="menu"], [role="dialog"], dialog, .xterm';

/** True for the key alone, pressed just now, that no other listener took, outside of parts that handle it themselves. */
export function isPlainEscape(event: KeyboardEvent): boolean {
  const isModified = event.ctrlKey || event.metaKey || event.altKey || event.shiftKey;
  const isOwn = event.target instanceof Element && event.target.closest(OWN_ESCAPE);
  return event.key === 'Escape' && !isModified && !event.defaultPrevented && !event.repeat && !isOwn;
}
