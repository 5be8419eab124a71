/** What the user can do about a failure: the long sentence's end, and what the page shows below the short one. Pure. */
import type { Failure } from '../../core/model/failure';
import type { TranslateVerbatim } from './translate';

/** @returns '' when the short sentence says it, or nothing can be done. */
export function failureAdvice({ code, params = {}, detail = '' }: Failure, t: TranslateVerbatim): string {
  switch (code) {
    case 'agent.not_found':
      return /^(node|npm|npx)(\.\w+)?$/i.test(String(params['command']))
        ? t('It comes with Node.js. Install Node.js from nodejs.org and restart VS Code, or check the command in the settings.')
        : t("Install it, or check the command in the settings. If it isn't on your PATH, use the full path.");
    case 'agent.spawn_failed':
      // The program itself was looked for and is there.
      return detail.includes('ENOENT')
        ? t(
            "It's a script, and the program that runs it was not found. Install that program (often Node.js, from nodejs.org) and restart VS Code.",
          )
        : correctCommand(t);
    case 'agent.not_executable':
    case 'agent.line_break_in_argument':
      return correctCommand(t);
    case 'agent.bad_cwd':
      return t('Create the folder, or change it in the settings.');
    case 'agent.exited_at_start':
      // As `env` and the shells say it of a script that Node.js runs.
      if (/\bnode\b\W{1,4}(no such file|(command )?not found|is not recognized)/i.test(detail)) {
        return t('It needs Node.js, which was not found. Install Node.js from nodejs.org and restart VS Code.');
      }
      return t("Check the output below, then retry or edit the agent's settings.");
    case 'agent.start_timeout':
      return t('It may be waiting for something. Check the log, or increase timeoutMs in the settings.');
    case 'protocol.version':
      return t('Update the agent or ACP Host.');
    case 'auth.required':
      return params['methods'] ? t('Retry to select one.') : t("Sign in with the agent's own program in a terminal, then retry.");
    case 'turn.busy':
    case 'session.not_ready':
      return t('Your message was not sent.');
    case 'session.folders_fixed':
      return t('Start a new session to use them.');
    case 'internal':
      return t('See the log for details.');
    default:
      return '';
  }
}

function correctCommand(t: TranslateVerbatim): string {
  return t('Check the command in the settings.');
}
