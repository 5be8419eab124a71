/**
 * The transformations that VS Code applies to our texts before it shows them, by its own expressions. Read from its sources and from the
 * builds of 1.100.3 and 1.139.1, which have the same expressions. `test/soak/foreign-text.test.mjs` checks that the build that runs there
 * still has them.
 */

/** `parseLinkedText` in vs/base/common/linkedText.ts: notifications, titles and messages of progress, input prompts, validation messages. */
export const LINK = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^\)\s]+)(?: (["'])(.+?)(\3))?\)/gi;

const ICON_NAME = '[A-Za-z0-9-]+';
const ICON_MODIFIER = '~[A-Za-z]+';
/** `renderLabelWithIcons` in vs/base/browser/ui/iconLabel/iconLabels.ts: labels of lists, the status bar, buttons, terminals, input prompts. */
export const ICON = new RegExp(`(\\\\)?\\$\\((${ICON_NAME}(?:${ICON_MODIFIER})?)\\)`, 'g');
/** `parseLabelWithIcons` in vs/base/common/iconLabels.ts: the text by which lists are searched. */
export const PARSED_ICON = /\$\([A-Za-z0-9~-]+\)/g;
/** `stripIcons`: the text for screen readers. Escaped icons stay. */
const STRIPPED_ICON = new RegExp(`(\\s)?(\\\\)?\\$\\(${ICON_NAME}(?:${ICON_MODIFIER})?\\)(\\s)?`, 'g');
/** `MAX_MESSAGE_LENGTH` in vs/workbench/common/notifications.ts. */
const MAX_MESSAGE = 1000;

/** A text in the forms in which VS Code passes it to these expressions. */
export function asRead(text: string): string[] {
  const cut = text.length > MAX_MESSAGE ? `${text.slice(0, MAX_MESSAGE)}...` : text;
  // The expression is slow on text without an icon, which most texts are.
  const stripped = (of: string): string =>
    of.includes('$(')
      ? of.replace(STRIPPED_ICON, (match, before?: string, escaped?: string, after?: string) => (escaped ? match : (before ?? after ?? '')))
      : of;
  const forms = [
    text,
    // A notification.
    cut.replace(/(\r\n|\n|\r)/gm, ' ').trim(),
    // The prompt of an input box.
    `${text} (Press 'Enter' to confirm or 'Escape' to cancel)`,
    // Title and message of progress.
    `${text}: ${text}`,
  ];
  return [...forms, ...forms.map(stripped)];
}

/**
 * The links and icons that VS Code would show.
 * @param icons the number of our own icons in the text
 */
export function actionsIn(text: string, icons = 0): string[] {
  return asRead(text).flatMap((form, index) => {
    // All expressions match one of these; LINK alone is slow on many brackets.
    if (!/\]\(|\$\(/.test(form)) {
      return [];
    }
    const links = form.match(LINK) ?? [];
    // Stripped forms have no icons, and progress shows the text twice.
    const expected = index >= 4 ? 0 : index === 3 ? icons * 2 : icons;
    const drawn = form.match(ICON) ?? [];
    const found = form.match(PARSED_ICON) ?? [];
    return [...links, ...(drawn.length > expected ? drawn : []), ...(found.length > expected ? found : [])];
  });
}
