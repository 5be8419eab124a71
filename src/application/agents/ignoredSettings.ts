/** The notice about settings that are ignored. Pure. */
import type { IgnoredSetting } from '../../agent/userSettings';
import { type InertText, inertLine } from '../shared/escape';
import type { Translate } from '../shared/translate';

const MAX_NAME = 80;

/** Returns one sentence about values that were not set by the user, or undefined when there are none. */
export function ignoredNotice(ignored: readonly IgnoredSetting[], t: Translate): InertText | undefined {
  if (ignored.length === 0) {
    return undefined;
  }
  const places = [...new Set(ignored.map((each) => settingsFileOf(each, t)))].join(', ');
  const names = [...new Set(ignored.map(({ setting }) => setting))].join(', ');
  return t('Ignored {settings} from {places}. Only your user settings apply.', {
    settings: names,
    places,
  });
}

function settingsFileOf({ source, folder }: IgnoredSetting, t: Translate): InertText {
  switch (source) {
    case 'workspace':
      return t('this workspace');
    case 'workspaceFolder':
      return t('the folder {folder}', { folder: inertLine(folder ?? '', MAX_NAME) });
    case 'machine':
      return t('the remote machine or dev container');
    case 'extensionDefault':
      return t('another extension');
  }
}
