import type { ConfigOption } from '../../core/model/content';

/** The categories that qualify the model (protocol page "Session Config Options"). */
const OF_MODEL: ReadonlySet<string | undefined> = new Set(['speed', 'model_config']);

const categoryOf = (option: ConfigOption): string | undefined => (option.type === 'unknown' ? undefined : option.category);

/** Returns the options in the agent's order, but with those that qualify the model beside it. Returns the same list when none has to move. */
export function besideModel(options: readonly ConfigOption[]): readonly ConfigOption[] {
  const model = options.find((option) => categoryOf(option) === 'model');
  const qualifiers = options.filter((option) => option !== model && OF_MODEL.has(categoryOf(option)));
  if (!model || qualifiers.length === 0) {
    return options;
  }
  const others = options.filter((option) => !qualifiers.includes(option));
  const index = others.indexOf(model) + 1;
  return [...others.slice(0, index), ...qualifiers, ...others.slice(index)];
}
