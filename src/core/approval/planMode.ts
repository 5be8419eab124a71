/** The agent's own plan mode, which Plan only sets. Pure. */
import type { ConfigOption } from '../model/content';

/** Words in which agents name the mode that only plans. */
const PLAN = /^(?:plan|plan[\s_-]?(?:mode|only)|planning|architect|read[\s_-]?only)$/i;

/** The agent's option, its value for planning, and its present value. */
export interface PlanMode {
  readonly configId: string;
  readonly plan: string;
  readonly now: string;
}

/** Returns the agent's own plan mode, with its present value; undefined when it has none. */
export function planModeIn(config: readonly ConfigOption[]): PlanMode | undefined {
  const mode = config.find((option) => option.type === 'select' && option.category === 'mode');
  if (mode?.type !== 'select') {
    return undefined;
  }
  const choices = mode.groups.flatMap((group) => group.choices);
  // An id like https://agentclientprotocol.com/…#plan counts by its end.
  const fits = (text: string): boolean => PLAN.test(text.split(/[#/]/).at(-1)!.trim());
  const found = choices.find(({ value }) => fits(value)) ?? choices.find(({ name }) => fits(name));
  return found && { configId: mode.configId, plan: found.value, now: mode.currentValue };
}
