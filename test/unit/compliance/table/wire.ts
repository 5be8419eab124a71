/** Signing in, ids, responses and error codes. */
import type { Area } from '../area';
import { CLIENT, INCOMING, MALFORMED, no, OUTGOING, SIGN_IN, SIGN_IN_CARD, SIGN_IN_PROCESS, SIGNED } from '../area';

export const WIRE: readonly Area[] = [
  {
    area: 'AuthMethod',
    label: 'the way to sign in',
    section: 'Signing in',
    title: 'Ways to sign in',
    intro:
      'Offered when a request fails with `-32000`. A type that is not listed counts as `agent`; the former type `env_var` is asked for its values.',
    sent: no(),
    handled: '',
    shown: '',
    rows: [
      {
        name: 'terminal',
        handled: "the agent's own program in a terminal, with the further arguments and environment; then a new process",
        shown: 'a terminal named after the agent',
        tests: [
          `${SIGNED}terminal`,
          'e2e/sign-in.test.mjs: runs the agent’s own program in a terminal, and continues when it has finished',
          `${SIGN_IN_PROCESS}starts the agent again, reopens the session and sends the waiting prompt`,
          `${SIGN_IN_PROCESS}shows how the program ended, or that its terminal was closed`,
        ],
      },
      {
        name: 'agent',
        handled: '`authenticate`, then the failed request is repeated',
        shown: 'a button on the sign-in card',
        tests: [
          `${SIGN_IN}repeats the failed request, once for each sign-in`,
          `${SIGN_IN_CARD}shows the reason, and each method with its effect, in place of the start page`,
        ],
      },
    ],
  },
  {
    area: 'RequestId',
    label: 'the id',
    section: 'The wire',
    title: 'Ids',
    intro: 'Our own ids are numbers. Ids of the agent are returned digit by digit, beyond 2^53 too.',
    sent: 'echoed',
    handled: '',
    shown: no(),
    tests: [`${MALFORMED}answers requests without jsonrpc, with id null, 0, fraction, text and large integers exactly`],
    rows: [{ name: 'Null' }, { name: 'Number' }, { name: 'Str' }],
  },
  {
    area: 'AgentResponse',
    label: 'the response',
    section: 'The wire',
    title: 'Responses of the agent',
    intro: '',
    sent: no(),
    handled: '',
    shown: '',
    rows: [
      { name: 'Result', shown: no(), tests: [`${OUTGOING}understands odd answers`] },
      {
        name: 'Error',
        handled: 'without code or message as well',
        shown: "in words, with the agent's own text",
        tests: [`${OUTGOING}understands odd answers`, 'agent/scenarios/connection.test.ts: prompt-error'],
      },
    ],
  },
  {
    area: 'ClientResponse',
    label: 'the response',
    section: 'The wire',
    title: 'Our responses',
    intro: '',
    sent: '',
    handled: no(),
    shown: no(),
    rows: [
      {
        name: 'Result',
        sent: 'once per request',
        tests: [`${INCOMING}answers once, and answers a result that is not JSON with an internal error`],
      },
      {
        name: 'Error',
        sent: 'with the right code',
        tests: [`${INCOMING}answers a thrown fault with its own code, and any other error with -32603`],
      },
    ],
  },
  {
    area: 'ErrorCode',
    label: 'the error code',
    section: 'The wire',
    title: 'Error codes',
    intro:
      '"Sent" is when we answer an agent with it, "handled" what it means to us in an answer of the agent. The agent\'s message is always shown with it.',
    sent: '',
    handled: 'the request failed',
    shown: "in words, with the agent's own text",
    tests: [`${OUTGOING}understands odd answers`],
    rows: [
      {
        name: '-32700',
        sent: 'to a line that was meant as a message and is not JSON',
        tests: [`${MALFORMED}answers a broken message with the parse error`],
      },
      {
        name: '-32600',
        sent: 'to a message that is not a request, JSON that is not an object included',
        tests: [`${MALFORMED}answers a malformed request with its id if it has one`],
      },
      { name: '-32601', sent: 'to a method that we do not have', tests: ['agent/scenarios/connection.test.ts: unknown-request'] },
      { name: '-32602', sent: 'to wrong parameters, naming the field', tests: [`${CLIENT}names the invalid parameter`] },
      {
        name: '-32603',
        sent: 'when an error occurs on our side',
        tests: [`${INCOMING}answers a thrown fault with its own code, and any other error with -32603`],
      },
      {
        name: '-32800',
        sent: 'to a request that the agent cancelled',
        handled: 'the request was cancelled',
        tests: [`${INCOMING}aborts a cancelled request and answers it -32800 when its listener fails`],
      },
      {
        name: '-32000',
        sent: no('we ask no agent to sign in'),
        handled: 'a sign-in is needed, and the failed request waits for it',
        shown: 'the sign-in card',
        tests: [`${SIGN_IN}repeats the failed request, once for each sign-in`],
      },
      { name: '-32002', sent: 'for a file or session that is not there', tests: [`${CLIENT}passes on the code of a failure`] },
      { name: 'Other', sent: no('the codes above cover all our errors') },
    ],
  },
];
