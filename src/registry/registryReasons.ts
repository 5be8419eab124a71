/** The reasons of failures with the codes `registry.refused`, `registry.unreachable` and `install.failed`, in their parameter `reason`. */
import { fault, type Failure, type Fault } from '../core/model/failure';

/** A mistake of a manifest. `field` is a further parameter. */
export type RefusalReason = 'not_an_object' | 'missing' | 'invalid' | 'duplicate' | 'too_large' | 'not_pinned';

/** A registry that gave no list. */
export type UnreachableReason = RequestReason | 'not_json' | 'not_a_registry';

/** A request without a usable response. */
export type RequestReason =
  | 'bad_address'
  | 'other_scheme'
  | 'too_many_redirects'
  | 'no_connection'
  | 'http_status'
  | 'too_slow'
  | 'too_large'
  | 'cut_off'
  | 'cancelled';

/** An installation that failed. */
export type InstallReason =
  | RequestReason
  | 'refused_entry'
  | 'no_platform'
  | 'not_pinned'
  | 'installer_format'
  | 'wrong_checksum'
  | 'unsafe_archive'
  | 'archive_too_large'
  | 'damaged_archive'
  | 'no_program'
  | 'no_node'
  | 'no_npm'
  | 'no_uv'
  | 'not_found'
  | 'too_new'
  | 'needs_other_node'
  | 'package_manager_failed'
  | 'disk_full'
  | 'not_writable'
  | 'in_use'
  | 'not_installed'
  | 'no_earlier_version';

type Params = Readonly<Record<string, string | number>>;

export function refusal(reason: RefusalReason, field?: string): Failure {
  return { code: 'registry.refused', params: { reason, ...(field !== undefined && { field }) } };
}

export function unreachable(reason: UnreachableReason, params: Params = {}, detail?: string): Failure {
  return { code: 'registry.unreachable', params: { ...params, reason }, ...(detail !== undefined && { detail }) };
}

export function installFault(reason: InstallReason, params: Params = {}, detail?: string): Fault {
  return fault('install.failed', { ...params, reason }, detail === undefined ? {} : { detail });
}
