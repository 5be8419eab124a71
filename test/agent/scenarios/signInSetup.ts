/** The agent of the sign-in scenarios: it offers every sign-in method. */
import type { AuthMethod as WireMethod } from '@agentclientprotocol/sdk';
import type { AccountSetup } from '../scripted/account';
import type { Setup } from '../scripted/agent';

const METHODS = [
  { id: 'browser', name: 'Browser', description: 'Opens a page' },
  { id: 'login', name: 'Log in', type: 'terminal', args: ['--login'], env: { LOGIN_CODE: 'please' } },
  { id: 'wrong', name: 'Log in wrongly', type: 'terminal', args: ['--login'], env: { LOGIN_CODE: 'pretty please' } },
  { id: 'key', name: 'Key', type: 'env_var', vars: [{ name: 'SCRIPTED_KEY' }] },
] as unknown as WireMethod[];

const CAPABILITIES = {
  promptCapabilities: { image: true, embeddedContext: true },
  sessionCapabilities: { close: {}, resume: {} },
  auth: { logout: {} },
};

/** @param account which requests need a sign-in, and its effects */
export function setup(account: AccountSetup, more: Setup = {}): Setup {
  return {
    account: { file: 'signed-in', ...account },
    keeps: true,
    ...more,
    initialize: { authMethods: METHODS, agentCapabilities: CAPABILITIES, ...more.initialize },
  };
}
