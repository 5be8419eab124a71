/** Requests, updates and capabilities about the account and the set-up of sessions. They are not in the schema yet, or unstable in it. */
import type { Area } from '../area';
import { no } from '../area';

const LIMITS = 'agent/scenarios/limits.test.ts: ';
const SETUP = 'agent/scenarios/sessionSetup.test.ts: ';
const PAGE = 'browser/limits.test.ts: ';
const RESET = 'unit/text/messages/resetTime.test.ts: ';

const SECTION = 'Newer than the schema';

export const ACCOUNT: readonly Area[] = [
  {
    area: 'account update',
    label: 'session/update',
    section: SECTION,
    title: 'Account and set-up: updates and errors',
    intro: 'They are also read from an agent that does not name its capability, except for `quota_update`.',
    sent: no(),
    handled: '',
    shown: '',
    rows: [
      {
        name: 'quota_update',
        handled: 'replaces the limits of the account, unless it is older; an entry that cannot be read is left out',
        shown: 'the meter below the message: the part in use and the time of the reset',
        tests: [`${LIMITS}quota-read-and-updated`, `${PAGE}shows what is used and when it resets`],
      },
      {
        name: 'usage_update with the rate limit of claude-agent-acp',
        handled: 'adds one window to the limits',
        shown: 'in the meter',
        tests: [`${LIMITS}rate-limit-of-claude`],
      },
      {
        name: 'an error at a limit',
        handled: 'the time of the reset, in its data or its text; else the one of the limit that is used up',
        shown: 'the card of the turn: **Continue at** that time, also after a reload, with another agent or another account',
        tests: [
          `${LIMITS}continues-by-itself`,
          `${LIMITS}continues-after-a-reload`,
          `${RESET}is a time of day in the zone that the text names, today or tomorrow`,
          `${PAGE}lets the conversation continue by itself at a time, until the user gives up`,
        ],
      },
      {
        name: 'auth/status_update, _auth/status_update',
        handled: 'the account in use; neither stored nor logged',
        shown: 'in the menu of the agent',
        tests: ['unit/acp/v1/optional.test.ts: reports the account, also in the older form'],
      },
    ],
  },
  {
    area: 'account method',
    label: 'method',
    section: SECTION,
    title: 'Account and set-up: requests',
    intro: 'Each is sent only to an agent that offers it.',
    sent: '',
    handled: '',
    shown: '',
    rows: [
      {
        name: 'quota/read',
        sent: 'when a session is open, and when a turn fails',
        handled: 'as `quota_update`',
        shown: 'in the meter',
        tests: [`${LIMITS}quota-read-and-updated`],
      },
      {
        name: 'systemPrompt of session/new, load, resume and fork',
        sent: 'the texts of `acpHost.instructions`; the same again for an existing session',
        handled: no(),
        shown: 'in the menu of the session, also when the agent takes none',
        tests: [`${SETUP}instructions-appended-and-sent-again`, `${SETUP}instructions-in-place-of-the-agents`],
      },
      {
        name: 'session/options',
        sent: 'before `session/new`',
        handled: 'the options until the session is open',
        shown: 'below the message, and can be chosen',
        tests: [`${SETUP}options-before-the-session`],
      },
      {
        name: 'configOptions of session/new',
        sent: "the user's last choices",
        handled: no(),
        shown: no(),
        tests: [`${SETUP}options-before-the-session`],
      },
      {
        name: 'session/fork after a message',
        sent: 'by Edit and Resend, to claude-agent-acp and codex-acp, in `_meta`',
        handled: 'the memory of the agent ends before the message',
        shown: 'a notice says that it does, or that the conversation is attached as text instead',
        tests: ['unit/session/fork.test.ts: cuts the memory of the agent there, and says so'],
      },
      {
        name: 'session/archive, session/unarchive',
        sent: 'when the user archives a session that is not open, or opens an archived one',
        handled: no('an empty answer'),
        shown: 'a refusal as a message',
        tests: [
          'unit/session/agent/remoteSessions.test.ts: archive a session at an agent that can do that, and list the endpoints of its models',
        ],
      },
      {
        name: 'auth/status',
        sent: 'when the agent has started',
        handled: 'as `auth/status_update`',
        shown: 'in the menu of the agent',
        tests: ['unit/acp/v1/optional.test.ts: reports the account, also in the older form'],
      },
      {
        name: 'providers/list, providers/set, providers/disable',
        sent: 'by **ACP: Configure Model Endpoints…**, and before the first session of each process',
        handled: 'an agent that refuses an endpoint does not start',
        shown: 'the endpoints and their addresses; the key stays in the secret storage',
        tests: [`${SETUP}endpoints-before-the-session`, `${SETUP}endpoint-that-the-agent-refuses`],
      },
      {
        name: '_meta.traceparent, _meta.tracestate',
        sent: 'with each request while `acpHost.traceContext` is on',
        handled: no(),
        shown: 'in the protocol log',
        tests: [`${SETUP}trace-context`],
      },
    ],
  },
  {
    area: 'account capability',
    label: 'capability',
    section: SECTION,
    title: 'Account and set-up: capabilities',
    intro: '',
    sent: '',
    handled: no(),
    shown: '',
    rows: [
      {
        name: 'clientCapabilities.session.quota',
        sent: 'always',
        shown: no(),
        tests: ["unit/acp/v1/v1.test.ts: sends the client's capabilities and name"],
      },
    ],
  },
];
