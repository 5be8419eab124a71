/** The values of `${env:NAME}` and `${input:NAME}` in the headers of an agent at an address. */
import type { RemoteEndpoint } from '../../core/agents/endpoint';
import { fault } from '../../core/model/failure';

const VARIABLE = /\$\{(env|input):([^{}]{1,200})\}/g;

/** The names of the values that the user enters, each once. */
export function inputNames(headers: RemoteEndpoint['headers']): readonly string[] {
  const found = Object.values(headers).flatMap((value) => [...value.matchAll(VARIABLE)]);
  return [...new Set(found.flatMap(([, kind, name]) => (kind === 'input' && name !== undefined ? [name] : [])))];
}

/**
 * Replaces the variables. A variable in a value stays text.
 *
 * @throws Fault `remote.no_secret` for a variable without a value, and for a value that cannot be part of a header
 */
export function withHeaderValues(
  headers: RemoteEndpoint['headers'],
  environment: (name: string) => string | undefined,
  inputs: Readonly<Record<string, string>>,
): Record<string, string> {
  const valueOf = (whole: string, kind: string, name: string): string => {
    const value = kind === 'env' ? environment(name) : Object.hasOwn(inputs, name) ? inputs[name] : undefined;
    if (value === undefined || !/^[\t\x20-\x7e\x80-\xff]+$/.test(value)) {
      throw fault('remote.no_secret', { name: whole });
    }
    return value;
  };
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.replace(VARIABLE, valueOf)]));
}
