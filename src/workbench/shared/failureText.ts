/** Failures in words: what happened, and what to do about it. Pure; the type makes the table complete. */
import type { Failure, FailureCode } from '../../core/model/failure';
import { inert, type InertText, joined, visible } from './escape';
import type { TranslateVerbatim, Values } from './translate';

type Sentence = (t: TranslateVerbatim, values: Values) => string;

const MAX_VALUE = 300;
const MAX_DETAIL = 600;

/**
 * Placeholders are for the parameters of the failure; {@link valuesOf} has words for those that are missing. Parameters are paths, command lines,
 * names and numbers; never an environment value.
 */
const SENTENCES: Record<FailureCode, Sentence> = {
  'agent.not_found': (t, v) => t('{command} was not found. Install it, or correct the agent’s command in the settings.', v),
  'agent.not_executable': (t, v) => t('{command} is not a program that can be run. Correct the agent’s command in the settings.', v),
  'agent.spawn_failed': (t, v) => t('{command} could not be started.', v),
  'agent.exited_at_start': (t, v) => t('The agent ended before it was ready{exit}. This was run: {commandLine}', v),
  'agent.start_timeout': (t, v) => t('The agent did not answer within {seconds} seconds of its start. This was run: {commandLine}', v),
  'agent.start_cancelled': (t) => t('The start was cancelled.'),
  'agent.bad_cwd': (t, v) => t('The agent cannot start in {cwd}: there is no such folder.', v),
  'agent.line_break_in_argument': (t) =>
    t('An argument of the agent’s command holds a line break, which Windows cannot pass on to a batch file.'),
  'agent.exited': (t, v) => t('The agent ended unexpectedly{exit}.', v),
  'connection.closed': (t) => t('The connection to the agent was closed.'),
  'connection.disposed': (t) => t('The session was closed.'),
  'protocol.version': (t, v) =>
    t('The agent speaks version {version} of the protocol, which is not supported. Update the agent or this extension.', v),
  'protocol.bad_answer': (t, v) => t('The agent’s answer to {method} could not be understood.', v),
  'request.failed': (t, v) => t('The agent refused {method}.', v),
  'request.timeout': (t, v) => t('The agent did not answer {method} within {seconds} seconds.', v),
  'request.cancelled': (t) => t('The request was cancelled.'),
  'auth.required': (t, v) => t('The agent wants you to sign in first: {methods}', v),
  'turn.busy': (t) => t('The agent is still working on the last message.'),
  'turn.not_taken': (t, v) => t('This agent does not take attachments of this kind: {types}', v),
  'turn.failed': (t) => t('The agent could not finish this turn.'),
  'session.ended': (t) => t('The session has ended.'),
  'session.not_ready': (t) => t('The session is not ready yet.'),
  'auth.not_finished': (t) => t('The sign-in was not finished.'),
  'auth.program_failed': (t, v) => t('The agent’s sign-in program ended without success{exit}.', v),
  'auth.terminal_closed': (t) => t('The terminal was closed before the sign-in was finished.'),
  'auth.unsafe_variable': (t, v) => t('The agent wants to set {name}, which decides what other programs do. That is refused.', v),
  'auth.unknown_method': (t) => t('The agent does not offer this way to sign in.'),
  'session.not_loaded': (t) => t('The agent cannot open earlier sessions.'),
  'session.not_replayed': (t) => t('The agent goes on with this session, but does not tell what was said before.'),
  'session.replayed': (t) => t('This conversation is replayed from a log, which ends here.'),
  'log.damaged': (t, v) => t('Lines of the log that could not be read: {lines}.', v),
  'session.restarted': (t) => t('The agent was started again. It does not remember the conversation above.'),
  'session.own_record': (t) =>
    t('The agent goes on with this session and told nothing of what was said before: what stands above is our own record.'),
  'session.open_elsewhere': (t) => t('This session is open already, in another panel.'),
  'session.not_listed': (t, v) => t('{agent} does not list its sessions.', v),
  'session.not_deleted': (t, v) => t('{agent} does not offer to delete its sessions.', v),
  'session.folders_untold': (t, v) =>
    t('The agent cannot be told of further folders. It may still read and write there through VS Code: {folders}', v),
  'session.folders_fixed': (t) => t('This agent cannot be given other folders while a session goes on. Start a new session with them.'),
  'session.root_changed': (t, v) =>
    t(
      '{folder} was replaced or leads elsewhere now, so the agent can no longer use it in this session. Start a new session to work there.',
      v,
    ),
  'session.left_out': (t, v) =>
    t('{count} events in the middle of this session were not kept: it is larger than the setting acpHost.journal.maxSize allows.', v),
  'session.interrupted': (t) => t('The window was closed or reloaded while this session was open.'),
  'session.agent_removed': (t, v) => t('{agent} is no longer among your agents, so this session can only be read.', v),
  'fs.not_found': (t, v) => t('{path} does not exist.', v),
  'fs.outside_roots': (t, v) => t('{path} is outside the folders of this session.', v),
  'fs.not_absolute': (t, v) => t('{path} is not an absolute path.', v),
  'fs.protected': (t, v) => t('You did not allow the agent to use {path}, which is protected.', v),
  'fs.led_elsewhere': (t, v) => t('{path} led to another file when you had answered, so nothing was done.', v),
  'fs.is_directory': (t, v) => t('{path} is a folder.', v),
  'fs.binary': (t, v) => t('{path} is not a text file.', v),
  'fs.too_large': (t, v) => t('{path} is too large to read.', v),
  'fs.unreadable': (t, v) => t('{path} cannot be read.', v),
  'fs.conflict': (t, v) => t('The agent’s change to {path} was not made: you changed the same place{lines}.', v),
  'fs.stale_on_disk': (t, v) => t('{path} was changed on disk. The agent’s change is in the editor and not saved.', v),
  'fs.save_failed': (t, v) => t('{path} could not be saved. The agent’s change is in the editor; Undo takes it back.', v),
  'fs.read_only': (t, v) => t('{path} is read-only.', v),
  'fs.notebook_dirty': (t, v) => t('{path} is a notebook with unsaved changes. Save it first.', v),
  'fs.edit_refused': (t, v) => t('The editor did not take the agent’s change to {path}.', v),
  'fs.write_failed': (t, v) => t('{path} could not be written.', v),
  'terminal.unknown': (t) => t('The agent named a terminal that does not exist.'),
  'terminal.released': (t) => t('The agent named a terminal that it has released.'),
  'terminal.not_found': (t, v) => t('{command} was not found.', v),
  'terminal.outside_roots': (t, v) => t('{place} is outside the folders of this session, so no command runs there.', v),
  'terminal.refused': (t, v) => t('You did not allow {command} to run.', v),
  'terminal.spawn_failed': (t, v) => t('{command} could not be started.', v),
  'terminal.too_many': (t) => t('The agent has too many terminals open.'),
  'config.invalid': (t, v) => t('{key} in your settings is not valid{expectation}.', v),
  'params.invalid': (t) => t('The agent’s request was not valid.'),
  internal: (t) => t('Something went wrong in this extension. The log has more.'),
};

/** What happened, in a sentence or two, without the failure's `detail`. */
export function failureSentence(failure: Failure, t: TranslateVerbatim): InertText {
  const sentence = SENTENCES[failure.code](t, valuesOf(failure, t));
  // A sentence may begin with a word that stands in for a parameter; a parameter itself keeps its case.
  const own = Object.values(failure.params ?? {}).some(
    (value) => typeof value === 'string' && value !== '' && sentence.startsWith(visible(value, MAX_VALUE)),
  );
  return inert(own ? sentence : sentence.charAt(0).toUpperCase() + sentence.slice(1));
}

/** The sentence, and in one line what the agent or the system said about it. For notifications, which have no second line. */
export function failureText(failure: Failure, t: TranslateVerbatim): InertText {
  const sentence = failureSentence(failure, t);
  const detail = visible(failure.detail ?? '', MAX_DETAIL);
  return detail ? joined([sentence, detail], ' ') : sentence;
}

/** The failure's parameters made safe to show, and words for those it does not have. */
function valuesOf({ params = {} }: Failure, t: TranslateVerbatim): Values {
  const values: Record<string, string | number> = {
    command: t('the command'),
    path: t('the file'),
    cwd: t('the folder'),
    types: t('see what is attached'),
    method: t('the request'),
    methods: t('see the agent’s documentation'),
    agent: t('the agent'),
    folder: t('the folder'),
    folders: t('the folders of this workspace'),
    name: t('a variable'),
    key:
      [params.setting, params.agentName, params.field]
        .filter(Boolean)
        .map((part) => visible(String(part), MAX_VALUE))
        .join(' › ') || t('an entry'),
    expectation: expectationOf(params.expected, t),
    seconds: '?',
  };
  for (const [name, value] of Object.entries(params)) {
    values[name] = typeof value === 'number' ? value : visible(value, MAX_VALUE);
  }
  values.commandLine ??= values.command!;
  values.count ??= t('Some');
  values.version ??= values.actual ?? '?';
  values.place = (params.path === undefined ? values.cwd : values.path)!;
  const ms = params.ms ?? params.timeoutMs;
  if (typeof ms === 'number') {
    values.seconds = Math.round(ms / 100) / 10;
  }
  values.exit = exitOf(values, t);
  const { lines } = values;
  values.lines =
    lines === undefined ? '' : /^\d+$/.test(String(lines)) ? t(' (line {line})', { line: lines }) : t(' (lines {lines})', { lines });
  return values;
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

function exitOf({ exitCode, signal }: Values, t: TranslateVerbatim): string {
  if (signal !== undefined) {
    return t(' (signal {signal})', { signal });
  }
  return exitCode === undefined ? '' : t(' (exit code {exitCode})', { exitCode });
}
