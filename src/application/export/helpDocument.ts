/** The text of **ACP: Show Accessibility Help**. Pure. */
import type { Translate } from '../shared/translate';

/** Returns the text as Markdown. */
export function helpText(t: Translate): string {
  const section = (title: string, ...lines: string[]): string => `## ${title}\n\n${lines.map((line) => `- ${line}`).join('\n')}\n`;
  return [
    `# ${t('Accessibility help for agent sessions')}\n`,
    `${t('A session is an editor tab with three parts: the conversation, which is a log; below it, pending requests and the plan; and the message box, which has focus when the tab opens.')}\n`,
    section(
      t('Keyboard Shortcuts'),
      t(
        'Alt+F2 (on Linux also Shift+Alt+F2): the conversation as a read-only text document, at the entry that you are at. Close it to come back.',
      ),
      t('Alt+F1 (on Linux also Shift+Alt+F1): this help.'),
      t(
        'Control+F, on macOS Command+F: find in the conversation. Enter and F3 go to the next match, Shift+Enter and Shift+F3 to the previous one. Escape closes the find bar, also from the message box, and in the bar restores the focus. Alt+C toggles matching case, Alt+W matching whole words.',
      ),
      t(
        "In the message box, Enter sends and Shift+Enter starts a new line. A slash at the beginning lists the agent's commands; the arrow keys select one. While the agent is working, Enter queues the message, Control+Enter sends it into the running turn or, where the agent can't do that, stops the turn first, and Control+Shift+Enter always stops the turn first.",
      ),
      t(
        'An at sign lists what can be added to the message: type to find files, the arrow keys select one, Enter or Tab adds it, and Escape closes the list. What was added is a word of the text, which Backspace deletes as a whole, and a button before the message box, which opens it.',
      ),
      t(
        'Control+K Control+Alt+A, on macOS Command+K Command+Alt+A: the selection of the editor is added to the message. With F in place of A the active file is sent with every message, or not any more; with S the selection.',
      ),
      t(
        'Up in the first line of the message box brings back earlier messages, Down goes forward, and Escape returns to what you typed. While the agent is working, Escape stops it.',
      ),
      t('Messages sent while the agent works wait in a list before the message box. On the buttons of one, Alt+Up and Alt+Down move it.'),
      t(
        "Control+Alt+Period, on macOS Command+Alt+Period, switches to the agent's next mode. In a long list of an option, Control+D adds a value to the favorites, which come first, or removes it.",
      ),
      t(
        'Control+Alt+Comma, on macOS Command+Alt+Comma: the permission mode, which is what is answered without you. It is also the first button below the message box. When ten questions wait, a list before the message box answers them alike.',
      ),
      t('Tab and Shift+Tab move through the buttons and cards of the conversation. Enter or Space expands and collapses a card.'),
      t('In the conversation, the arrow keys, Page Up, Page Down, Home, and End scroll.'),
      t('Enter opens links and file names.'),
      t(
        'Control+Alt+N, on macOS Command+Alt+N: a new session with the agent used last. With Shift the agent is selected first. Control+Alt+J goes to the session that has needed you for the longest time.',
      ),
      t(
        "Control+K and then Alt+Down or Alt+Up, on macOS Command+K: the agent's next or previous change in the editor or a diff. Control+K Alt+Y keeps the change at the cursor, Control+K Alt+Z undoes it; with Shift all changes of the file. The changes that wait for your review are also listed before the message box.",
      ),
      t('In the Sessions view, Enter opens the session, F2 renames it, Delete deletes it, and Control+Alt+F filters by what you type.'),
      t('In the chat, F2 renames the session.'),
    ),
    section(
      t('Announcements'),
      t(
        'The response, sentence by sentence as it arrives. Code blocks are mentioned but not read, and so are responses that arrive in one large piece.',
      ),
      t('When the agent is ready, starts working, finishes, or stops, and why.'),
      t(
        'Permission requests and other questions, with their title. The answers are buttons of a card in the conversation and items of a quick pick.',
      ),
      t(
        'Each card is announced with its type and status: a tool call, for example, with its title and whether it is running, done, or failed.',
      ),
    ),
    section(
      t('Commands'),
      t('**ACP: Open Conversation as Document** does the same as Alt+F2.'),
      t('**ACP: Answer Permission Request** goes to the request that needs your answer.'),
      t(
        "In the quick pick of a permission request, Up and Down select an answer and Enter confirms it, after half a second at the earliest. If the request doesn't fit there, Show in Session goes to its card.",
      ),
      t('**ACP: Stop** stops the agent.'),
      t('**ACP: Copy Conversation** and **ACP: Export Conversation…** copy or save the conversation.'),
    ),
  ].join('\n');
}
