/** What **ACP: Show Accessibility Help** says. Pure. */
import type { Translate } from '../shared/translate';

/** Markdown. */
export function helpText(t: Translate): string {
  const section = (title: string, ...lines: string[]): string => `## ${title}\n\n${lines.map((line) => `- ${line}`).join('\n')}\n`;
  return [
    `# ${t('Accessibility help for agent sessions')}\n`,
    `${t('A session is an editor tab with three parts: the conversation, which is a log; below it what waits for you and the plan; and the message box, which has the focus when the tab opens.')}\n`,
    section(
      t('Keys'),
      t(
        'Alt+F2 (on Linux also Shift+Alt+F2): the conversation as a read-only text document, at the entry that you are at. Close it to come back.',
      ),
      t('Alt+F1 (on Linux also Shift+Alt+F1): this help.'),
      t(
        'Control+F, on macOS Command+F: find in the conversation. Enter and F3 go to the next match, Shift+Enter and Shift+F3 to the one before, Escape closes the bar and gives the focus back. Alt+C heeds case, Alt+W finds whole words.',
      ),
      t(
        'Enter in the message box sends, Shift+Enter starts a new line. A slash at the beginning lists the agent’s commands; the arrow keys choose one.',
      ),
      t('Tab and Shift+Tab go through the buttons and cards of the conversation. Enter or Space opens and closes a card.'),
      t('In the conversation itself the arrow keys, Page Up, Page Down, Home and End scroll.'),
      t('Links and file names open with Enter.'),
    ),
    section(
      t('What is announced'),
      t(
        'The answer, sentence by sentence as it is finished; blocks of code are named and not read. Answers that come in one large piece are only mentioned.',
      ),
      t('When the agent is ready, begins to work, is done, or was stopped, and why.'),
      t(
        'Requests for permission and other questions, with their title. The answers are buttons of a card in the conversation and choices of a list at the top of the window.',
      ),
      t('Every card says what it is and how it stands: a tool call, for instance, its title and whether it runs, is done or has failed.'),
    ),
    section(
      t('Commands'),
      t('**ACP: Open Conversation as Document** does what Alt+F2 does.'),
      t('**ACP: Answer Permission Request** goes to what waits for you.'),
      t(
        'In the list of answers: Up and Down, then Enter, half a second later at the earliest. Is the request not fully shown there? Show in Session goes to its card.',
      ),
      t('**ACP: Stop** ends what the agent is doing.'),
      t('**ACP: Copy Conversation** and **ACP: Export Conversation…** take the conversation elsewhere.'),
    ),
  ].join('\n');
}
