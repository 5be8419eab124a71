/** Every method of both sides. */
import type { Area } from '../area';
import { AGAIN, ASKED, CLIENT, CONNECTION, EARLIER, FORMS, no, ROOMS, SEEN, SESSION, SIGN_IN, SIGN_IN_CARD, SIGNED, TALK, V1, VIEW } from '../area';

export const METHODS: readonly Area[] = [
  {
    area: 'agent method', label: 'the method', section: 'Methods', title: 'Methods of the agent',
    intro: 'We call them. A method that the agent must offer first is never sent to one that did not.',
    sent: no(), handled: '', shown: no(),
    rows: [
      {
        name: 'initialize', sent: 'first of all', handled: 'version, name, what it can do, ways to sign in',
        shown: 'another version ends the start and is named',
        tests: [`${V1}says what it can do and who it is`, 'agent/scenarios/connection.test.ts: wrong-version'],
      },
      {
        name: 'authenticate', sent: 'when a way to sign in is chosen whose type is not `terminal`', handled: 'what failed for want of it is done again',
        shown: 'the sign-in card says that it runs, and how it ended',
        tests: [`${SIGNED}new-session`, `${SIGN_IN}does again what failed, once for each sign-in`, `${SIGN_IN}keeps the turn open and sends the prompt again, attachments and all`],
      },
      { name: 'logout', sent: 'when the user signs out, where offered', handled: 'the session stays, and asks for a sign-in when it is next needed', shown: 'in the menu of the agent', tests: [`${SIGNED}signed-out`, `${SIGN_IN}leaves the session, which asks when it is next needed`, `${SIGN_IN_CARD}says how the user stands with the agent, and offers what fits`] },
      {
        name: 'session/new', sent: 'for a new session', handled: 'session id, options, modes',
        shown: 'the panel takes prompts',
        tests: [`${V1}gives the session with its options, and keeps what it does not know`, `${TALK}hello`],
      },
      {
        name: 'session/load', sent: 'for an earlier session, where offered', handled: 'the conversation is told again before the answer, and replaces what stood there at once',
        shown: 'the earlier conversation',
        tests: [`${AGAIN}load-updates-on-both-sides-of-the-answer`, `${EARLIER}appears in one piece, whatever its size, with its title, modes and what came after`, `${EARLIER}takes the place of what was there, in the journal too`],
      },
      { name: 'session/list', sent: 'when earlier sessions are looked for, page by page, where offered', handled: 'sessions of the agent, until there is no next cursor', shown: 'in **ACP: Open Agent Session…**', tests: [`${AGAIN}list-in-pages`, 'unit/session/agentSessions.test.ts: are asked for one at a time, by the agent’s own words, to their end', 'unit/workbench/agentSessionRows.test.ts: say what they are, when they were used, where, and whether they are open'] },
      { name: 'session/delete', sent: 'when the user deletes a session, where offered', handled: 'a session that the agent does not know counts as deleted', shown: 'by **ACP: Delete Session…** and in the list of the agent\'s sessions', tests: [`${AGAIN}delete`, 'unit/session/agentSessions.test.ts: is deleted one by one'] },
      {
        name: 'session/resume', sent: 'for an earlier session whose conversation is here already, where offered', handled: 'options and modes',
        shown: 'the conversation goes on',
        tests: [`${AGAIN}resume`, `${EARLIER}goes on under what is there, and says so where nothing is`, `${EARLIER}is resumed by a prompt, which follows when the session is there`],
      },
      {
        name: 'session/close', sent: 'when the user ends a session, where offered', handled: 'waited for, a moment at most',
        tests: [`${V1}closes sessions where the agent can`],
      },
      {
        name: 'session/set_mode', sent: 'when a mode is chosen and the agent has modes but no options', handled: 'the mode counts as set',
        shown: 'the mode below the message',
        tests: [`${V1}makes an option of modes when there are no options`, `${TALK}modes`],
      },
      {
        name: 'session/set_config_option', sent: 'when an option is chosen', handled: 'the answer is the complete new list',
        shown: 'the option below the message; a refusal as a notice',
        tests: [`${V1}sets options: text, and booleans with their type; the answer replaces the list`, `${TALK}config-options`],
      },
      {
        name: 'session/prompt', sent: 'for each message of the user', handled: 'ends the turn with its reason; may take as long as it takes',
        shown: 'the turn and its end',
        tests: [`${V1}prompts with every kind of block, in the wire's form, and never times out`, `${TALK}hello`],
      },
      {
        name: 'session/cancel', sent: 'on Stop', handled: no('a notification'),
        shown: 'open tool calls count as cancelled at once, requests are answered `cancelled`',
        tests: [`${V1}cancels a turn by notification`, 'agent/scenarios/connection.test.ts: cancel-while-streaming'],
      },
    ],
  },
  {
    area: 'client method', label: 'the method', section: 'Methods', title: 'Methods of the client',
    intro: 'The agent calls them. "Sent" is our answer; wrong parameters are answered `-32602`, naming the field.',
    sent: '', handled: '', shown: no(),
    rows: [
      {
        name: 'fs/read_text_file', sent: 'the text as the editor has it, unsaved changes included', handled: 'within the session\'s folders, by real path',
        tests: [`${ROOMS}read-unsaved`, `${CLIENT}reads files`],
      },
      {
        name: 'fs/write_text_file', sent: 'done, or why not', handled: 'merged into what was typed since; one undo takes it back',
        shown: 'in the editor; a failure as a notice',
        tests: [`${ROOMS}write-merged`, `${ROOMS}write-conflict`, `${CLIENT}writes files`],
      },
      {
        name: 'session/request_permission', sent: 'the chosen option, or `cancelled`', handled: 'settled once, whoever comes first',
        shown: 'a card in the conversation and a quick pick',
        tests: [`${ROOMS}permission-allow`, `${CLIENT}become title and subject, and the answer goes back`, `${VIEW}says what would be done, posts the answer, then says what was chosen`],
      },
      {
        name: 'terminal/create', sent: 'its id', handled: 'runs in a real terminal, in a process group',
        shown: 'the command and its output, live, with Stop',
        tests: [`${ROOMS}terminal`, `${VIEW}offers Stop while it runs, keeps colours, drops other sequences`],
      },
      { name: 'terminal/output', sent: 'plain text within the agent\'s limit, and the exit status', tests: [`${ROOMS}terminal`, `${CLIENT}runs terminals`] },
      { name: 'terminal/wait_for_exit', sent: 'exit code or signal', tests: [`${ROOMS}terminal`, `${CLIENT}runs terminals`] },
      { name: 'terminal/kill', sent: 'done; the output stays', handled: 'ends the whole group', shown: 'the terminal says how it ended', tests: [`${ROOMS}terminal-killed`, `${CLIENT}runs terminals`] },
      { name: 'terminal/release', sent: 'done', handled: 'ends what still runs', shown: 'the output stays readable', tests: [`${ROOMS}terminal`, `${CLIENT}runs terminals`] },
      { name: 'elicitation/create', sent: 'accept, decline or cancel', handled: 'form and web page, for a session or one of our requests', shown: 'a card in the conversation, see [Elicitation](#elicitation)', tests: [`${ASKED}form`, SEEN, `${FORMS}sends a form’s values only when nothing is wrong with them`] },
      {
        name: 'session/update', sent: no('a notification'), handled: 'in the order of the wire, also before the answer that names the session',
        shown: 'see [Updates and content](#updates-and-content)',
        tests: [`${V1}delivers an update before the answer that names its session, and one after the turn, in order`, 'agent/scenarios/connection.test.ts: update-before-session'],
      },
      { name: 'elicitation/complete', sent: no('a notification'), handled: 'finishes the request of that id; unknown ids are ignored', shown: 'the card of the web page says that it is done', tests: [`${ASKED}page`, `${FORMS}takes the consent to a web page without values, and names the page until it is finished`] },
    ],
  },
  {
    area: 'protocol method', label: 'the method', section: 'Methods', title: 'Methods of both sides',
    intro: '',
    sent: '', handled: '', shown: '',
    rows: [
      {
        name: '$/cancel_request', sent: 'when one of our requests runs out of time or its user gives up', handled: 'the request is still answered: its result, or `-32800`',
        shown: 'the card of a permission that is taken back closes',
        tests: ['agent/scenarios/cancel.test.ts: permission-withdrawn-by-the-agent', `${CONNECTION}times out by the clock, tells the agent, and knows a late answer`, `${SESSION}closes a request that the agent withdraws, and answers cancelled to all on Stop, also to what comes after it`],
      },
    ],
  },
];
