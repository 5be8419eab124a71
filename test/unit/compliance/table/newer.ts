/**
 * Parts of the protocol that are stable and not in the schema of the SDK yet. The rows are written by hand. A part moves to the other tables when the
 * schema has it, because the walk over the schema then asks for its rows.
 */
import type { Area } from '../area';
import { no } from '../area';
import { BESIDE } from './early';

const SCENARIO = 'agent/scenarios/subagents.test.ts: ';
const PAGE = 'browser/subagents.test.ts: ';
const REDUCER = 'unit/core/reduce/subagents.test.ts: ';
const ROUTING = 'unit/session/agent/sessionRouting.test.ts: ';

const SECTION = 'Newer than the schema';

export const NEWER: readonly Area[] = [
  {
    area: 'newer update',
    label: 'session/update',
    section: SECTION,
    title: 'Subagents: updates',
    intro: [
      'Agents send them to a client with the capability `subagents`. A subagent is a session that the agent started. Its own updates name its session,',
      'and each kind of update can be one of them.',
    ].join('\n'),
    sent: no(),
    handled: '',
    shown: '',
    rows: [
      {
        name: 'subagent_update',
        handled: 'announces a subagent below the session that sends it, to any depth; omitted fields keep, null clears',
        shown: 'a card below its tool call, which opens to the conversation',
        tests: [
          `${SCENARIO}nested-three-deep`,
          `${SCENARIO}before-their-tool-call-and-after-the-turn`,
          `${SCENARIO}two-hundred`,
          `${PAGE}show name, task, status, tool and tokens, and open to the same entries as any conversation`,
        ],
      },
      {
        name: 'subagent_update.title',
        handled: 'its name',
        shown: 'on the card, and on every question of the subagent',
        tests: [`${SCENARIO}questions-carry-the-name`, `${PAGE}are nested, and show at every level that one of them waits`],
      },
      {
        name: 'subagent_update.description',
        handled: 'its task',
        shown: 'on the card',
        tests: [`${REDUCER}keep, change and clear the fields of their announcement`],
      },
      {
        name: 'subagent_update.state',
        handled: '`running`, `requires_action`, `idle` with its reason, and `unknown`; the end of a turn changes none',
        shown: 'on the card, with time, tokens and the reason of a failure; read out when the work ends',
        tests: [
          `${SCENARIO}parallel-and-interleaved`,
          `${SCENARIO}a-lost-agent`,
          `${REDUCER}count the time of their work, and may work again`,
        ],
      },
      {
        name: 'subagent_update.capabilities.cancel',
        handled: 'the subagent can be stopped while it is an object',
        shown: 'Stop on the card',
        tests: [`${SCENARIO}stop-one`, `${PAGE}stop one of them, where the agent can do that`],
      },
      {
        name: 'subagent_update.cwd, additionalDirectories',
        handled: 'the folder in which its commands start; neither widens the access of the session',
        shown: no(),
        tests: [`${ROUTING}starts commands in its folder, unless it names another one`],
      },
      {
        name: 'subagent_update that is refused',
        handled: 'one that is its own parent, has another parent or is a session of the user; its updates wait for an announcement',
        shown: 'as it came; the rest of the conversation continues',
        tests: [`${SCENARIO}hostile`, `${SCENARIO}updates-before-the-announcement`],
      },
      {
        name: 'session_message, session_message_chunk',
        handled: 'a message between two sessions; chunks may come first',
        shown: 'once, in the conversation of the recipient where that has it',
        tests: [`${SCENARIO}messages-between-sessions`, `${PAGE}show a task once, in the conversation of the recipient`],
      },
      {
        name: 'tool call content session',
        handled: 'moves the card of the subagent behind the call',
        shown: 'the card below the call',
        tests: [
          `${SCENARIO}before-their-tool-call-and-after-the-turn`,
          `${PAGE}follow their tool call, and show messages between the agents`,
        ],
      },
    ],
  },
  {
    area: 'newer method',
    label: 'method',
    section: SECTION,
    title: 'Subagents: requests',
    intro: 'Requests that name the session of a subagent. They pass the same checks as those of the session.',
    sent: '',
    handled: '',
    shown: '',
    rows: [
      {
        name: 'session/cancel',
        sent: 'with the id of the subagent, on Stop of its card',
        handled: no('a notification'),
        shown: 'its open calls and questions, and those of its own subagents, end at once',
        tests: [`${SCENARIO}stop-one`, `${SCENARIO}stop-of-the-turn-leaves-earlier-ones`],
      },
      {
        name: 'session/request_permission, elicitation/create',
        sent: 'the same answers',
        handled: 'asked in the name of the subagent',
        shown: 'in the conversation of the session; the cards of the subagent and its parents say that they wait',
        tests: [`${SCENARIO}questions-carry-the-name`, `${PAGE}are nested, and show at every level that one of them waits`],
      },
      {
        name: 'fs/*, terminal/*',
        sent: 'the same answers',
        handled: 'in the folders of the session',
        shown: 'in the conversation of the subagent',
        tests: [
          `${SCENARIO}questions-carry-the-name`,
          `${ROUTING}gets its updates and asks for its session, nested and without a running turn`,
        ],
      },
    ],
  },
  {
    area: 'newer capability',
    label: 'capability',
    section: SECTION,
    title: 'Subagents: capabilities',
    intro: '',
    sent: '',
    handled: no(),
    shown: '',
    rows: [
      {
        name: 'clientCapabilities.subagents',
        sent: 'always',
        shown: no(),
        tests: ["unit/acp/v1/v1.test.ts: sends the client's capabilities and name"],
      },
    ],
  },
  ...BESIDE,
];
