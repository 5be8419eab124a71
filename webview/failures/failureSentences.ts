/** What happened, a sentence for each kind of failure. */
import type { Failure, FailureCode } from '../../src/core/model/failure';
import { t } from '../l10n';

export type FailureParams = NonNullable<Failure['params']>;

/** `named` when the parameter is there, else `plain`: a sentence must read well whatever the sender knew. */
function one(params: FailureParams, name: string, named: string, plain: string): string {
  const value = params[name];
  return value === undefined || value === '' ? plain : t(named, { [name]: value });
}

export const FAILURE_SENTENCES: Record<FailureCode, (params: FailureParams) => string> = {
  'agent.not_found': (p) => one(p, 'command', 'The program “{command}” was not found.', t('The agent’s program was not found.')),
  'agent.not_executable': (p) =>
    one(p, 'command', '“{command}” is not a program that can be run.', t('The agent’s program cannot be run.')),
  'agent.spawn_failed': (p) => one(p, 'command', '“{command}” could not be started.', t('The agent could not be started.')),
  'agent.exited_at_start': () => t('The agent ended before it was ready.'),
  'agent.start_timeout': (p) =>
    typeof p['ms'] === 'number'
      ? t('The agent did not answer within {seconds} seconds.', { seconds: Math.round(p['ms'] / 100) / 10 })
      : t('The agent did not answer in time.'),
  'agent.start_cancelled': () => t('The start was cancelled.'),
  'agent.bad_cwd': (p) =>
    one(p, 'cwd', 'The folder “{cwd}” cannot be used: it does not exist, or is not a folder.', t('The agent’s folder cannot be used.')),
  'agent.line_break_in_argument': () =>
    t('An argument of the agent’s command holds a line break, which this kind of program cannot be given.'),
  'agent.exited': () => t('The agent’s process has ended.'),
  'connection.closed': () => t('The connection to the agent was closed.'),
  'connection.disposed': () => t('The connection to the agent was closed.'),
  'protocol.version': (p) =>
    one(
      p,
      'actual',
      'The agent speaks version {actual} of the protocol, which is not supported.',
      t('The agent speaks a version of the protocol that is not supported.'),
    ),
  'protocol.bad_answer': (p) =>
    one(p, 'method', 'The agent’s answer to {method} could not be understood.', t('The agent’s answer could not be understood.')),
  'request.failed': (p) => one(p, 'method', 'The agent answered {method} with an error.', t('The agent answered with an error.')),
  'request.timeout': (p) => one(p, 'method', 'The agent did not answer {method} in time.', t('The agent did not answer in time.')),
  'request.cancelled': () => t('The request was cancelled.'),
  'auth.required': (p) =>
    one(p, 'methods', 'The agent wants you to sign in first. It offers: {methods}.', t('The agent wants you to sign in first.')),
  'turn.busy': () => t('The agent is still working on the last message. Your text is kept.'),
  'turn.not_taken': (p) =>
    one(p, 'types', 'This agent does not take attachments of this kind: {types}.', t('This agent does not take this attachment.')),
  'turn.failed': () => t('The agent could not finish this turn.'),
  'session.ended': () => t('This session has ended.'),
  'session.not_ready': () => t('The agent is not ready yet. Your text is kept.'),
  'auth.not_finished': () => t('The sign-in was not finished.'),
  'auth.program_failed': () => t('The agent’s sign-in program ended without success.'),
  'auth.terminal_closed': () => t('The terminal was closed before the sign-in was finished.'),
  'auth.unsafe_variable': (p) =>
    one(
      p,
      'name',
      'The agent wants to set {name}, which decides what other programs do. That is refused.',
      t('The agent wants to set a variable that decides what other programs do. That is refused.'),
    ),
  'auth.unknown_method': () => t('The agent does not offer this way to sign in.'),
  'session.not_loaded': () => t('The agent cannot open earlier sessions.'),
  'session.not_replayed': () => t('The agent goes on with this session, but does not tell what was said before.'),
  'session.replayed': () => t('Replayed from a log, which ends here.'),
  'log.damaged': (p) => one(p, 'lines', 'Lines of the log that could not be read: {lines}.', t('Parts of the log could not be read.')),
  'session.restarted': () => t('The agent was started again. It does not remember the conversation above.'),
  'session.own_record': () =>
    t('The agent goes on with this session and told nothing of what was said before: what stands above is our own record.'),
  'session.open_elsewhere': () => t('This session is open already, in another panel.'),
  'session.not_listed': () => t('The agent does not list its sessions.'),
  'session.not_deleted': () => t('The agent does not offer to delete its sessions.'),
  'session.folders_untold': (p) =>
    one(
      p,
      'folders',
      'The agent cannot be told of further folders. It may still read and write there through VS Code: {folders}',
      t('The agent cannot be told of further folders.'),
    ),
  'session.folders_fixed': () => t('This agent cannot be given other folders while a session goes on.'),
  'session.root_changed': (p) =>
    one(
      p,
      'folder',
      '{folder} was replaced or leads elsewhere now, so the agent can no longer use it in this session. Start a new session to work there.',
      t(
        'A folder of this session was replaced or leads elsewhere now, so the agent can no longer use it. Start a new session to work there.',
      ),
    ),
  'session.left_out': (p) =>
    one(
      p,
      'count',
      '{count} events in the middle of this session were not kept: it is larger than the setting acpHost.journal.maxSize allows.',
      t('Some events in the middle of this session were not kept: it is larger than the setting acpHost.journal.maxSize allows.'),
    ),
  'session.interrupted': () => t('Interrupted: the window was closed or reloaded.'),
  'session.agent_removed': (p) =>
    one(
      p,
      'agent',
      'Interrupted: the window was closed or reloaded. {agent} is no longer among your agents.',
      t('Interrupted: the window was closed or reloaded.'),
    ),
  'fs.not_found': (p) => one(p, 'path', '{path} does not exist.', t('The file does not exist.')),
  'fs.outside_roots': (p) => one(p, 'path', '{path} is outside this session’s folders.', t('The file is outside this session’s folders.')),
  'fs.not_absolute': (p) => one(p, 'path', '{path} is not an absolute path.', t('The path is not absolute.')),
  'fs.protected': (p) =>
    one(
      p,
      'path',
      'You did not allow the agent to use {path}, which is protected.',
      t('You did not allow the agent to use a protected file.'),
    ),
  'fs.led_elsewhere': (p) =>
    one(
      p,
      'path',
      '{path} led to another file when you had answered, so nothing was done.',
      t('The file was another one when you had answered, so nothing was done.'),
    ),
  'fs.is_directory': (p) => one(p, 'path', '{path} is a folder.', t('That is a folder.')),
  'fs.binary': (p) => one(p, 'path', '{path} is not a text file.', t('That is not a text file.')),
  'fs.too_large': (p) => one(p, 'path', '{path} is too large.', t('The file is too large.')),
  'fs.unreadable': (p) => one(p, 'path', '{path} could not be read.', t('The file could not be read.')),
  'fs.conflict': (p) =>
    p['path'] !== undefined && p['lines'] !== undefined
      ? /^\d+$/.test(String(p['lines']))
        ? t('The agent’s change to {path} was not made: line {line} was changed meanwhile.', { path: p['path'], line: p['lines'] })
        : t('The agent’s change to {path} was not made: lines {lines} were changed meanwhile.', { path: p['path'], lines: p['lines'] })
      : one(
          p,
          'path',
          '{path} was changed where the agent wanted to change it. Nothing was written.',
          t('The file was changed where the agent wanted to change it. Nothing was written.'),
        ),
  'fs.stale_on_disk': (p) =>
    one(
      p,
      'path',
      '{path} was changed on disk meanwhile. The agent’s change is in the editor, not saved; Undo takes it back.',
      t('The file was changed on disk meanwhile. The agent’s change is in the editor, not saved.'),
    ),
  'fs.save_failed': (p) =>
    one(
      p,
      'path',
      '{path} was changed but could not be saved. Undo takes the change back.',
      t('The file was changed but could not be saved.'),
    ),
  'fs.read_only': (p) => one(p, 'path', '{path} is read-only.', t('The file is read-only.')),
  'fs.notebook_dirty': (p) =>
    one(p, 'path', '{path} is a notebook with unsaved changes: save it first.', t('The notebook has unsaved changes: save it first.')),
  'fs.edit_refused': (p) => one(p, 'path', 'The editor refused the change to {path}.', t('The editor refused the change.')),
  'fs.write_failed': (p) => one(p, 'path', '{path} could not be written.', t('The file could not be written.')),
  'terminal.unknown': () => t('There is no such terminal.'),
  'terminal.released': () => t('The terminal was released.'),
  'terminal.not_found': (p) => one(p, 'command', 'The command “{command}” was not found.', t('The command was not found.')),
  'terminal.outside_roots': (p) =>
    one(p, 'path', 'The folder {path} is outside this session’s folders.', t('The terminal’s folder is outside this session’s folders.')),
  'terminal.refused': (p) => one(p, 'command', 'You did not allow {command} to run.', t('You did not allow the command to run.')),
  'terminal.spawn_failed': (p) =>
    one(p, 'command', 'The command “{command}” could not be started.', t('The command could not be started.')),
  'terminal.too_many': () => t('Too many terminals run at once.'),
  'config.invalid': (p) => one(p, 'setting', 'The setting {setting} is not valid.', t('A setting is not valid.')),
  'params.invalid': () => t('The request was not valid.'),
  internal: () => t('Something went wrong inside the extension.'),
};
