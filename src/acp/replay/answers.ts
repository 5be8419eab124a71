/** Reads the responses in a log. The client's show what the user and the window did. */
import type { SessionState } from '../../core/model/state';
import { MODE_CONFIG_ID, MODEL_CONFIG_ID } from '../../core/model/wellKnown';
import { afterSteering, type SteerOutcome } from '../../core/queue/steering';
import { namesOf, optionRefusal } from '../../core/preferences/optionRefusal';
import { decodeBlocks } from '../v1/content';
import type { Recording } from './recording';
import type { EventInput } from '../../core/model/event';
import type { Failure } from '../../core/model/failure';
import type { Fields } from '../json/fields';
import { isRecord, textOf } from '../json/fields';
import type { OpenRequest } from './openRequests';
import { RPC } from '../jsonrpc/rpc';

/** Records a client's response in its session. */
export function recordOurAnswer(
  { method, params, session, subject, withdrawn = false }: OpenRequest,
  result: unknown,
  failure: Failure | undefined,
): void {
  const fields = isRecord(result) ? result : {};
  const terminalId = textOf(params.terminalId);
  const takenBack = withdrawn || failure?.params?.['code'] === RPC.requestCancelled;
  if (method === 'session/request_permission' && subject !== undefined) {
    session?.answerPermission(subject, result, takenBack);
  } else if (method === 'elicitation/create' && subject !== undefined) {
    session?.answerElicitation(subject, result, takenBack);
  } else if (method === 'fs/write_text_file' && !takenBack && typeof params.path === 'string' && typeof params.content === 'string') {
    if (failure) {
      session?.refuseWrite(params.path, failure.detail);
    } else {
      session?.write(params.path);
    }
  } else if (method === 'terminal/create' && typeof fields.terminalId === 'string') {
    session?.startTerminal(fields.terminalId, params);
  } else if (terminalId !== undefined && !failure) {
    session?.updateTerminal(terminalId, method, fields);
  }
}

/** Records the outcome of a message for the running turn. Returns true when the message is in the conversation. */
export function recordSteering(session: Recording, params: Fields, answer: SteerOutcome | Failure): boolean {
  const { message, failure, isInfo } = afterSteering(answer);
  if (message === 'sent') {
    session.say(decodeBlocks(params.prompt ?? []));
  }
  if (failure) {
    session.notice('', isInfo ? 'info' : 'error', failure);
  }
  return message === 'sent';
}

/** The option that a client's request sets. */
export function optionOf(method: string, params: Fields): string | undefined {
  return method === 'session/set_mode' ? MODE_CONFIG_ID : method === 'session/set_model' ? MODEL_CONFIG_ID : textOf(params.configId);
}

/** Adds the option that a client's request has set when the answer, read as `events`, does not list the options. */
export function withOption({ method, params }: OpenRequest, events: readonly EventInput[]): readonly EventInput[] {
  const configId = optionOf(method, params);
  const value = valueOf(configId, params);
  const isComplete = events.some(({ type }) => type === 'config_options');
  return isComplete || configId === undefined || value === undefined ? events : [{ type: 'config_value', configId, value }, ...events];
}

/** The failure that names the value that the agent refused, for a request that sets an option. */
export function refusedOption({ method, params }: Pick<OpenRequest, 'method' | 'params'>, state: SessionState, failure: Failure): Failure {
  const configId = optionOf(method, params) ?? method;
  return optionRefusal(namesOf(state.config, configId, valueOf(configId, params) ?? ''), failure);
}

function valueOf(configId: string | undefined, params: Fields): string | boolean | undefined {
  const value = configId === MODE_CONFIG_ID ? params.modeId : configId === MODEL_CONFIG_ID ? params.modelId : params.value;
  return typeof value === 'string' || typeof value === 'boolean' ? value : undefined;
}

/** Guesses the method of an agent's response from its result, when the log does not contain the request. */
export function methodByAnswer(result: unknown): string {
  if (!isRecord(result)) {
    return '';
  }
  if (result.protocolVersion !== undefined) {
    return 'initialize';
  }
  return typeof result.stopReason === 'string' ? 'session/prompt' : typeof result.sessionId === 'string' ? 'session/new' : '';
}
