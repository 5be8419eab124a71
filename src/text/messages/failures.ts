/**
 * Failures in words, for host and page: the short sentence says what happened, the long one goes on with what can be done and what was run.
 * A failure's `detail` is in neither: it is somebody else's text, shown beside them. Pure; the type makes the table complete.
 */
import type { Failure, FailureCode } from '../../core/model/failure';
import { failureAdvice } from './advice';
import type { TranslateVerbatim, Values } from './translate';

/** @param v the failure's parameters, with words in place of missing ones; `given`: without those */
type Sentence = (t: TranslateVerbatim, v: Values, given: Values) => string;

/** How a parameter, which may be somebody else's text, is put into a sentence. */
export type ShowValue = (value: string) => string;

const asItIs: ShowValue = (value) => value;

const closed: Sentence = (t) => t('The connection to the agent was closed.');
const notFound: Sentence = (t, v) => t('{command} was not found.', v);
const notStarted: Sentence = (t, v) => t('{command} could not be started.', v);
const interrupted: Sentence = (t) => t('Interrupted: the window was closed or reloaded.');

/** Parameters are paths, command lines, names and numbers; never an environment value. */
const SHORT: Record<FailureCode, Sentence> = {
  'agent.not_found': notFound,
  'agent.not_executable': (t, v) => t('{command} is not a program that can be run.', v),
  'agent.spawn_failed': notStarted,
  'agent.exited_at_start': (t) => t('The agent ended before it was ready.'),
  'agent.start_timeout': (t, v) =>
    has(v, 'seconds') ? t('The agent did not answer within {seconds} seconds.', v) : t('The agent did not answer in time.'),
  'agent.start_cancelled': (t) => t('The start was cancelled.'),
  'agent.bad_cwd': (t, v) => t('The agent cannot start in {cwd}: it does not exist, or is not a folder.', v),
  'agent.line_break_in_argument': (t) =>
    t('An argument of the agent’s command holds a line break, which this kind of program cannot be given.'),
  'agent.exited': (t) => t('The agent’s process has ended.'),
  'connection.closed': closed,
  'connection.disposed': closed,
  'protocol.version': (t, v) =>
    has(v, 'actual')
      ? t('The agent speaks version {actual} of the protocol, which is not supported.', v)
      : t('The agent speaks a version of the protocol that is not supported.'),
  'protocol.bad_answer': (t, v) => t('The agent’s answer to {method} could not be understood.', v),
  'request.failed': (t, v) => t('The agent answered {method} with an error.', v),
  'request.timeout': (t, v) =>
    has(v, 'seconds')
      ? t('The agent did not answer {method} within {seconds} seconds.', v)
      : t('The agent did not answer {method} in time.', v),
  'request.cancelled': (t) => t('The request was cancelled.'),
  'auth.required': (t, v) =>
    has(v, 'methods') ? t('The agent wants you to sign in first. It offers: {methods}.', v) : t('The agent wants you to sign in first.'),
  'auth.not_finished': (t) => t('The sign-in was not finished.'),
  'auth.program_failed': (t) => t('The agent’s sign-in program ended without success.'),
  'auth.terminal_closed': (t) => t('The terminal was closed before the sign-in was finished.'),
  'auth.unsafe_variable': (t, v) => t('The agent wants to set {name}, which decides what other programs do. That is refused.', v),
  'auth.unknown_method': (t) => t('The agent does not offer this way to sign in.'),
  'turn.busy': (t) => t('The agent is still working on the last message.'),
  'turn.not_taken': (t, v) =>
    has(v, 'types') ? t('This agent does not take attachments of this kind: {types}.', v) : t('This agent does not take this attachment.'),
  'turn.failed': (t) => t('The agent could not finish this turn.'),
  'session.ended': (t) => t('This session has ended.'),
  'session.not_ready': (t) => t('The agent is not ready yet.'),
  'session.interrupted': interrupted,
  'session.left_out': (t, v) =>
    has(v, 'count')
      ? t('{count} events in the middle of this session were not kept: it is larger than the setting acpHost.journal.maxSize allows.', v)
      : t('Some events in the middle of this session were not kept: it is larger than the setting acpHost.journal.maxSize allows.'),
  'session.agent_removed': (t, v, given) =>
    together(interrupted(t, v, given), capital(t('{agent} is no longer among your agents.', v), given)),
  'session.restarted': (t) => t('The agent was started again. It does not remember the conversation above.'),
  'session.not_loaded': (t) => t('The agent cannot open earlier sessions.'),
  'session.not_replayed': (t) => t('The agent goes on with this session, but does not tell what was said before.'),
  'session.own_record': (t) =>
    t('The agent goes on with this session and told nothing of what was said before: what stands above is our own record.'),
  'session.open_elsewhere': (t) => t('This session is open already, in another panel.'),
  'session.not_listed': (t, v) => t('{agent} does not list its sessions.', v),
  'session.not_deleted': (t, v) => t('{agent} does not offer to delete its sessions.', v),
  'session.folders_untold': (t, v) =>
    has(v, 'folders')
      ? t('The agent cannot be told of further folders. It may still read and write there through VS Code: {folders}', v)
      : t('The agent cannot be told of further folders.'),
  'session.folders_fixed': (t) => t('This agent cannot be given other folders while a session goes on.'),
  'session.root_changed': (t, v) =>
    t(
      '{folder} was replaced or leads elsewhere now, so the agent can no longer use it in this session. Start a new session to work there.',
      v,
    ),
  'session.replayed': (t) => t('Replayed from a log, which ends here.'),
  'log.damaged': (t, v) =>
    has(v, 'lines') ? t('Lines of the log that could not be read: {lines}.', v) : t('Parts of the log could not be read.'),
  'fs.not_found': (t, v) => t('{path} does not exist.', v),
  'fs.outside_roots': (t, v) => t('{path} is outside this session’s folders.', v),
  'fs.not_absolute': (t, v) => t('{path} is not an absolute path.', v),
  'fs.protected': (t, v) => t('You did not allow the agent to use {path}, which is protected.', v),
  'fs.led_elsewhere': (t, v) => t('{path} led to another file when you had answered, so nothing was done.', v),
  'fs.is_directory': (t, v) => t('{path} is a folder.', v),
  'fs.binary': (t, v) => t('{path} is not a text file.', v),
  'fs.too_large': (t, v) => t('{path} is too large.', v),
  'fs.unreadable': (t, v) => t('{path} could not be read.', v),
  'fs.conflict': (t, v) => {
    if (!has(v, 'lines')) {
      return t('{path} was changed where the agent wanted to change it. Nothing was written.', v);
    }
    return /^\d+$/.test(String(v['lines']))
      ? t('The agent’s change to {path} was not made: line {lines} was changed meanwhile.', v)
      : t('The agent’s change to {path} was not made: lines {lines} were changed meanwhile.', v);
  },
  'fs.stale_on_disk': (t, v) =>
    t('{path} was changed on disk meanwhile. The agent’s change is in the editor, not saved; Undo takes it back.', v),
  'fs.save_failed': (t, v) => t('{path} was changed but could not be saved. Undo takes the change back.', v),
  'fs.read_only': (t, v) => t('{path} is read-only.', v),
  'fs.notebook_dirty': (t, v) => t('{path} is a notebook with unsaved changes: save it first.', v),
  'fs.edit_refused': (t, v) => t('The editor refused the change to {path}.', v),
  'fs.write_failed': (t, v) => t('{path} could not be written.', v),
  'terminal.unknown': (t) => t('The agent named a terminal that does not exist.'),
  'terminal.released': (t) => t('The agent named a terminal that it has released.'),
  'terminal.not_found': notFound,
  'terminal.outside_roots': (t, v) => t('{place} is outside this session’s folders, so no command runs there.', v),
  'terminal.refused': (t, v) => t('You did not allow {command} to run.', v),
  'terminal.spawn_failed': notStarted,
  'terminal.too_many': (t) => t('The agent has too many terminals open.'),
  'config.invalid': (t, v) => t('{key} in your settings is not valid{expectation}.', v),
  'params.invalid': (t) => t('The agent’s request was not valid.'),
  internal: (t) => t('Something went wrong inside the extension.'),
};

/** What happened, and how the process ended where that is known. */
export function shortFailure({ code, params = {} }: Failure, t: TranslateVerbatim, show: ShowValue = asItIs): string {
  const given = givenOf(params, show);
  // A journal of another version may hold a code that we do not know, or `constructor`.
  const said = Object.hasOwn(SHORT, code)
    ? capital(SHORT[code](t, { ...standIns(given, t), ...given }, given), given)
    : t('Something went wrong ({code}).', { code: show(code) });
  return together(said, exitWords(given, t));
}

/** {@link shortFailure}, what can be done about it, and what was run. */
export function longFailure(failure: Failure, t: TranslateVerbatim, show: ShowValue = asItIs): string {
  const line = failure.params?.['commandLine'];
  const ran = line === undefined ? '' : `${wasRun(t)} ${show(String(line))}`;
  return together(shortFailure(failure, t, show), failureAdvice(failure, t), ran);
}

/** Before the command line. */
export function wasRun(t: TranslateVerbatim): string {
  return t('This was run:');
}

function together(...sentences: readonly string[]): string {
  return sentences.filter(Boolean).join(' ');
}

/** The parameters as they are shown, and a time in seconds. */
function givenOf(params: NonNullable<Failure['params']>, show: ShowValue): Values {
  const given: Record<string, string | number> = {};
  for (const [name, value] of Object.entries(params)) {
    if (value !== '') {
      given[name] = typeof value === 'number' ? value : show(value);
    }
  }
  const ms = params['ms'] ?? params['timeoutMs'];
  if (typeof ms === 'number') {
    given['seconds'] = Math.round(ms / 100) / 10;
  }
  return given;
}

/** Words for the parameters that a sentence cannot do without. */
function standIns({ setting, agentName, field, path, cwd, expected }: Values, t: TranslateVerbatim): Values {
  return {
    command: t('the command'),
    path: t('the file'),
    cwd: t('the folder'),
    place: path ?? cwd ?? t('the folder'),
    folder: t('a folder of this session'),
    method: t('the request'),
    name: t('a variable'),
    agent: t('the agent'),
    key: [setting, agentName, field].filter((part) => part !== undefined).join(' › ') || t('an entry'),
    expectation: expectationOf(expected, t),
  };
}

/** A sentence may begin with a word that stands in for a parameter; a parameter itself keeps its case. */
function capital(sentence: string, given: Values): string {
  const isOwn = Object.values(given).some((value) => typeof value === 'string' && value !== '' && sentence.startsWith(value));
  return isOwn ? sentence : sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

function has(v: Values, name: string): boolean {
  return v[name] !== undefined;
}

/** How the process ended, when the failure knows. */
function exitWords({ exitCode, signal }: Values, t: TranslateVerbatim): string {
  if (signal !== undefined) {
    return t('It was ended by {signal}.', { signal });
  }
  return typeof exitCode === 'number' ? t('Its exit code was {exitCode}.', { exitCode }) : '';
}

/** What `agent/parseAgents.ts` asks of a field. */
function expectationOf(expected: string | number | undefined, t: TranslateVerbatim): string {
  switch (expected) {
    case 'string':
      return t(': it must be a text');
    case 'object':
      return t(': it must be an object');
    case 'array':
      return t(': it must be a list');
    case 'program':
      return t(': it must be the name of a program or an absolute path');
    case 'absolutePath':
      return t(': it must be an absolute path');
    case 'positiveNumber':
      return t(': it must be a number above zero');
    case 'name':
      return t(': the name is empty');
    default:
      return '';
  }
}
