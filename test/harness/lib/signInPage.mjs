// The user's part of a sign-in in the browser.
import { until } from './see.mjs';

/** The name of this machine in the browser, whose ports VS Code does not forward. */
export function browserAddress(provider) {
  return `http://plums.localhost:${new URL(provider.url).port}/authorize`;
}

/** Agrees to everything that VS Code and the browser ask, until the provider has given a token. The pages are closed. */
export async function signInInBrowser({ page }, provider, { look = async () => {}, timeoutMs = 30_000 } = {}) {
  const pages = [];
  const keep = (opened) => pages.push(opened);
  page.context().on('page', keep);
  // VS Code asks before it opens a page that the user does not trust, and again when the browser has blocked it.
  const agree = page.locator('.monaco-dialog-box').getByRole('button', { name: /^(?:Open|Retry|Continue|Allow|Yes)/ });
  await until(
    'the token to be given',
    async () => {
      if ((await agree.count()) > 0) {
        await look();
        await agree
          .first()
          .click({ timeout: 2000 })
          .catch(() => {});
      }
      return provider.requests.includes('POST /token');
    },
    { timeoutMs },
  );
  page.context().off('page', keep);
  for (const opened of pages) await opened.close();
}
