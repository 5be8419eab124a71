// A user's answers to a real agent, with retries.
import assert from 'node:assert/strict';
import { appears } from '../harness/lib/driver.mjs';
import { wait } from '../harness/lib/proc.mjs';

export const allow = /^(yes|allow|approve|proceed|accept)(?!.*(always|session|again|all edits|from now))/i;
export const refuse = /^(no|reject|deny|cancel|decline)(?!.*(always|session|again))/i;

/**
 * Answers each permission card when it appears, until the turn is over.
 * @param look receives each card and the number of earlier ones, before it is answered.
 * @returns {Promise<string[]>} the texts of the cards.
 */
export async function answerAll(conversation, pattern, look = () => {}) {
  const texts = [];
  const waiting = conversation.permission().filter({ has: conversation.frame.locator('.options') });
  for (const deadline = Date.now() + 120_000; Date.now() < deadline; await wait(100)) {
    if (await appears(waiting, 300)) {
      const card = waiting.first();
      texts.push(await card.innerText());
      await look(card, texts.length);
      const names = (await card.getByRole('button').allInnerTexts()).map((text) => text.trim());
      const answer = names.find((text) => pattern.test(text));
      assert.ok(answer, `no option like ${pattern}: ${names.join(' | ')}`);
      const answers = conversation.frame.locator(`[data-entry-id="${await card.getAttribute('data-entry-id')}"] .options`);
      await card.getByRole('button', { name: answer, exact: true }).click();
      await answers.waitFor({ state: 'detached' });
    } else if (await conversation.send.isVisible()) {
      await conversation.turnEnd();
      return texts;
    }
  }
  throw new Error(`the turn did not end; permissions so far: ${JSON.stringify(texts)}`);
}

/** A question that opens while the window still settles loses the focus and closes: a user would open it again. */
export async function patiently(work) {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (tries === 3 || !/in the quick pick/.test(error.message)) throw error;
    }
  }
}
