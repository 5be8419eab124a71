/** The facts of a session beside its entries, as `session/update`s of version 1: plan, commands, options, title and usage. Pure. */
import type { ConfigOption } from '../../core/model/content';
import type { SessionState } from '../../core/model/state';
import { defined, type Wire } from './wireContent';

/** The parts of the state that {@link factUpdates} reads. They are compared by identity. */
export type Facts = Pick<SessionState, 'plans' | 'commands' | 'config' | 'title' | 'name' | 'usage'>;

const PRIORITIES: ReadonlySet<string> = new Set(['high', 'medium', 'low']);
const PLAN_STATUSES: ReadonlySet<string> = new Set(['pending', 'in_progress', 'completed']);

/** Returns the updates for the facts that differ. @param before undefined for a client that knows none */
export function factUpdates(before: Facts | undefined, now: Facts): Wire[] {
  const updates: Wire[] = [];
  if (now.plans !== before?.plans && (before || Object.keys(now.plans).length > 0)) {
    updates.push({ sessionUpdate: 'plan', entries: planEntries(now) });
  }
  if (now.commands !== before?.commands && (before || now.commands.length > 0)) {
    const availableCommands = now.commands.map(({ name, description, inputHint }) => ({
      name,
      description,
      ...(inputHint !== undefined && { input: { hint: inputHint } }),
    }));
    updates.push({ sessionUpdate: 'available_commands_update', availableCommands });
  }
  if (before && now.config !== before.config) {
    updates.push({ sessionUpdate: 'config_option_update', configOptions: configOptions(now.config) });
  }
  if (now.title !== before?.title || now.name !== before?.name) {
    const title = now.name ?? now.title;
    updates.push(...(title === undefined ? [] : [{ sessionUpdate: 'session_info_update', title }]));
  }
  if (now.usage && now.usage !== before?.usage) {
    const { used, size, cost } = now.usage;
    updates.push({ sessionUpdate: 'usage_update', used, size, ...defined({ cost }) });
  }
  return updates;
}

/** Version 1 has one plan, so the entries of all plans are one list. */
function planEntries({ plans }: Facts): Wire[] {
  return Object.values(plans).flatMap((plan) =>
    plan.type === 'items'
      ? plan.entries.map(({ content, priority, status }) => ({
          content,
          priority: PRIORITIES.has(priority) ? priority : 'medium',
          status: PLAN_STATUSES.has(status) ? status : 'completed',
        }))
      : [],
  );
}

/** Returns the agent's options on the wire. */
export function configOptions(options: readonly ConfigOption[]): Wire[] {
  return options.flatMap((option): Wire[] => {
    if (option.type === 'unknown') {
      return [];
    }
    const { configId, name, description, category } = option;
    const head = { id: configId, name, ...defined({ description, category }) };
    if (option.type === 'boolean') {
      return [{ ...head, type: 'boolean', currentValue: option.currentValue }];
    }
    const [first] = option.groups;
    const isFlat = option.groups.length === 1 && first?.name === undefined;
    const groups = option.groups.map((group, index) => ({
      group: `${index}`,
      name: group.name ?? '',
      options: group.choices.map(choice),
    }));
    return [{ ...head, type: 'select', currentValue: option.currentValue, options: isFlat ? first!.choices.map(choice) : groups }];
  });
}

function choice({ value, name, description }: { value: string; name: string; description?: string | undefined }): Wire {
  return { value, name, ...defined({ description }) };
}

/** True when the agent offers this value of this option. */
export function takesValue(options: readonly ConfigOption[], configId: string, value: unknown): boolean {
  const option = options.find((each) => each.configId === configId);
  return option?.type === 'select'
    ? option.groups.some(({ choices }) => choices.some((each) => each.value === value))
    : option?.type === 'boolean' && typeof value === 'boolean';
}
