/** Advice about failures: the end of the long sentence, and the line that the page shows below the short one. Pure. */
import type { Failure } from '../../core/model/failure';
import { causeIn } from './causes';
import type { TranslateVerbatim } from './translate';

/** @returns '' when the short sentence has it, or nothing can be done. */
export function failureAdvice({ code, params = {}, detail = '' }: Failure, t: TranslateVerbatim): string {
  if (params['earlierVersion'] !== undefined) {
    return t('Version {version} is still installed: roll back to it, or retry.', { version: String(params['earlierVersion']) });
  }
  if (causeIn(params) !== undefined) {
    return '';
  }
  // An agent from a registry has no entry in the settings.
  if (params['isInstalled'] === 'yes') {
    if (/^agent\.(?:exited_at|start_timeout)/.test(code)) {
      return t("Check the log, then retry or open the agent's page.");
    }
    if (/^agent\.(?:not|spawn)_/.test(code)) {
      return t("Open the agent's page to uninstall it and install it again.");
    }
  }
  if (params['printsText'] === 'yes') {
    return t("It prints text that isn't ACP. Is an argument such as --acp missing?");
  }
  switch (code) {
    case 'agent.not_found':
      return t("Install it, or check the command in the settings. If it isn't on your PATH, use the full path.");
    case 'agent.spawn_failed':
    case 'agent.not_executable':
    case 'agent.line_break_in_argument':
      return correctCommand(t);
    case 'agent.bad_cwd':
      return t('Create the folder, or change it in the settings.');
    case 'agent.exited_at_start':
      return detail.trim() === ''
        ? t("Retry, or edit the agent's settings.")
        : t("Check the output below, then retry or edit the agent's settings.");
    case 'agent.start_timeout':
      return t('It may be waiting for something. Check the log, or increase timeoutMs in the settings.');
    case 'proxy.not_started':
    case 'proxy.exited_at_start':
    case 'proxy.not_a_proxy':
      return t("Check the agent's proxies in the settings.");
    case 'proxy.start_timeout':
      return t("It must forward or answer the request. Check the agent's proxies in the settings.");
    case 'proxy.exited':
    case 'proxy.not_reading':
      return t('Your next message starts the agent and its proxies again.');
    case 'protocol.echo':
      return t("It doesn't speak ACP. An argument such as --acp may be missing.");
    case 'protocol.version':
      return t('Update the agent or ACP Host.');
    case 'auth.required':
      return params['methods'] ? t('Sign in to select one.') : t("Sign in with the agent's own program in a terminal, then retry.");
    case 'remote.unreachable':
      return t('Check that the agent runs there, then retry.');
    case 'remote.certificate':
      return t('If you trust it, install the certificate on this machine.');
    case 'remote.other_user':
      return t('If you trust it, set allowInsecure for the agent in the settings.');
    case 'remote.denied':
      return params['isEntered'] === 'yes' ? t('Retry, then enter the token again.') : t('Check the token in the settings.');
    case 'remote.not_found':
    case 'remote.not_acp':
      return t('Check the address in the settings.');
    case 'remote.redirected':
      return t('If you trust this address, set it in the settings.');
    case 'remote.too_large':
      return t('Increase acpHost.maxMessageSize in the settings.');
    case 'session.read_only':
    case 'turn.busy':
    case 'session.not_ready':
      return t('Your message was not sent.');
    case 'session.folders_fixed':
      return t('Start a new session to use them.');
    case 'sandbox.unsupported':
      return t('Reopen the folder in a dev container, or turn the sandbox off in the settings.');
    case 'sandbox.not_installed':
      return t('Install it, for example with "sudo apt install bubblewrap" or "sudo dnf install bubblewrap", then retry.');
    case 'sandbox.no_namespaces':
      return t('Allow them, for example with "sudo sysctl kernel.unprivileged_userns_clone=1", then retry.');
    case 'sandbox.restricted':
      return t('Add an AppArmor profile for bwrap, or run "sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0", then retry.');
    case 'sandbox.no_proc':
      return t('The container itself keeps the agent apart. Turn the sandbox off here, or allow unmasked /proc for the container.');
    case 'sandbox.not_a_process':
    case 'sandbox.failed':
      return t('The agent does not start without the sandbox. Turn it off in the settings if you want that.');
    case 'sandbox.refused':
      return t('Add the host to acpHost.sandboxHosts if you trust it.');
    case 'internal':
      return t('See the log for details.');
    default:
      return '';
  }
}

function correctCommand(t: TranslateVerbatim): string {
  return t('Check the command in the settings.');
}
