/** Decodes the account that an agent reports: `auth/status` and its update, and the older `_auth/status_update` of two agents. */
import type { AgentAccount } from '../../core/account/account';
import { type Fields, isRecord, labelOf } from '../json/fields';

const STATES: readonly unknown[] = ['authenticated', 'unauthenticated', 'not_required'] satisfies AgentAccount['state'][];

/** UTF-16 units of the label. */
const MAX_LABEL = 200;

/** Returns the account; undefined when the params are not a status. */
export function decodeAuthStatus(params: unknown): AgentAccount | undefined {
  if (!isRecord(params)) {
    return undefined;
  }
  if (isRecord(params.authStatus)) {
    return vendorStatus(params.authStatus);
  }
  if (typeof params.state !== 'string') {
    return undefined;
  }
  const accounts = Array.isArray(params.accounts) ? params.accounts.filter(isRecord) : [];
  const active = accounts.filter((account) => account.active === true);
  const label = (active.length > 0 ? active : accounts).flatMap((account) => labelOf(account.label) ?? []).join(', ');
  const state = STATES.includes(params.state) ? (params.state as AgentAccount['state']) : 'unknown';
  return { state, ...(label !== '' && { label: label.slice(0, MAX_LABEL) }) };
}

/** `kind: "none"` means signed out. */
function vendorStatus({ kind, label }: Fields): AgentAccount | undefined {
  if (typeof kind !== 'string') {
    return undefined;
  }
  const name = kind === 'none' ? undefined : labelOf(label);
  return { state: kind === 'none' ? 'unauthenticated' : 'authenticated', ...(name !== undefined && { label: name.slice(0, MAX_LABEL) }) };
}
