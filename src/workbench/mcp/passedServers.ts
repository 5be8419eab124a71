/** The setting that says which MCP servers agents get. */
import { settings } from '../../application/shared/ids';
import { userValue } from '../settings/userValue';

/** `acpHost.passMcpServers` of the user. */
export function passedServers(): 'all' | 'user' | 'off' {
  const value = userValue(settings.passMcpServers);
  return value === 'user' || value === 'off' ? value : 'all';
}
