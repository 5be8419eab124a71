/** Tool calls, and the permission requests for them. */
import type { Area } from '../area';
import { CLIENT, no, PERMISSION_CARD, ROOMS, rows, SHOWN, TALK, TOOL_CALL_UPDATES, VIEW } from '../area';

export const TOOLS: readonly Area[] = [
  {
    area: 'ToolCallContent',
    label: 'the tool call content',
    section: 'Tool calls and permissions',
    title: 'Content of a tool call',
    intro: 'In tool calls and permission requests. A type that is not listed is kept and shown as it came.',
    sent: no(),
    handled: '',
    shown: '',
    tests: ['unit/acp/v1/content.test.ts: is passed on unchanged when it is well-formed'],
    rows: [
      {
        name: 'content',
        shown: 'as in messages; the output of a tool, letter by letter',
        tests: [`${TALK}tool-call`, `${SHOWN}shows every text of every update`],
      },
      {
        name: 'diff',
        shown: "lines with counts, and VS Code's diff editor",
        tests: [`${TALK}diff`, `${TOOL_CALL_UPDATES}hold diffs of one change each, which is an addition when there is no old text`],
      },
      {
        name: 'terminal',
        shown: 'the live output of the terminal',
        tests: [`${ROOMS}terminal`, `${VIEW}offers Stop while it runs, keeps colours, drops other sequences`],
      },
    ],
  },
  {
    area: 'ToolKind',
    label: 'the tool kind',
    section: 'Tool calls and permissions',
    title: 'Kinds of tools',
    intro: 'A kind that is not listed is shown by its name.',
    sent: no(),
    handled: '',
    shown: 'by icon and word',
    tests: ['unit/compliance/shown.test.ts: have a text for every kind, status and reason of the schema'],
    rows: ['read', 'edit', 'delete', 'move', 'search', 'execute', 'think', 'fetch', 'switch_mode', 'other'].map((name) => ({ name })),
  },
  {
    area: 'ToolCallStatus',
    label: 'the tool call status',
    section: 'Tool calls and permissions',
    title: 'Status of a tool call',
    intro: 'A status that is not listed is shown by its name.',
    sent: no(),
    handled: '',
    shown: 'by icon and word',
    tests: [
      'unit/compliance/shown.test.ts: have a text for every kind, status and reason of the schema',
      `${VIEW}names a tool call by its title and status`,
    ],
    rows: [
      { name: 'pending' },
      { name: 'in_progress' },
      { name: 'completed' },
      { name: 'failed', shown: 'by icon and word, the reason first', tests: [`${VIEW}shows why a tool call failed before anything else`] },
    ],
  },
  {
    area: 'PermissionOptionKind',
    label: 'the option kind',
    section: 'Tool calls and permissions',
    title: 'Kinds of permission options',
    intro:
      "The user chooses by the agent's own words, the agent is answered by the option's id. A kind that is not listed can be chosen as well, and promises nothing.",
    sent: no(),
    handled: '',
    shown: '',
    tests: [
      'unit/application/permission/permissionText.test.ts: make a row of each option, in the agent’s order, and show its kind, whatever its name',
    ],
    rows: rows({
      allow_once: 'as a button and a row, marked as allowing',
      allow_always: 'as a button and a row, marked as allowing',
      reject_once: 'as a button and a row, marked as rejecting',
      reject_always: 'as a button and a row, marked as rejecting',
    }),
  },
  {
    area: 'RequestPermissionOutcome',
    label: 'the permission outcome',
    section: 'Tool calls and permissions',
    title: 'Answers to a permission request',
    intro: '',
    sent: '',
    handled: no(),
    shown: '',
    rows: [
      {
        name: 'cancelled',
        sent: 'when the turn is stopped',
        shown: 'the card says so',
        tests: [`${ROOMS}permission-cancelled`, `${CLIENT}answer cancelled when the turn was`],
      },
      {
        name: 'selected',
        sent: 'when an option is chosen',
        shown: 'the card says which',
        tests: [`${ROOMS}permission-allow`, `${PERMISSION_CARD}shows the operation, posts the answer, and then shows the choice`],
      },
    ],
  },
];
