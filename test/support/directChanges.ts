/** Changes of settings in a single window, which need no lock. */
import type { SettingChanges } from '../../src/application/shared/settingChanges';

export const directChanges: Pick<SettingChanges, 'change' | 'onDidWrite'> = {
  async change({ read, write }, next) {
    const changed = next(read());
    if (changed !== undefined) {
      await write(changed);
    }
  },
  onDidWrite: () => ({ dispose: () => undefined }),
};
