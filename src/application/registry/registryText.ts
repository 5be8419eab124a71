/** The failures of registries and installations in words: one sentence that says what happened, and what to do where the user can. Pure. */
import type { Failure } from '../../core/model/failure';
import type { InstallReason, RefusalReason, UnreachableReason } from '../../registry/registryReasons';
import type { TranslateVerbatim, Values } from '../../text/messages/translate';

type Sentence = (t: TranslateVerbatim, v: Values) => string;

const REQUEST: Readonly<Partial<Record<UnreachableReason & InstallReason, Sentence>>> = {
  bad_address: (t) => t("The address isn't valid."),
  other_scheme: (t) => t('The address must begin with https://, also after a redirect.'),
  too_many_redirects: (t) => t('The server redirects without an end.'),
  no_connection: (t) => t("The server can't be reached. Check your connection and your proxy settings."),
  http_status: (t, v) => t('The server answered with the status {status}.', v),
  too_slow: (t) => t('The server was too slow. Try again.'),
  too_large: (t) => t("The server's answer is too large."),
  cut_off: (t) => t('The connection broke before everything was there. Try again.'),
  cancelled: (t) => t('Canceled.'),
};

const UNREACHABLE: Readonly<Partial<Record<UnreachableReason, Sentence>>> = {
  ...REQUEST,
  not_json: (t) => t("The answer isn't JSON."),
  not_a_registry: (t) => t("The answer isn't a list of agents."),
};

const REFUSED: Readonly<Record<RefusalReason, Sentence>> = {
  not_an_object: (t) => t("The registry's entry isn't an object."),
  missing: (t, v) => t("The registry's entry has no {field}.", v),
  invalid: (t, v) => t("In the registry's entry, {field} isn't valid.", v),
  duplicate: (t) => t('The registry has another entry with this id.'),
  too_large: (t) => t("The registry's entry is too large."),
  not_pinned: (t, v) => t("In the registry's entry, {field} doesn't name an exact version.", v),
};

const INSTALL: Readonly<Record<InstallReason, Sentence>> = {
  ...(REQUEST as Readonly<Record<keyof typeof REQUEST & InstallReason, Sentence>>),
  refused_entry: (t) => t("The registry's entry can't be used."),
  no_platform: (t) => t("It isn't available for this platform."),
  not_pinned: (t) => t("The registry's entry doesn't name an exact version."),
  installer_format: (t) => t('It can only be installed with its own installer. Install it, then add it to your agents.'),
  wrong_checksum: (t) => t("The download isn't the one that was published: its checksum is wrong."),
  unsafe_archive: (t) => t('The archive was refused because it would write outside of its folder, or contains special files.'),
  archive_too_large: (t) => t('The archive was refused because it is too large.'),
  damaged_archive: (t) => t('The archive is damaged. Try again.'),
  no_program: (t) => t("It doesn't contain the program that the registry names."),
  no_node: (t) => t('It needs Node.js. Install Node.js, then try again.'),
  no_npm: (t) => t('It needs npm, which your Node.js lacks. Install npm, then try again.'),
  no_uv: (t) => t('It needs uv. Install uv from docs.astral.sh/uv, then try again.'),
  not_found: (t) => t("This version isn't in your package registry."),
  too_new: (t) => t('This version is younger than the minimum age in your npm settings (min-release-age).'),
  needs_other_node: (t) => t('It needs another version of Node.js.'),
  package_manager_failed: (t) => t('The package manager failed.'),
  disk_full: (t) => t('The disk is full. Free up some space, then try again.'),
  not_writable: (t) => t("The folder for agents can't be written."),
  in_use: (t) => t('It is running, here or in another window. End its sessions first.'),
  not_installed: (t) => t("It isn't installed."),
  no_earlier_version: (t) => t('There is no earlier version.'),
};

/** Returns the reason as a sentence; undefined for other failures. @param show prepares a parameter, which may be external text */
export function registryReason(
  { code, params = {} }: Failure,
  t: TranslateVerbatim,
  show: (value: string) => string = (value) => value,
): string | undefined {
  const table: Readonly<Record<string, Sentence | undefined>> | undefined =
    code === 'registry.refused' ? REFUSED : code === 'registry.unreachable' ? UNREACHABLE : code === 'install.failed' ? INSTALL : undefined;
  const reason = String(params['reason'] ?? '');
  const sentence = table && Object.hasOwn(table, reason) ? table[reason] : undefined;
  const values = Object.fromEntries(Object.entries(params).map(([name, value]) => [name, typeof value === 'string' ? show(value) : value]));
  return sentence?.(t, values);
}
