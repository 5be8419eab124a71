/** What agents say in a session: updates, what they hold, and how turns end. */
import type { Area } from '../area';
import { BLOCKS, COMPOSER, no, rows, SESSION, SHOWN, TALK, UPDATED, UPDATES, VIEW } from '../area';

export const CONTENT: readonly Area[] = [
  {
    area: 'SessionUpdate', label: 'session/update', section: 'Updates and content', title: 'Updates',
    intro: 'Agents send them. A kind that is not listed is kept, journaled and shown as it came.',
    sent: no(), handled: '', shown: '',
    tests: [`${SHOWN}shows every text of every update`],
    rows: [
      { name: 'user_message_chunk', handled: 'joined by `messageId`, else by order', shown: 'the user\'s message', tests: [`${UPDATES}get ids of ours where it gives none: a change of role or a new tool call divides`, `${SHOWN}shows every text of every update`] },
      { name: 'agent_message_chunk', handled: 'joined by `messageId`, else by order', shown: 'the agent\'s message, as Markdown', tests: [`${TALK}messages-split`, `${UPDATES}take the ids the agent gives`, `${SHOWN}shows every text of every update`] },
      { name: 'agent_thought_chunk', handled: 'joined by `messageId`, else by order', shown: 'a thought that folds, with its duration', tests: [`${TALK}thought`, `${VIEW}says how long a thought took, and folds it`] },
      { name: 'tool_call', handled: 'a patch that makes the call', shown: 'a card with title, kind, status, content, places, input and output', tests: [`${TALK}tool-call`, `${SHOWN}shows every text of every update`] },
      { name: 'tool_call_update', handled: 'a patch: omitted and null keep, lists replace; makes the call when it comes first', shown: 'the same card', tests: [`${TALK}tool-update-before-call`, `${UPDATES}are patches: null and omitted keep`] },
      { name: 'plan', handled: 'replaces the plan', shown: 'above the message field, with progress', tests: [`${TALK}plan-replaced`, `${UPDATES}plan`] },
      { name: 'available_commands_update', handled: 'replaces the list', shown: 'suggested after `/`', tests: [`${UPDATES}commands`, `${COMPOSER}suggests commands, complete by keyboard`] },
      { name: 'current_mode_update', handled: '`currentModeId`, and `modeId` as some pages have it', shown: 'the mode below the message', tests: [`${TALK}modes`, `${UPDATES}mode: both spellings, under the option that modes are, or the agent's own`] },
      { name: 'config_option_update', handled: 'replaces the list', shown: 'the options below the message', tests: [`${TALK}config-options`, `${UPDATES}config options: flat, grouped, boolean, unknown`] },
      { name: 'session_info_update', handled: 'omitted keeps, null clears', shown: 'the title of panel and list', tests: [`${TALK}commands-usage-info`, `${UPDATES}session info: omitted keeps, null clears`] },
      { name: 'usage_update', handled: 'replaces; a size of 0 is no window', shown: 'a ring beside Send: tokens, window, cost', tests: [`${TALK}commands-usage-info`, `${UPDATES}usage, with and without cost`] },
      { name: 'notice', shown: 'a toast as it comes, and a quiet line in the conversation, by severity', tests: [`${UPDATED}notices`, `${UPDATES}notices`, `${SHOWN}shows every text of every update`] },
      { name: 'compaction_update', handled: 'omitted keeps, null clears, a value replaces', shown: 'a mark in the conversation, its summary folded', tests: [`${UPDATED}compaction`, `${UPDATES}compaction, three-state`, `${SHOWN}shows every text of every update`] },
      { name: 'compaction_summary_chunk', handled: 'added to the summary; makes the compaction when it comes first', shown: 'in the folded summary', tests: [`${UPDATED}compaction`, `${UPDATES}compaction, three-state`, `${SHOWN}shows every text of every update`] },
    ],
  },
  {
    area: 'ContentBlock', label: 'the content block', section: 'Updates and content', title: 'Content blocks',
    intro: 'In messages, tool calls and summaries of the agent, and in prompts of the user. A type that is not listed is kept and shown as it came.',
    sent: '', handled: '', shown: '',
    tests: [`${BLOCKS}round-trips what a prompt may hold`, `${SHOWN}shows every text of every update`],
    rows: [
      { name: 'text', sent: 'what the user types', shown: 'as Markdown' },
      { name: 'image', sent: 'where the agent takes images', shown: 'as a picture, when it is a bitmap' },
      { name: 'audio', sent: 'where the agent takes audio', shown: 'with play and pause' },
      { name: 'resource_link', sent: 'every agent takes it', shown: 'as a chip that opens' },
      { name: 'resource', sent: 'where the agent takes embedded context, else as text', shown: 'as a chip with its text, picture or sound', tests: [`${BLOCKS}flattens resources and keeps what both objects say`, 'unit/core/promptContent.test.ts: makes text of embedded text where resources are not taken, in a fence the text cannot end'] },
    ],
  },
  {
    area: 'EmbeddedResourceResource', label: 'the resource content', section: 'Updates and content', title: 'Contents of an embedded resource',
    intro: '',
    sent: '', handled: '', shown: '',
    tests: [`${BLOCKS}flattens resources and keeps what both objects say`],
    rows: [
      { name: 'TextResourceContents', sent: 'problems of the active editor', shown: 'folded text' },
      { name: 'BlobResourceContents', sent: 'when a prompt has one', shown: 'a picture or sound where it is one', tests: [`${VIEW}shows a picture and plays a sound that come inside a resource`] },
    ],
  },
  {
    area: 'Role', label: 'the audience', section: 'Updates and content', title: 'Audience in annotations',
    intro: 'Hints of the agent for whom a block is. Kept with the block; nothing is hidden because of them. Our own prompts carry none.',
    sent: no(), handled: '', shown: no(),
    tests: [`${BLOCKS}passes a well-formed block on as it is, unknown fields included`],
    rows: [{ name: 'assistant' }, { name: 'user' }],
  },
  {
    area: 'StopReason', label: 'the stop reason', section: 'Updates and content', title: 'Ends of a turn',
    intro: 'A reason that is not listed is shown by its name.',
    sent: no(), handled: '', shown: '',
    tests: ['agent/scenarios/odd.test.ts: stop-reasons', 'unit/compliance/shown.test.ts: have words for every kind, status and reason of the schema'],
    rows: [
      { name: 'end_turn', shown: 'only how long the turn took' },
      { name: 'max_tokens', shown: 'that the limit of tokens was reached' },
      { name: 'max_turn_requests', shown: 'that the limit of requests was reached' },
      { name: 'refusal', shown: 'that the agent refused to go on; the text comes back', tests: ['agent/scenarios/connection.test.ts: refusal', `${SESSION}gives the text of a failed or refused prompt back`] },
      { name: 'cancelled', shown: 'that the turn was stopped', tests: ['agent/scenarios/connection.test.ts: cancel-while-streaming'] },
    ],
  },
  {
    area: 'PlanEntryPriority', label: 'the priority', section: 'Updates and content', title: 'Priorities in a plan',
    intro: '',
    sent: no(), handled: '', shown: no(),
    tests: [`${UPDATES}plan`],
    rows: [{ name: 'high', shown: 'marked as such', tests: [`${SHOWN}marks what has a high priority in a plan`] }, { name: 'medium' }, { name: 'low' }],
  },
  {
    area: 'PlanEntryStatus', label: 'the plan status', section: 'Updates and content', title: 'Status in a plan',
    intro: '',
    sent: no(), handled: '', shown: 'by icon and word; counted in the progress',
    tests: ['unit/compliance/shown.test.ts: have words for every kind, status and reason of the schema', `${TALK}plan-replaced`],
    rows: [{ name: 'pending' }, { name: 'in_progress' }, { name: 'completed' }],
  },
  {
    area: 'NoticeSeverity', label: 'the severity', section: 'Updates and content', title: 'Severity of a notice',
    intro: '',
    sent: no(), handled: '', shown: '',
    tests: [`${UPDATES}notices`, `${SHOWN}marks warnings and errors among notices`],
    rows: rows({ info: 'plain', warning: 'as a warning', error: 'as an error', other: 'plain' }),
  },
  {
    area: 'CompactionStatus', label: 'the compaction status', section: 'Updates and content', title: 'Status of a compaction',
    intro: '',
    sent: no(), handled: '', shown: '',
    tests: [`${UPDATES}compaction, three-state`, `${SHOWN}says how a compaction stands`],
    rows: rows({ in_progress: 'that it runs', completed: 'that it was done', failed: 'that it failed, and why', cancelled: 'that it was cancelled', other: 'by its name' }),
  },
];
