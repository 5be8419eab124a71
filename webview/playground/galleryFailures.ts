/**
 * Failing agents, as the host reports them. test/agent/failures starts the same ones as real processes; test/browser/failures.test.ts renders each.
 */
import type { Failure } from '../../src/core/model/failure';

const NPX = { commandLine: 'npx --yes @acme/agent@1.2.3', exitCode: 1 };
const AGENT = { commandLine: '/home/ada/bin/agent --acp', exitCode: 1 };

const npm = (...lines: readonly string[]): string =>
  [...lines, 'A complete log of this run can be found in: /home/ada/.npm/_logs/2026-11-22T14_56_42_856Z-debug-0.log']
    .map((line) => `npm error ${line}`)
    .join('\n');

export const FAILURES: readonly { readonly name: string; readonly failure: Failure; readonly isTurn?: boolean }[] = [
  {
    name: 'no network',
    failure: {
      code: 'agent.exited_at_start',
      params: { ...NPX, cause: 'network', host: 'registry.npmjs.org' },
      detail: npm(
        'code ENOTFOUND',
        'syscall getaddrinfo',
        'errno ENOTFOUND',
        'network request to https://registry.npmjs.org/@acme%2fagent failed, reason: getaddrinfo ENOTFOUND registry.npmjs.org',
        'network This is a problem related to network connectivity.',
        'network In most cases you are behind a proxy or have bad network settings.',
        'network',
        "network If you are behind a proxy, please make sure that the 'proxy' config is set properly.  See: 'npm help config'",
      ),
    },
  },
  {
    name: 'a proxy that is not there',
    failure: {
      code: 'agent.exited_at_start',
      params: { ...NPX, cause: 'proxy', host: 'proxy.acme.example:3128' },
      detail: npm(
        'code ECONNREFUSED',
        'request to https://registry.npmjs.org/@acme%2fagent failed, reason: connect ECONNREFUSED 10.0.0.1:3128',
      ),
    },
  },
  {
    name: 'a registry that refuses',
    failure: {
      code: 'agent.exited_at_start',
      params: { ...NPX, cause: 'registry_access' },
      detail: npm('code E401', 'Incorrect or missing password.', 'To correct this please try logging in again with:', '  npm login'),
    },
  },
  {
    name: 'a certificate nobody trusts',
    failure: {
      code: 'agent.exited_at_start',
      params: { ...NPX, cause: 'certificate', host: 'registry.npmjs.org' },
      detail: npm('code UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'errno UNABLE_TO_GET_ISSUER_CERT_LOCALLY'),
    },
  },
  {
    name: 'a package that is not there',
    failure: {
      code: 'agent.exited_at_start',
      params: { ...NPX, cause: 'package', package: '@acme/no-such-agent' },
      detail: npm('code E404', '404 Not Found - GET https://registry.npmjs.org/@acme%2fno-such-agent - Not found'),
    },
  },
  {
    name: 'no Node.js',
    failure: {
      code: 'agent.exited_at_start',
      params: { ...AGENT, exitCode: 127, cause: 'node_missing' },
      detail: '/usr/bin/env: ‘node’: No such file or directory',
    },
  },
  {
    name: 'an old Node.js',
    failure: {
      code: 'agent.exited_at_start',
      params: { ...NPX, cause: 'node_version', required: '20', nodeVersion: '16.20.2' },
      detail: "SyntaxError: Unexpected token 'with'\nNode.js v16.20.2",
    },
  },
  {
    name: 'a file that is no program',
    failure: {
      code: 'agent.not_executable',
      params: {
        command: '/home/ada/bin/agent',
        commandLine: '/home/ada/bin/agent --acp',
        cause: 'not_executable',
        program: '/home/ada/bin/agent',
      },
    },
  },
  {
    name: 'root',
    failure: {
      code: 'agent.exited_at_start',
      params: { ...AGENT, cause: 'root_permissions' },
      detail: '--dangerously-skip-permissions cannot be used with root/sudo privileges for security reasons',
    },
  },
  {
    name: 'a port in use',
    failure: {
      code: 'agent.exited_at_start',
      params: { ...AGENT, cause: 'port', port: '3000' },
      detail: 'Error: listen EADDRINUSE: address already in use 127.0.0.1:3000',
    },
  },
  {
    name: 'no credit',
    isTurn: true,
    failure: {
      code: 'request.failed',
      params: { agent: 'Acme Agent', method: 'session/prompt', code: -32603, cause: 'credit' },
      detail: 'Internal error\nCredit balance is too low',
    },
  },
  {
    name: 'nobody is signed in',
    failure: {
      code: 'agent.exited_at_start',
      params: { ...AGENT, cause: 'sign_in' },
      detail: 'Error: No authentication information found.',
    },
  },
  {
    name: 'something else',
    failure: {
      code: 'agent.exited_at_start',
      params: { ...AGENT, exitCode: 3 },
      detail: Array.from(
        { length: 40 },
        (_, index) => `panic ${index}: out of cheese, in a line that is rather long and breaks where the page is narrow`,
      ).join('\n'),
    },
  },
];
