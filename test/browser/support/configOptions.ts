/** The agent's options with choices, set the way the tests in VS Code set them. */
import type { Page } from 'playwright-core';

interface ConfigOptions {
  chooseOption(page: Page, option: string, choice: string): Promise<void>;
  chosenOption(page: Page, option: string): Promise<string>;
}

const shared = (): Promise<ConfigOptions> => import('../../harness/lib/configOptions.mjs' as string) as Promise<ConfigOptions>;

export async function chooseOption(page: Page, option: string, choice: string): Promise<void> {
  await (await shared()).chooseOption(page, option, choice);
}

export async function chosenOption(page: Page, option: string): Promise<string> {
  return (await shared()).chosenOption(page, option);
}
