/** Options, modes and commands of a session, and the MCP servers it could be given. */
import type { Area } from '../area';
import { COMPOSER, no, rows, TALK, UPDATES, V1 } from '../area';

export const OPTIONS: readonly Area[] = [
  {
    area: 'AvailableCommandInput', label: 'the command input', section: 'Session options and commands', title: 'Input of a command',
    intro: '',
    sent: no(), handled: '', shown: '',
    rows: [{ name: 'unstructured', shown: 'its hint beside the command', tests: [`${UPDATES}commands`, `${COMPOSER}suggests commands, complete by keyboard`] }],
  },
  {
    area: 'SessionConfigOption', label: 'the option type', section: 'Session options and commands', title: 'Types of session options',
    intro: 'An option of another type is kept and not offered.',
    sent: no(), handled: '', shown: '',
    tests: [`${UPDATES}config options: flat, grouped, boolean, unknown`, `${COMPOSER}offers the agent’s options under the agent’s names`],
    rows: rows({ select: 'a list below the message', boolean: 'a switch below the message' }),
  },
  {
    area: 'SessionConfigOptionCategory', label: 'the option category', section: 'Session options and commands', title: 'Categories of options',
    intro: 'Hints: an option of any category is shown, in the agent\'s order.',
    sent: no(), handled: '', shown: 'under its own name',
    tests: ['browser/agents.test.ts: names an option whose value says nothing without it'],
    rows: [{ name: 'mode', shown: 'as the mode, without its name', tests: [`${TALK}modes`, 'browser/agents.test.ts: names an option whose value says nothing without it'] }, { name: 'model' }, { name: 'model_config' }, { name: 'thought_level' }, { name: 'other' }],
  },
  {
    area: 'SessionConfigSelectOptions', label: 'the list of choices', section: 'Session options and commands', title: 'Choices of an option',
    intro: '',
    sent: no(), handled: '', shown: '',
    tests: [`${UPDATES}config options: flat, grouped, boolean, unknown`, `${COMPOSER}offers the agent’s options under the agent’s names`],
    rows: rows({ Ungrouped: 'a plain list', Grouped: 'under the names of the groups' }),
  },
  {
    area: 'SetSessionConfigOptionRequest', label: 'the option value', section: 'Session options and commands', title: 'Setting an option',
    intro: '',
    sent: '', handled: no(), shown: no(),
    tests: [`${V1}sets options: text, and booleans with their type; the answer replaces the list`],
    rows: [
      { name: 'boolean', sent: 'for a switch, with its type' },
      { name: 'value_id', sent: 'for a choice' },
    ],
  },
  {
    area: 'McpServer', label: 'the MCP server', section: 'Session options and commands', title: 'MCP servers',
    intro: 'Sessions are opened with an empty list: agents bring the servers of their own settings.',
    sent: no(), handled: no(), shown: no(),
    tests: [`${V1}opens a session with directories only where the agent takes them`],
    rows: [{ name: 'http' }, { name: 'sse' }, { name: 'stdio' }],
  },
];
