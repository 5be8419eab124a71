// The agent's options with choices, as a user sets them: a combobox that opens a list, with a filter for long lists.

/**
 * @param {import('playwright-core').Page | import('playwright-core').FrameLocator} page
 * @param {string} option the option's name from the agent
 * @param {string} choice the choice's name, without the option's
 */
export async function chooseOption(page, option, choice) {
  await combobox(page, option).click();
  const list = page.getByRole('listbox', { name: option, exact: true });
  await list.getByRole('option', { name: choice, exact: true }).click();
  await list.waitFor({ state: 'detached' });
}

/** The current choice, as the button shows it. */
export function chosenOption(page, option) {
  return combobox(page, option)
    .locator('.option-value')
    .evaluate((value) =>
      [...value.childNodes]
        .filter((node) => node instanceof Text)
        .map((node) => node.data)
        .join(''),
    );
}

function combobox(page, option) {
  return page.getByRole('combobox', { name: option, exact: true });
}
