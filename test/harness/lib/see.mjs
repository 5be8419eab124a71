// Looking at a page: waits that end, and say what they waited for.
import { wait } from './proc.mjs';

/** True as soon as `locator` shows something, false after `timeoutMs`. */
export async function appears(locator, timeoutMs) {
  try {
    await locator.first().waitFor({ state: 'visible', timeout: timeoutMs });
    return true;
  } catch {
    return false;
  }
}

/** Asks `ask` until it gives something true, less and less often; the last answer or error is part of the failure. */
export async function until(what, ask, { timeoutMs = 20_000 } = {}) {
  let last;
  let pause = 50;
  // A question goes through four processes: what takes long is not there sooner for being asked for ten times a second.
  for (const deadline = Date.now() + timeoutMs; Date.now() < deadline; await wait((pause = Math.min(pause * 1.3, 400)))) {
    try {
      const answer = await ask();
      if (answer) return answer;
      last = answer;
    } catch (error) {
      last = error;
    }
  }
  throw new Error(`waited ${timeoutMs / 1000} s for ${what}; last: ${last instanceof Error ? last.message : JSON.stringify(last)}`);
}

/** Chooses an entry of one of VS Code's menus, which take no click in their first moments. */
export async function chooseMenuItem(item) {
  await item.waitFor();
  await until('the menu to take the click', async () => {
    await item.click({ timeout: 2000 }).catch(() => undefined);
    return item.page().isClosed() || !(await item.isVisible());
  });
}

/** A pattern for a whole label, spaces around it aside. */
export function exactly(text) {
  return new RegExp(`^\\s*${literal(text)}\\s*$`);
}

/** `text` as part of a pattern that means just that. */
export function literal(text) {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
