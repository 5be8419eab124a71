/** The final session as the user sees it, as lines. */
import { isAbsent } from '../../../src/core/model/state';
import type { Plans, SessionState, Slot } from '../../../src/core/model/state';
import { canStop, conversationView, subagentOf, subagentStatus, waitingSubagents } from '../../../src/core/subagents/subagentTree';

/** The entries, followed by the other facts that the view shows. */
export function sessionLines(state: SessionState): string[] {
  const lines = [...state.entries].flatMap((slot) => [entryText(slot), ...planLines(turnPlans(slot)), ...subagentLines(state, slot)]);
  return [...lines, ...factLines(state)];
}

function entryText(slot: Slot): string {
  if (isAbsent(slot)) {
    return 'absent';
  }
  switch (slot.kind) {
    case 'message':
      return `${slot.role}: ${slot.content.map((block) => (block.type === 'text' ? JSON.stringify(block.text.replace(/^@script .*/s, '@script …')) : block.type)).join(' ')}`;
    case 'tool_call':
      return `tool ${slot.toolCallId} ${slot.toolKind} ${slot.status}: ${slot.title ?? ''} [${slot.content.map(({ type }) => type).join(' ')}]`;
    case 'permission':
      return `permission ${slot.title}: ${[slot.outcome?.type ?? 'waiting', slot.outcome?.optionId].filter(Boolean).join(' ')}`;
    case 'turn':
      return `turn ${slot.stopReason}`;
    case 'unknown':
      return `unknown ${slot.label}`;
    case 'notice':
      return `notice ${slot.severity}: ${slot.title}`;
    case 'elicitation':
      return `elicitation ${slot.body.mode} ${slot.message}: ${slot.outcome?.type ?? 'waiting'}${slot.outcome?.content ? ` ${JSON.stringify(slot.outcome.content)}` : ''}${slot.completed ? ' completed' : ''}`;
    case 'subagent':
      return `subagent ${slot.subagentId}`;
    case 'session_message':
      return `message ${slot.senderId ?? '–'} → ${slot.recipientId ?? '–'}: ${slot.content.map((block) => (block.type === 'text' ? JSON.stringify(block.text) : block.type)).join(' ')}`;
    case 'compaction':
      return `compaction ${slot.status}: ${[slot.error, ...slot.summary.map((block) => (block.type === 'text' ? JSON.stringify(block.text) : block.type))].filter(Boolean).join(' ')}`;
  }
}

/** A subagent's card and its conversation, indented. */
function subagentLines(state: SessionState, slot: Slot): string[] {
  const child = slot.kind === 'subagent' && !isAbsent(slot) ? subagentOf(state, slot.subagentId) : undefined;
  if (!child) {
    return [];
  }
  const { title, description, work, openTools, isImplied } = child;
  const isWaiting = waitingSubagents(state).has(child.subagentId);
  const tools = openTools.map((tool) => `tool ${tool.title}`);
  return [
    [title ?? '–', description, subagentStatus(child, isWaiting), work?.detail, canStop(child) && 'stop', isImplied && 'implied', ...tools],
  ]
    .map((facts) => facts.filter(Boolean).join(' | '))
    .concat(sessionLines({ ...conversationView(state, child), terminals: {} }))
    .map((line) => `  ${line}`);
}

function turnPlans(slot: Slot): Plans {
  return (!isAbsent(slot) && slot.kind === 'turn' && slot.plans) || {};
}

function planLines(plans: Plans): string[] {
  return Object.entries(plans).map(
    ([planId, plan]) =>
      `plan ${planId} ${plan.type === 'items' ? plan.entries.map(({ content, status }) => `[${status}] ${content}`).join(', ') : plan.type}`,
  );
}

/** The facts beside the conversation; absent ones are left out. */
function factLines({ queue, title, plans, config, commands, usage, terminals }: SessionState): string[] {
  return [
    ...queue.map(
      ({ content, paused }) =>
        `queued${paused ? ' (paused)' : ''}: ${content.map((block) => (block.type === 'text' ? JSON.stringify(block.text) : block.type)).join(' ')}`,
    ),
    ...(title === undefined ? [] : [`title ${JSON.stringify(title)}`]),
    ...planLines(plans),
    ...config.map((option) => `option ${option.configId}: ${option.type === 'unknown' ? 'unknown' : option.currentValue}`),
    ...(commands.length === 0 ? [] : [`commands ${commands.map(({ name }) => JSON.stringify(name)).join(' ')}`]),
    ...(usage ? [`usage ${JSON.stringify(usage)}`] : []),
    ...Object.entries(terminals).map(
      ([terminalId, { ours, exitStatus, released }]) =>
        `terminal ${terminalId}${ours ? ' ours' : ''}: ${exitStatus ? JSON.stringify(exitStatus) : 'running'}${released ? ' released' : ''}`,
    ),
  ];
}
