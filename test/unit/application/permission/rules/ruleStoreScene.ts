/** The settings and the memory of windows, for tests of the store of rules. */
import type { DenySetting } from '../../../../../src/application/permission/rules/ruleSettings';

export const turns = async (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** The settings that several windows share. */
export function sharedSettings(value?: unknown) {
  const listeners = new Set<() => void>();
  const state = { value, denies: [] as DenySetting[], isRemote: false, writes: 0 };
  return {
    state,
    change: (next: unknown) => {
      state.value = next;
      listeners.forEach((listener) => listener());
    },
    settings: {
      rules: () => ({ value: state.value, isRemote: state.isRemote }),
      denies: () => state.denies,
      writeRules: async (rules: readonly unknown[]) => {
        state.writes++;
        await turns();
        state.value = rules;
        listeners.forEach((listener) => listener());
      },
      writeDenies: async (rules: readonly unknown[]) => void (state.denies = [{ value: rules, from: 'settings' }]),
      onDidChange: (listener: () => void) => {
        listeners.add(listener);
        return { dispose: () => void listeners.delete(listener) };
      },
    },
  };
}

export function memory() {
  const values = new Map<string, unknown>();
  return {
    values,
    get: <T>(key: string) => values.get(key) as T | undefined,
    update: async (key: string, value: unknown) => void values.set(key, value),
  };
}
