/** The environment variables that a command is given, as a question shows them. Pure. */
import type { EnvironmentVariable } from '../model/content';
import { isUnsafeVariable } from './unsafeVariables';

/** Members of a raw input in which agents send the environment of a command. */
const MEMBERS = ['env', 'environment', 'envVars', 'environmentVariables'];

/** Returns `variables` with the ones that decide what runs first. The order is otherwise unchanged. */
export function unsafeFirst(variables: readonly EnvironmentVariable[]): readonly EnvironmentVariable[] {
  const rank = ({ name }: EnvironmentVariable): number => (isUnsafeVariable(name) ? 0 : /^GIT_/i.test(name) ? 1 : 2);
  return variables.toSorted((one, other) => rank(one) - rank(other));
}

/** Returns the environment in a tool's raw input, the steering variables first; empty when the input has none. */
export function environmentIn(rawInput: unknown): readonly EnvironmentVariable[] {
  if (typeof rawInput !== 'object' || rawInput === null) {
    return [];
  }
  const fields = rawInput as Readonly<Record<string, unknown>>;
  return unsafeFirst(MEMBERS.filter((name) => Object.hasOwn(fields, name)).flatMap((name) => variablesOf(fields[name])));
}

/** Reads `{NAME: value}`, `[{name, value}]` and `["NAME=value"]`. */
function variablesOf(value: unknown): readonly EnvironmentVariable[] {
  if (Array.isArray(value)) {
    return value.flatMap((each: unknown) => {
      if (typeof each === 'string') {
        const at = each.indexOf('=');
        return at < 0 ? [{ name: each, value: '' }] : [{ name: each.slice(0, at), value: each.slice(at + 1) }];
      }
      const { name, value: text } = (typeof each === 'object' && each !== null ? each : {}) as Record<string, unknown>;
      return typeof name === 'string' ? [{ name, value: textOf(text) }] : [];
    });
  }
  return typeof value === 'object' && value !== null ? Object.entries(value).map(([name, text]) => ({ name, value: textOf(text) })) : [];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}
