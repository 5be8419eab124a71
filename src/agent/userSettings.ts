/** Selects the user's own value of a setting. Pure, so that it can be tested without the editor. */

/** The used members of the result of `WorkspaceConfiguration.inspect`. */
export interface Inspected {
  readonly defaultValue?: unknown;
  /** The user's value, overridden by the remote machine's settings. */
  readonly globalValue?: unknown;
  /**
   * The two parts of `globalValue`, which VS Code returns but does not declare in its types. The remote part contains the settings of a dev
   * container.
   */
  readonly globalLocalValue?: unknown;
  readonly globalRemoteValue?: unknown;
  readonly workspaceValue?: unknown;
  readonly workspaceFolderValue?: unknown;
}

/** A value that names or selects a program to run and was not set by the user. `folder`: the workspace folder's name. */
export interface IgnoredSetting {
  readonly setting: string;
  readonly source: 'workspace' | 'workspaceFolder' | 'machine' | 'extensionDefault';
  readonly folder?: string;
}

/**
 * Returns the user's value, and the other values that are ignored: a project, its dev container or another extension could otherwise choose a
 * program to run.
 * @param folders the same setting in each workspace folder
 * @param own the default in this extension's manifest, if it is not empty
 */
export function userValueOf(
  setting: string,
  inspected: Inspected | undefined,
  folders: readonly { readonly folder: string; readonly inspected: Inspected | undefined }[] = [],
  own?: unknown,
): { readonly value: unknown; readonly ignored: readonly IgnoredSetting[] } {
  const ignored: IgnoredSetting[] = [];
  if (isSet(inspected?.defaultValue) && inspected?.defaultValue !== own) {
    ignored.push({ setting, source: 'extensionDefault' });
  }
  const machine = inspected?.globalRemoteValue !== undefined;
  if (machine) {
    ignored.push({ setting, source: 'machine' });
  }
  if (inspected?.workspaceValue !== undefined) {
    ignored.push({ setting, source: 'workspace' });
  }
  // VS Code returns the value of a single-folder workspace twice, so that it is reported once.
  const told = folders.length === 1 && inspected?.workspaceValue !== undefined;
  for (const each of told ? [] : folders) {
    if (each.inspected?.workspaceFolderValue !== undefined) {
      ignored.push({ setting, source: 'workspaceFolder', folder: each.folder });
    }
  }
  return { value: machine ? inspected?.globalLocalValue : inspected?.globalValue, ignored };
}

/** True for a default that is not empty. Any other than the manifest's was set by another extension. */
function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '' && !(typeof value === 'object' && Object.keys(value).length === 0);
}
