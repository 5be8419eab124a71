/** Which part of the settings counts: the user's own. Pure, so that it can be tested without the editor. */

/** What `WorkspaceConfiguration.inspect` returns, as far as we read it. */
export interface Inspected {
  readonly defaultValue?: unknown;
  /** The user's, with what the remote machine's settings say laid over it. */
  readonly globalValue?: unknown;
  /** The two parts of it, which VS Code gives but its types do not have: what a dev container brings is in the second. */
  readonly globalLocalValue?: unknown;
  readonly globalRemoteValue?: unknown;
  readonly workspaceValue?: unknown;
  readonly workspaceFolderValue?: unknown;
}

/** A value that names a program to run, or picks one, and was not set by the user. `folder`: the workspace folder's name. */
export interface IgnoredSetting {
  readonly setting: string;
  readonly source: 'workspace' | 'workspaceFolder' | 'machine' | 'extensionDefault';
  readonly folder?: string;
}

/**
 * The user's value, and what else is set and does not count: a project, its dev container or another extension could otherwise choose a program to run.
 * @param folders the same setting as each workspace folder sees it
 * @param own our manifest's default, where it is not empty
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
  // Where one folder is the workspace, the editor gives its value as both: it is told once.
  const told = folders.length === 1 && inspected?.workspaceValue !== undefined;
  for (const each of told ? [] : folders) {
    if (each.inspected?.workspaceFolderValue !== undefined) {
      ignored.push({ setting, source: 'workspaceFolder', folder: each.folder });
    }
  }
  return { value: machine ? inspected?.globalLocalValue : inspected?.globalValue, ignored };
}

/** Anything but our own manifest's default was put there by another extension. */
function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '' && !(typeof value === 'object' && Object.keys(value).length === 0);
}
