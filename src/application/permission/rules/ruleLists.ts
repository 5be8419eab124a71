/** The lists of rules in the user's settings, changed one write at a time. */
import type { Disposable } from '../../../core/platform/disposable';
import type { ListSetting, SettingChanges } from '../../shared/settingChanges';
import type { RuleSettings } from './ruleSettings';

/** Returns the list after the change. An equal length means that there is nothing to write. */
export type ListChange = (written: readonly unknown[]) => readonly unknown[];

export interface RuleListsDependencies {
  readonly settings: RuleSettings;
  /** Changes the settings in turn with the other windows. */
  readonly changes: Pick<SettingChanges, 'change' | 'onDidWrite'>;
  /** Called when this window has written rules, which contain what the other windows wrote before. */
  wrote(): void;
  /** Returns the error about rules that are not a list. */
  notAList(): Error;
}

export class RuleLists {
  private readonly rules: ListSetting;
  private readonly denials: ListSetting;
  private writing: Promise<unknown> = Promise.resolve();

  constructor(private readonly deps: RuleListsDependencies) {
    const { settings } = deps;
    this.rules = {
      name: 'rules',
      read: () => settings.rules().value,
      write: async (list) => {
        await settings.writeRules(list);
        deps.wrote();
      },
    };
    this.denials = {
      name: 'denials',
      read: () => settings.denies('').find(({ from }) => from === 'settings')?.value,
      write: (list) => settings.writeDenies(list),
    };
  }

  changeRules(change: ListChange): Promise<void> {
    return this.change(this.rules, change, true);
  }

  /** Changes the user's own denials. A workspace's file belongs to its authors. */
  changeDenials(change: ListChange): Promise<void> {
    return this.change(this.denials, change, false);
  }

  /** Calls the listener with rules that another window has just written. */
  onDidWriteRules(listener: (value: unknown) => void): Disposable {
    return this.deps.changes.onDidWrite(this.rules, listener);
  }

  private change(setting: ListSetting, change: ListChange, isStrict: boolean): Promise<void> {
    const next = this.writing.then(() =>
      this.deps.changes.change(setting, (value) => {
        if (isStrict && value !== undefined && value !== null && !Array.isArray(value)) {
          throw this.deps.notAList();
        }
        const written: readonly unknown[] = Array.isArray(value) ? value : [];
        const changed = change(written);
        return changed.length === written.length ? undefined : changed;
      }),
    );
    this.writing = next.catch(() => undefined);
    return next;
  }
}
