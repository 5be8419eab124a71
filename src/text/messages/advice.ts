/** What the user can do about a failure: the long sentence's end, and what the page shows below the short one. Pure. */
import type { Failure } from '../../core/model/failure';
import type { TranslateVerbatim } from './translate';

/** @returns '' when the short sentence says it, or nothing can be done. */
export function failureAdvice({ code, params = {}, detail = '' }: Failure, t: TranslateVerbatim): string {
  switch (code) {
    case 'agent.not_found':
      return /^(node|npm|npx)(\.\w+)?$/i.test(String(params['command']))
        ? t('It comes with Node.js. Install that from nodejs.org and start VS Code anew, or correct the command in the settings.')
        : t('Install it, or correct the command in the settings. A program that is not on the PATH needs its whole path.');
    case 'agent.spawn_failed':
      // The program itself was looked for and is there.
      return detail.includes('ENOENT')
        ? t(
            'It is a script, and the program that runs it was not found. Install that (often it is Node.js, from nodejs.org), then start VS Code anew.',
          )
        : correctCommand(t);
    case 'agent.not_executable':
    case 'agent.line_break_in_argument':
      return correctCommand(t);
    case 'agent.bad_cwd':
      return t('Create the folder, or correct it in the settings.');
    case 'agent.exited_at_start':
      // As `env` and the shells say it of a script that Node.js runs.
      if (/\bnode\b\W{1,4}(no such file|(command )?not found|is not recognized)/i.test(detail)) {
        return t('It needs Node.js, which was not found. Install that from nodejs.org and start VS Code anew.');
      }
      return t('Read what it said, correct its entry in the settings, or try again.');
    case 'agent.start_timeout':
      return t('It may wait for something: see the log. More time can be given in the settings (timeoutMs).');
    case 'protocol.version':
      return t('Update the agent, or this extension.');
    case 'auth.required':
      return params['methods']
        ? t('Retry to choose one of them.')
        : t('Sign in with the agent’s own program in a terminal, then try again.');
    case 'turn.busy':
    case 'session.not_ready':
      return t('Your text is kept.');
    case 'session.folders_fixed':
      return t('Start a new session with them.');
    case 'internal':
      return t('The log has more.');
    default:
      return '';
  }
}

function correctCommand(t: TranslateVerbatim): string {
  return t('Correct the command in the settings.');
}
