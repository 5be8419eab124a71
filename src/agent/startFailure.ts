/** Describes a start that failed, with the command line and the agent's last output. Pure. */
import type { Failure, FailureCode } from '../core/model/failure';
import { withoutSequences } from '../text/ansi/sequences';

/** Codes that have another meaning before the agent is ready. */
const AT_START: { readonly [Code in FailureCode]?: FailureCode } = {
  'agent.exited': 'agent.exited_at_start',
  'request.timeout': 'agent.start_timeout',
};
/** The same for a process alone: its pipes close when it exits. */
const AT_PROCESS_START: typeof AT_START = { ...AT_START, 'connection.closed': 'agent.exited_at_start' };

/** The failures whose detail is the end of stderr. Others have words of their own, such as an agent's error. */
const QUOTES_OUTPUT: ReadonlySet<FailureCode> = new Set(['agent.exited', 'connection.closed', 'request.timeout']);

/**
 * @param failure the reason why `initialize` has no response, or none that can be used
 * @param commandLine for display; no value of the environment. Undefined for an agent that isn't a process
 * @param stderr the agent's last lines, may be empty; used only when the failure has no detail
 * @param output the last lines of stdout that are no messages, with those of stderr between them; undefined when there are none on stdout
 */
export function startFailure(failure: Failure, commandLine: string | undefined, stderr: string, output?: string): Failure {
  if (failure.params?.['proxy'] !== undefined) {
    return failure; // The agent's own output does not explain it.
  }
  const codes = commandLine === undefined ? AT_START : AT_PROCESS_START;
  const isQuotable = commandLine !== undefined && QUOTES_OUTPUT.has(failure.code);
  const printed = isQuotable ? plainLines(output ?? '') : '';
  const detail = printed !== '' ? printed : failure.detail?.trim() ? failure.detail : stderr;
  // A program that ends with a complaint on stderr may be an agent.
  const printsText = printed !== '' && (failure.code === 'request.timeout' || stderr.trim() === '');
  const params = { ...failure.params, ...(printsText && { printsText: 'yes' }) };
  const known = Object.keys(params).length > 0 ? { ...failure, params } : failure;
  return {
    ...withCommandLine({ ...known, code: codes[failure.code] ?? failure.code }, commandLine),
    ...(detail.trim() !== '' && { detail }),
  };
}

/** Returns the lines with text, without terminal sequences. */
export function plainLines(output: string): string {
  const lines = output.split('\n').map((line) => withoutSequences(line).trimEnd());
  return lines.filter((line) => line !== '').join('\n');
}

/** Adds the command line, which only a process has. The failure of a proxy has its own. */
export function withCommandLine(failure: Failure, commandLine: string | undefined): Failure {
  return commandLine === undefined || failure.params?.['proxy'] !== undefined
    ? failure
    : { ...failure, params: { ...failure.params, commandLine } };
}
