/** A {@link Failure} in the user's language: what happened, and what can be done about it. Its `detail` is shown beside, verbatim. */
import type { Failure } from '../../src/core/model/failure';
import { FAILURE_SENTENCES, type FailureParams } from './failureSentences';
import { t } from '../l10n';

export function failureWords(failure: Failure): string {
  const { params } = failure;
  // A journal of another version may hold a code that we do not know, or `constructor`.
  const sentence = Object.hasOwn(FAILURE_SENTENCES, failure.code) ? FAILURE_SENTENCES[failure.code] : undefined;
  const what = sentence?.(params ?? {}) ?? t('Something went wrong ({code}).', { code: failure.code });
  const exit = exitWords(params);
  return exit && !what.includes(exit) ? `${what} ${exit}` : what;
}

/** How the process ended, when the failure knows. */
function exitWords(params: FailureParams | undefined): string {
  const signal = params?.['signal'];
  const exitCode = params?.['exitCode'];
  if (signal !== undefined && signal !== '') {
    return t('It was ended by {signal}.', { signal });
  }
  if (typeof exitCode === 'number') {
    return t('Its exit code was {exitCode}.', { exitCode });
  }
  return '';
}

/** What the user can do about an agent that did not start, or went away; '' when the sentence and the buttons say it. */
export function adviceWords({ code, params = {}, detail = '' }: Failure): string {
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
        : t('Correct the command in the settings.');
    case 'agent.not_executable':
    case 'agent.line_break_in_argument':
      return t('Correct the command in the settings.');
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
    default:
      return '';
  }
}
