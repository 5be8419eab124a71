// The user's actions in our panel, and their visible results. The roles and names are the view's contract with its users.
import { appears, literal, until } from './see.mjs';

/** The panel of a session, accessed by its accessible names. */
export class Conversation {
  constructor(window) {
    this.window = window;
    this.frame = window.frame();
    this.log = this.frame.getByRole('log', { name: 'Conversation' });
    this.composer = this.frame.getByRole('textbox', { name: 'Message', exact: true });
    this.send = this.frame.getByRole('button', { name: 'Send', exact: true });
    // The card of a running command in the transcript has its own Stop.
    this.stopButton = this.frame
      .getByRole('button', { name: 'Stop', exact: true })
      .and(this.frame.locator('button:not([role="log"] button)'));
    this.queue = this.frame.getByRole('list', { name: 'Queued messages', exact: true });
    this.plan = this.frame.getByRole('region', { name: 'Plan', exact: true });
  }

  /**
   * Types a prompt and sends it; while the agent is starting, it is queued. The prompt counts as sent once it is in the conversation: a
   * failed one returns its text to the composer, and is sent again, as a user would.
   */
  async prompt(text, { timeoutMs = 45_000 } = {}) {
    const line = text.split('\n')[0];
    const count = async () => (await this.log.innerText()).split(line).length;
    const before = await count();
    await this.composer.fill(text);
    let pressed = 0;
    await until(
      'the composer to send',
      async () => {
        if ((await count()) > before) return true;
        if (pressed > 0 && (await this.composer.inputValue()) === '') return (await this.queue.count()) === 0;
        // The first click gets time to take effect before the next.
        if (Date.now() - pressed > 1500) {
          await this.send.click({ timeout: 2000 });
          pressed = Date.now();
        }
        return false;
      },
      { timeoutMs },
    );
  }

  /** Sends a message, whatever the agent is doing. */
  async say(text) {
    await this.composer.fill(text);
    await this.composer.press('Enter');
    await until('the composer to be empty', async () => (await this.composer.inputValue()) === '');
  }

  /** The texts in the queue. */
  async queued() {
    return (await this.queue.count()) === 0 ? [] : this.queue.locator('.queue-text').allInnerTexts();
  }

  /** The blocks of the prompts that a scripted agent has repeated (`sayPrompt`), in order. */
  async toldBlocks() {
    const lines = (await this.log.innerText()).split('\n');
    return lines.filter((line) => line.startsWith('{"')).map((line) => JSON.parse(line));
  }

  /** A button of the queued message with this text. */
  queueButton(text, name) {
    return this.queue.getByRole('listitem').filter({ hasText: text }).getByRole('button', { name, exact: true });
  }

  /** An entry of the start page: a starter or a recent session, by its name. */
  starter(name) {
    return this.frame.getByRole('region', { name: 'Get started' }).getByRole('button', { name, exact: true });
  }

  /** Chooses a starter that sends; while the agent is starting, the text is kept and sent again, as a user would. */
  async begin(name) {
    await this.starter(name).click();
    await until('the starter to be sent', async () => {
      if ((await this.log.innerText()).includes(name)) return true;
      if ((await this.composer.inputValue()) !== '') await this.send.click({ timeout: 2000 });
      return false;
    });
  }

  /** The card of the tool call whose title starts with `title`. */
  toolCall(title) {
    return this.log.getByRole('article', { name: new RegExp(`^${literal(title)}`) }).first();
  }

  /** The card of the permission request whose title starts with `title`; any without one. */
  permission(title = '') {
    return this.frame.getByRole('group', { name: new RegExp(`^${literal(title)}`) }).filter({ has: this.frame.getByRole('button') });
  }

  /** Answers a permission request in its card with the option of this name. */
  async answer(title, option, { timeoutMs = 30_000 } = {}) {
    const button = this.permission(title).getByRole('button', { name: option, exact: true }).first();
    await button.waitFor({ timeout: timeoutMs });
    await button.click();
  }

  /** Waits until the agent's turn is over: no Stop button is left. */
  async turnEnd({ timeoutMs = 60_000 } = {}) {
    await this.stopButton.waitFor({ state: 'hidden', timeout: timeoutMs });
    await this.send.waitFor({ timeout: 10_000 });
  }

  /** Waits until the conversation contains `text` (string or RegExp). */
  async says(text, { timeoutMs = 30_000 } = {}) {
    const holds = (all) => (typeof text === 'string' ? all.includes(text) : text.test(all));
    return until(`the conversation to say ${text}`, async () => holds(await this.log.innerText()), { timeoutMs });
  }

  /** Expands the plan, if it is collapsed, and returns the texts of its entries. */
  async planEntries() {
    const fold = this.plan.getByRole('button', { expanded: false });
    if (await fold.isVisible()) await fold.click();
    return this.plan.getByRole('listitem').allInnerTexts();
  }

  /** Types text for an agent that repeats its prompt, with a workspace file mentioned in it by keyboard. */
  async mention(before, file, after) {
    const { keyboard } = this.composer.page();
    await this.composer.fill(`@script [{"sayPrompt":true}] ${before} `);
    await this.composer.press('End');
    await keyboard.type(`@${file}`);
    await this.frame.getByRole('option', { name: file }).first().waitFor();
    await until('what is typed to be found', async () => {
      await keyboard.press('Enter');
      return (await this.frame.getByRole('button', { name: `Remove ${file}` }).count()) > 0;
    });
    await keyboard.type(after);
  }

  /** Watches the conversation grow, until it has enough samples; `stop()` returns the distinct lengths seen, in order. */
  watchGrowth() {
    const lengths = [];
    let going = true;
    const watching = (async () => {
      while (going && lengths.length < 12) {
        const length = (await this.log.innerText({ timeout: 1000 }).catch(() => '')).length;
        if (length > (lengths.at(-1) ?? 0)) lengths.push(length);
        await new Promise((resolve) => setTimeout(resolve, 80));
      }
    })();
    return {
      stop: async () => {
        going = false;
        await watching;
        return lengths;
      },
    };
  }
}

/**
 * Starts a session and waits for its panel. If the harness has an extension in the window that runs the command, the palette is skipped: it
 * takes as long as a whole turn.
 * @param agent the name of the row to choose in the quick pick; undefined when a default is set and no question follows.
 */
export async function newSession(window, agent) {
  const other = await window.frameName();
  for (let attempt = 1; ; attempt++) {
    await (window.neighbour?.start('acpHost.newSession') ?? window.command('ACP: New Session'));
    if (agent === undefined) break;
    try {
      await window.pickRow(agent);
      break;
    } catch (error) {
      // A panel that is still opening takes the focus and closes the question; it is opened again.
      if (attempt === 3 || (await window.quickInputOpen())) throw error;
    }
  }
  await window.panel({ other });
  return new Conversation(window);
}

/** True as soon as the card shows text that matches, even if it must be expanded. */
export async function shows(card, pattern) {
  try {
    await until(`${pattern}`, async () => pattern.test(await card.innerText({ timeout: 2000 })), { timeoutMs: 2000 });
    return true;
  } catch {
    const fold = card.getByRole('button', { expanded: false }).first();
    if (!(await appears(fold, 5000))) return false;
    await fold.click();
    return shows(card, pattern);
  }
}
