/**
 * The causes of an agent's failures, in words, for host and page: one sentence and one action for each cause that `recognizeCause.ts` knows. The
 * failure's other text (npm's output, an agent's stderr) is never part of a sentence. Inserted values were checked for their form. Pure.
 */
import type { TranslateVerbatim, Values } from './translate';

/** The cause: a word in a failure's parameters, `cause`. Journals have these words, so they must not change. */
export type FailureCause =
  | 'network'
  | 'service'
  | 'proxy'
  | 'proxy_sign_in'
  | 'certificate'
  | 'certificate_date'
  | 'registry_access'
  | 'registry_unavailable'
  | 'package'
  | 'private_package'
  | 'package_version'
  | 'node_missing'
  | 'node_version'
  | 'shell'
  | 'program_missing'
  | 'not_executable'
  | 'wrong_platform'
  | 'root'
  | 'root_permissions'
  | 'port'
  | 'docker'
  | 'disk_full'
  | 'no_write_access'
  | 'credit'
  | 'usage_limit'
  | 'rate_limit'
  | 'overloaded'
  | 'api_key'
  | 'sign_in';

/** The one action to offer. `retry` is the retry at the place where the failure is shown. */
export type CauseAction = 'retry' | 'open_settings' | 'install_node' | 'sign_in';

interface Explanation {
  readonly action: CauseAction;
  /** @param v the failure's parameters, with general words for missing ones */
  say(t: TranslateVerbatim, v: Values): string;
}

const CAUSES: Record<FailureCause, Explanation> = {
  network: {
    action: 'retry',
    say: (t, v) => t("{host} couldn't be reached: check your network connection, then retry.", v),
  },
  service: {
    action: 'retry',
    say: (t, v) => t('Nothing answers at {host}: start the program that should, then retry.', v),
  },
  proxy: {
    action: 'open_settings',
    say: (t, v) => t("{proxy} didn't answer: correct HTTPS_PROXY in the agent's settings.", v),
  },
  proxy_sign_in: {
    action: 'open_settings',
    say: (t, v) => t("{proxy} requires a user name and password: add them to HTTPS_PROXY in the agent's settings.", v),
  },
  certificate: {
    action: 'open_settings',
    say: (t, v) =>
      t("The certificate of {host} isn't trusted: set {variable} in the agent's settings to your organization's certificate file.", v),
  },
  certificate_date: {
    action: 'retry',
    say: (t, v) => t("The certificate of {host} has expired or isn't valid yet: check your computer's date, then retry.", v),
  },
  registry_access: {
    action: 'retry',
    say: (t, v) => t('{registry} refused access: sign in to it in a terminal, then retry.', v),
  },
  registry_unavailable: {
    action: 'retry',
    say: (t, v) => t("{registry} isn't available: wait a while, then retry.", v),
  },
  package: {
    action: 'open_settings',
    say: (t, v) => t("{package} was not found: correct the package's name in the agent's settings.", v),
  },
  private_package: {
    action: 'retry',
    say: (t, v) => t("{package} isn't on {host}, or you can't see it: sign in to that registry in a terminal, then retry.", v),
  },
  package_version: {
    action: 'open_settings',
    say: (t, v) => t("No version matches {package}: correct the version in the agent's settings.", v),
  },
  node_missing: {
    action: 'install_node',
    say: (t) => t('Node.js was not found: install it, then retry.'),
  },
  node_version: {
    action: 'install_node',
    say: (t, v) =>
      v['required'] === undefined
        ? t('{node} is too old for this agent: install a newer version, then retry.', v)
        : t('This agent needs Node.js {required} or newer: install it, then retry.', v),
  },
  shell: {
    action: 'open_settings',
    say: (t, v) =>
      t('{needed} was not found, and {shell} failed or took too long to start: check its startup files, then reload the window.', v),
  },
  program_missing: {
    action: 'open_settings',
    say: (t, v) =>
      v['needed'] === undefined
        ? t('A program that the agent needs was not found: install it, then restart VS Code.')
        : t('{needed}, which the agent needs, was not found: install it, then restart VS Code.', v),
  },
  not_executable: {
    action: 'retry',
    say: (t, v) => t("{program} isn't executable: run chmod +x on it, then retry.", v),
  },
  wrong_platform: {
    action: 'open_settings',
    say: (t, v) => t("{program} wasn't built for this computer: use a build for its operating system and processor.", v),
  },
  root: {
    action: 'open_settings',
    say: (t) => t('The agent refuses to run as root: run VS Code as another user.'),
  },
  root_permissions: {
    action: 'open_settings',
    say: (t) => t("The agent doesn't skip permission requests as root: turn that off in the agent's settings."),
  },
  port: {
    action: 'retry',
    say: (t, v) =>
      v['port'] === undefined
        ? t('A port that the agent needs is in use: close the program that uses it, then retry.')
        : t('Port {port} is in use: close the program that uses it, then retry.', v),
  },
  docker: {
    action: 'retry',
    say: (t) => t("Docker isn't running: start it, then retry."),
  },
  disk_full: {
    action: 'retry',
    say: (t) => t('The disk is full: free some space, then retry.'),
  },
  no_write_access: {
    action: 'retry',
    say: (t) => t("The package manager can't write to its cache folder: correct the folder's owner, then retry."),
  },
  credit: {
    action: 'retry',
    say: (t) => t('Your account has no credit left: add credit with your provider, then retry.'),
  },
  usage_limit: {
    action: 'retry',
    say: (t) => t("You have reached your plan's usage limit: wait until it resets, then retry."),
  },
  rate_limit: {
    action: 'retry',
    say: (t) => t("The provider's rate limit was reached: wait a moment, then retry."),
  },
  overloaded: {
    action: 'retry',
    say: (t) => t("The model's provider is overloaded: wait a moment, then retry."),
  },
  api_key: {
    action: 'open_settings',
    say: (t) => t("The API key is missing or invalid: set it in the agent's settings."),
  },
  sign_in: {
    action: 'sign_in',
    say: (t) => t("You aren't signed in: sign in to the agent, then retry."),
  },
};

/** Returns the cause that a failure's parameters name; undefined for a word of another version. */
export function causeIn(params: Values | undefined): FailureCause | undefined {
  const cause = params?.['cause'];
  return typeof cause === 'string' && Object.hasOwn(CAUSES, cause) ? (cause as FailureCause) : undefined;
}

/** Returns one sentence with the cause and the advice. @param v the failure's parameters, made safe */
export function causeSentence(cause: FailureCause, v: Values, t: TranslateVerbatim): string {
  const { host, nodeVersion: version } = v;
  return CAUSES[cause].say(t, {
    host: t('the server'),
    proxy: host === undefined ? t('the proxy') : t('the proxy {host}', { host }),
    registry: host ?? t('the package registry'),
    package: t('the package'),
    program: t('the program'),
    node: version === undefined ? t('the installed Node.js') : t('Node.js {version}', { version }),
    variable: 'NODE_EXTRA_CA_CERTS',
    ...v,
  });
}

const OF_ONE_AGENT: ReadonlySet<FailureCause> = new Set(['credit', 'usage_limit', 'rate_limit', 'overloaded']);

/** True for a cause in this agent's own account. Another agent can continue meanwhile. */
export function isAgentSpecific(cause: FailureCause): boolean {
  return OF_ONE_AGENT.has(cause);
}

export function causeAction(cause: FailureCause): CauseAction {
  return CAUSES[cause].action;
}
