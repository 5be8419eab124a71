// Reading a page: waits with a limit, whose errors name the awaited condition.
import { wait } from './proc.mjs';

/** True as soon as `locator` shows an element, false after `timeoutMs`. */
export async function appears(locator, timeoutMs) {
  try {
    await locator.first().waitFor({ state: 'visible', timeout: timeoutMs });
    return true;
  } catch {
    return false;
  }
}

/** Calls `ask` until it returns a truthy value, at growing intervals; the failure contains the last answer or error. */
export async function until(what, ask, { timeoutMs = 20_000 } = {}) {
  let last;
  let pause = 50;
  // A question passes through four processes: asking ten times a second does not speed up a slow result.
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

/** Chooses an entry of one of VS Code's menus, which ignore clicks in their first moments. */
export async function chooseMenuItem(item) {
  await item.waitFor();
  await until('the menu to take the click', async () => {
    await item.click({ timeout: 2000 }).catch(() => undefined);
    return item.page().isClosed() || !(await item.isVisible());
  });
}

/** A pattern for a whole label, ignoring spaces around it. */
export function exactly(text) {
  return new RegExp(`^\\s*${literal(text)}\\s*$`);
}

/** `text` as a literal part of a pattern. */
export function literal(text) {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
