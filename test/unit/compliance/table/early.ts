/** Messages that no schema has: the early dialect, the status of sessions, and the end of an agent's memory. The rows are written by hand. */
import type { Area } from '../area';
import { no } from '../area';

const EARLY = 'agent/scenarios/earlyDialect.test.ts: ';
const RECOGNIZED = 'unit/acp/quirks/earlyDialect.test.ts: ';
const READER = 'unit/acp/v1/earlyReader.test.ts: ';
const STATUS = 'agent/scenarios/remoteStatus.test.ts: ';
const ROWS = 'unit/application/sessionsView/remoteStatus.test.ts: ';

const SECTION = 'Newer than the schema';

export const BESIDE: readonly Area[] = [
  {
    area: 'early update',
    label: 'session/update',
    section: SECTION,
    title: 'The early dialect',
    intro: [
      'Messages of agents that were written for a draft of the protocol, see [the decision](decisions/wire/early-dialect.md). Each part is recognized',
      'for itself, and only where no agent of version 1 can have sent it.',
    ].join('\n'),
    sent: '',
    handled: '',
    shown: '',
    rows: [
      {
        name: 'an update with type',
        sent: no(),
        handled: 'as the update of version 1 with that kind, in the order of the wire',
        shown: 'like that update; another kind as it came',
        tests: [`${EARLY}half-standard`, `${READER}keeps the order of updates, answers and the end of the connection`],
      },
      {
        name: 'toolName, input, output, error of a tool call',
        sent: no(),
        handled: 'name, input, output and status; an error is a failure',
        shown: 'on the card of the tool call',
        tests: [`${EARLY}tool-calls`, `${RECOGNIZED}is in no message of a recorded agent`],
      },
      {
        name: 'permission_request',
        sent: 'one of four outcomes: as response, or as `session/permission_response`',
        handled: 'a permission request; without options it has all four; two with one id are refused',
        shown: 'a card in the conversation and a quick pick',
        tests: [`${EARLY}permissions`, `${EARLY}cancel`, `${EARLY}hostile-permissions`],
      },
      {
        name: 'a prompt as text',
        sent: 'after the agent has refused a list because it expects a string',
        handled: no(),
        shown: 'one turn',
        tests: [`${EARLY}prompts-as-text`, `${READER}sends a prompt again as text, once, and then as text at once`],
      },
    ],
  },
  {
    area: 'beside method',
    label: 'method',
    section: SECTION,
    title: 'Stored sessions: requests',
    intro: 'Each is sent only to an agent that offers it.',
    sent: '',
    handled: '',
    shown: '',
    rows: [
      {
        name: 'session/status',
        sent: 'for the sessions in the list of a running agent, at most every 30 s, while the sessions view is visible',
        handled: 'an unknown word counts as saved',
        shown: 'in the row of the session, when the agent works for another client or waits for its answer; `open` in the tooltip',
        tests: [`${STATUS}status`, `${STATUS}status-that-is-not-offered`, `${ROWS}names the state of a session at its agent`],
      },
      {
        name: 'session/rewind',
        sent: 'to make the agent forget a message and everything after it',
        handled: 'the record keeps the conversation',
        shown: 'a notice',
        tests: [`${STATUS}rewind`, 'unit/session/rewind.test.ts: reports the refusal of the agent, without a notice'],
      },
    ],
  },
];
