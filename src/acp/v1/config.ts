/** v1 config options, modes, slash commands and plans (protocol pages "Session Config Options", "Session Modes", "Slash Commands", "Agent Plan"). */
import type { AvailableCommand, ConfigChoice, ConfigGroup, ConfigOption, PlanBody, PlanEntry } from '../../core/model/content';
import { MODE_CONFIG_ID, MODE_CONFIG_NAME, MODEL_CONFIG_ID, MODEL_CONFIG_NAME } from '../../core/model/wellKnown';
import { besideModel } from './configOrder';
import { recommendedValue } from '../quirks/air/content';
import type { Fields } from '../json/fields';
import { isPresent, isRecord, labelOf, misfits, restOf, textOf, withRest } from '../json/fields';

/** Items of a list that fit no model type. The decoder keeps them in the event's `extra`. */
export type Malformed = unknown[];

const OPTION_FIELDS: ReadonlySet<string> = new Set([
  ...['id', 'name', 'description', 'category', 'type', 'currentValue', 'options'],
  ...['configId', 'groups', 'raw', 'recommended'],
]);

/** Decodes the items of `configOptions`, those that qualify the model beside it. An unknown type, or a known one with a malformed body, is kept as `unknown` (and not offered). */
export function decodeConfigOptions(raw: readonly unknown[], malformed: Malformed): ConfigOption[] {
  const options: ConfigOption[] = [];
  for (const item of raw) {
    const configId = isRecord(item) ? textOf(item.id) : undefined;
    if (!isRecord(item) || configId === undefined) {
      malformed.push(item);
      continue;
    }
    const name = labelOf(item.name) ?? configId;
    const description = textOf(item.description);
    const category = textOf(item.category);
    const head = {
      configId,
      name,
      ...(description !== undefined && { description }),
      ...(category !== undefined && { category }),
      ...misfits(item, ['name', 'description', 'category']),
    };
    if (item.type === 'boolean' && typeof item.currentValue === 'boolean') {
      options.push(withRest({ type: 'boolean', ...head, currentValue: item.currentValue }, item, OPTION_FIELDS));
    } else if (item.type === 'select' && typeof item.currentValue === 'string' && Array.isArray(item.options)) {
      const groups = decodeGroups(item.options, malformed);
      const recommended = recommendedValue(item._meta);
      const select = {
        type: 'select' as const,
        ...head,
        currentValue: item.currentValue,
        groups,
        ...(recommended !== undefined && { recommended }),
      };
      options.push(withRest(select, item, OPTION_FIELDS));
    } else {
      options.push({ type: 'unknown', configId, name, raw: item });
    }
  }
  return [...besideModel(options)];
}

const GROUP_FIELDS: ReadonlySet<string> = new Set(['name', 'options', 'choices', 'malformed']);

/** Flat choices are one group without a name. A mixture keeps the agent's order. */
function decodeGroups(raw: readonly unknown[], malformed: Malformed): ConfigGroup[] {
  const groups: ConfigGroup[] = [];
  let flat: ConfigChoice[] | undefined;
  for (const item of raw) {
    if (isRecord(item) && Array.isArray(item.options)) {
      const name = labelOf(item.name) ?? labelOf(item.group);
      const choices = item.options.map((choice) => decodeChoice(choice, malformed)).filter((choice) => choice !== undefined);
      groups.push(withRest({ ...(name !== undefined && { name }), choices, ...misfits(item, ['name']) }, item, GROUP_FIELDS));
      flat = undefined;
      continue;
    }
    const choice = decodeChoice(item, malformed);
    if (choice) {
      if (!flat) {
        flat = [];
        groups.push({ choices: flat });
      }
      flat.push(choice);
    }
  }
  return groups;
}

const CHOICE_FIELDS: ReadonlySet<string> = new Set(['value', 'name', 'description']);

function decodeChoice(raw: unknown, malformed: Malformed): ConfigChoice | undefined {
  const value = isRecord(raw) ? textOf(raw.value) : undefined;
  if (!isRecord(raw) || value === undefined) {
    malformed.push(raw);
    return undefined;
  }
  const description = textOf(raw.description);
  const choice = {
    value,
    name: labelOf(raw.name) ?? value,
    ...(description !== undefined && { description }),
    ...misfits(raw, ['name', 'description']),
  };
  return withRest(choice, raw, CHOICE_FIELDS);
}

/** Converts v1 modes to the config option that represents them in the model; undefined when `raw` is not a `SessionModeState`. */
export function decodeModes(raw: unknown, malformed: Malformed): ConfigOption | undefined {
  if (!isRecord(raw) || typeof raw.currentModeId !== 'string' || !Array.isArray(raw.availableModes)) {
    return undefined;
  }
  const choices = raw.availableModes
    .map((mode: unknown) => decodeChoice(isRecord(mode) ? withRest({ value: mode.id }, mode, MODE_FIELDS) : mode, malformed))
    .filter((choice) => choice !== undefined);
  const head = { type: 'select' as const, configId: MODE_CONFIG_ID, name: MODE_CONFIG_NAME, category: 'mode' };
  return withRest({ ...head, currentValue: raw.currentModeId, groups: [{ choices }] }, raw, MODES_FIELDS);
}

const MODES_FIELDS: ReadonlySet<string> = new Set([...OPTION_FIELDS, 'currentModeId', 'availableModes']);

const MODE_FIELDS: ReadonlySet<string> = new Set(['id', 'value']);

/** Converts the models that agents sent before config options existed to such an option; undefined when `raw` is not a `SessionModelState`. */
export function decodeModels(raw: unknown, malformed: Malformed): (ConfigOption & { type: 'select' }) | undefined {
  if (!isRecord(raw) || typeof raw.currentModelId !== 'string' || !Array.isArray(raw.availableModels)) {
    return undefined;
  }
  const choices = raw.availableModels
    .map((model: unknown) => decodeChoice(isRecord(model) ? withRest({ value: model.modelId }, model, MODEL_FIELDS) : model, malformed))
    .filter((choice) => choice !== undefined);
  const head = { type: 'select' as const, configId: MODEL_CONFIG_ID, name: MODEL_CONFIG_NAME, category: 'model' };
  return withRest({ ...head, currentValue: raw.currentModelId, groups: [{ choices }] }, raw, MODELS_FIELDS);
}

const MODELS_FIELDS: ReadonlySet<string> = new Set([...OPTION_FIELDS, 'currentModelId', 'availableModels']);

const MODEL_FIELDS: ReadonlySet<string> = new Set(['modelId', 'value']);

const COMMAND_FIELDS: ReadonlySet<string> = new Set(['name', 'description', 'input', 'inputHint']);
const HINT: ReadonlySet<string> = new Set(['hint']);
const NO_HINT: ReadonlySet<string> = new Set();

export function decodeCommands(raw: readonly unknown[], malformed: Malformed): AvailableCommand[] {
  const commands: AvailableCommand[] = [];
  for (const item of raw) {
    const name = isRecord(item) ? labelOf(item.name) : undefined;
    if (!isRecord(item) || name === undefined) {
      malformed.push(item);
      continue;
    }
    const hint = isRecord(item.input) ? textOf(item.input.hint) : undefined;
    const inputHint = hint ?? (isRecord(item.input) ? '' : undefined);
    // A hint that is not a text stays with the input.
    const isOdd = isRecord(item.input) && isPresent(item.input.hint) && hint === undefined;
    const input = isRecord(item.input) ? restOf(item.input, isOdd ? NO_HINT : HINT) : (item.input ?? undefined);
    const command = {
      name,
      description: textOf(item.description) ?? '',
      ...(inputHint !== undefined && { inputHint }),
      ...(input !== undefined && { input }),
      ...misfits(item, ['description']),
    };
    commands.push(withRest(command, item, COMMAND_FIELDS));
  }
  return commands;
}

const ENTRY_FIELDS: ReadonlySet<string> = new Set(['content', 'priority', 'status']);

export function decodePlanEntries(raw: readonly unknown[], malformed: Malformed): PlanEntry[] {
  const entries: PlanEntry[] = [];
  for (const item of raw) {
    if (!isRecord(item) || typeof item.content !== 'string') {
      malformed.push(item);
    } else if (typeof item.priority === 'string' && typeof item.status === 'string') {
      entries.push(item as unknown as PlanEntry);
    } else {
      const words = { priority: textOf(item.priority) ?? 'medium', status: textOf(item.status) ?? 'pending' };
      const entry = { content: item.content, ...words, ...misfits(item, ['priority', 'status']) };
      entries.push(withRest(entry, item, ENTRY_FIELDS));
    }
  }
  return entries;
}

/** The id of the one plan of v1, which has no id on the wire. Stored journals contain it. */
export const V1_PLAN_ID = 'plan';

/** Decodes the `plan` of a `plan_update`, which v1 agents may send although the client does not request it; undefined when it has no id. */
export function decodePlan(raw: unknown, malformed: Malformed): { planId: string; plan: PlanBody } | undefined {
  const planId = isRecord(raw) ? (textOf(raw.planId) ?? textOf(raw.id)) : undefined;
  if (!isRecord(raw) || planId === undefined) {
    return undefined;
  }
  const plan = decodePlanBody(raw, malformed);
  return { planId, plan: plan.type === 'unknown' ? plan : withRest(plan, raw, PLAN_FIELDS) };
}

const PLAN_FIELDS: ReadonlySet<string> = new Set(['planId', 'id', 'type', 'entries', 'content', 'path', 'uri', 'raw']);

function decodePlanBody(raw: Fields, malformed: Malformed): PlanBody {
  if (raw.type === 'items' && Array.isArray(raw.entries)) {
    return { type: 'items', entries: decodePlanEntries(raw.entries, malformed) };
  }
  if (raw.type === 'markdown' && typeof raw.content === 'string') {
    const path = labelOf(raw.path);
    return { type: 'markdown', content: raw.content, ...(path !== undefined && { path }), ...misfits(raw, ['path']) };
  }
  if (raw.type === 'file' && typeof raw.uri === 'string') {
    return { type: 'file', uri: raw.uri };
  }
  return { type: 'unknown', raw };
}
