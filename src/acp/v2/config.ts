/** Translates v2 config options, commands and the setup of a session to the forms that the decoders of version 1 read. */
import type { AvailableCommand, ConfigOption } from '../../core/model/content';
import type { EventInput } from '../../core/model/event';
import { type Fields, isPresent, isRecord, keep, restOf } from '../json/fields';
import { decodeCommands, decodeConfigOptions, type Malformed } from '../v1/config';

export function decodeOptions(raw: readonly unknown[], malformed: Malformed): ConfigOption[] {
  const unread: unknown[] = [];
  const translated = raw.map(optionOfV1);
  /** The items as the agent sent them, by their translations. */
  const sent = new Map(translated.map((item, index) => [item, raw[index]]));
  const options = decodeConfigOptions(translated, unread).map((option) =>
    // An option of an unknown type is stored as the agent sent it.
    option.type === 'unknown' ? { ...option, raw: sent.get(option.raw) } : option,
  );
  malformed.push(...unread.map((item) => sent.get(item) ?? item));
  return options;
}

/** The names of ids differ: `configId` and `groupId`, instead of `id` and `group`. */
function optionOfV1(item: unknown): unknown {
  if (!isRecord(item)) {
    return item;
  }
  const { configId, id: _, options, ...rest } = item;
  return { ...rest, id: configId, ...(options !== undefined && { options: Array.isArray(options) ? options.map(groupOfV1) : options }) };
}

function groupOfV1(item: unknown): unknown {
  if (!isRecord(item) || item.groupId === undefined) {
    return item;
  }
  const { groupId, ...rest } = item;
  return { ...rest, group: groupId };
}

export function decodeAvailableCommands(raw: readonly unknown[], malformed: Malformed): AvailableCommand[] {
  return decodeCommands(raw.map(commandOfV1), malformed);
}

/** The types of commands and of their input say nothing that version 1 does not imply. An unknown type stays with its command. */
function commandOfV1(item: unknown): unknown {
  if (!isRecord(item)) {
    return item;
  }
  const { type, input, ...rest } = item;
  return {
    ...rest,
    ...(type !== 'command' && type !== undefined && { type }),
    ...(input !== undefined && { input: isRecord(input) && input.type === 'text' ? withoutType(input) : input }),
  };
}

function withoutType({ type: _, ...input }: Fields): Fields {
  return input;
}

const SETUP: ReadonlySet<string> = new Set(['sessionId', 'configOptions', 'availableCommands', '_meta']);

/** Decodes the options and commands of an answer that opened a session, or set an option, as events. Other fields are kept in `extra`. */
export function decodeSetup(result: Fields): EventInput[] {
  const malformed: unknown[] = [];
  const { configOptions, availableCommands } = result;
  const options = Array.isArray(configOptions) ? decodeOptions(configOptions, malformed) : undefined;
  const commands = Array.isArray(availableCommands) ? decodeAvailableCommands(availableCommands, malformed) : undefined;
  let extra = restOf(result, SETUP);
  if (isPresent(configOptions) && !options) {
    extra = keep(extra, 'configOptions', configOptions);
  }
  if (isPresent(availableCommands) && !commands) {
    extra = keep(extra, 'availableCommands', availableCommands);
  }
  if (malformed.length > 0) {
    extra = keep(extra, 'malformed', malformed);
  }
  const base = { ...(isPresent(result._meta) && { meta: result._meta }), ...(extra && { extra }) };
  const events: EventInput[] = [
    ...(options ? [{ type: 'config_options', options } as const] : []),
    ...(commands ? [{ type: 'available_commands', commands } as const] : []),
  ];
  if (Object.keys(base).length === 0) {
    return events;
  }
  const [first, ...others] = events;
  return first ? [{ ...first, ...base }, ...others] : [{ type: 'session_info', ...base }];
}
