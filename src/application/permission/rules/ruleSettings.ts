/** The settings with rules, as the store of rules needs them. */
import type { Disposable } from '../../../core/platform/disposable';

/** A value of `acpHost.permissions.deny`, as it is written. */
export interface DenySetting {
  readonly value: unknown;
  readonly from: 'settings' | 'workspace';
}

/** The settings with rules. */
export interface RuleSettings {
  /** `acpHost.permissions.rules` of the user, as it is written. `isRemote`: it is in the settings of a remote machine or dev container. */
  rules(): { readonly value: unknown; readonly isRemote: boolean };
  /** All values of `acpHost.permissions.deny` that hold in this folder. */
  denies(cwd: string): readonly DenySetting[];
  /** Resolves when the settings have the value. */
  writeRules(rules: readonly unknown[]): Promise<void>;
  /** Writes the user's own `acpHost.permissions.deny`. */
  writeDenies(rules: readonly unknown[]): Promise<void>;
  onDidChange(listener: () => void): Disposable;
}
