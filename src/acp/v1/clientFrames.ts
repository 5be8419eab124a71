/** The frames that a client of version 1 has sent, for the replay of a log. */
import type { ElicitationContent, ElicitationValue } from '../../core/elicitation/answer';
import type { ExitStatus } from '../../core/model/content';
import type { SessionSetup } from '../../core/model/sessionSetup';
import { MODE_CONFIG_ID, MODEL_CONFIG_ID } from '../../core/model/wellKnown';
import type { ClientCall, ClientFrames, LoggedVersion } from '../clientFrames';
import { type Fields, isRecord, textOf } from '../json/fields';
import { decodeBlocks } from './content';
import { earlyAnswer, earlyQuestion, readEarly } from './early/reader';
import { STEERING } from './methods';
import { provideEarlyReader } from './early/readingEarly';
import { V1 } from './v1';

const CLIENT_FRAMES: ClientFrames = {
  call: (method, params) => {
    const sessionId = textOf(params.sessionId);
    switch (method) {
      case 'initialize':
        return { type: 'initialize' };
      case 'authenticate':
        return { type: 'authenticate', methodId: textOf(params.methodId) ?? '' };
      case 'session/new':
        return { type: 'new', setup: setupOf(params) };
      default:
        return sessionId === undefined ? undefined : sessionCall(method, sessionId, params);
    }
  },
  answeredCall: (result) =>
    result.protocolVersion !== undefined
      ? 'initialize'
      : typeof result.stopReason === 'string'
        ? 'prompt'
        : typeof result.sessionId === 'string'
          ? 'new'
          : undefined,
  offeringAll: (answer) => ({
    ...answer,
    agentCapabilities: { ...fieldsOf(answer.agentCapabilities), loadSession: true, sessionCapabilities: { resume: {} } },
    _meta: { steering: { supported: true } },
  }),
  question: earlyQuestion,
  answer: earlyAnswer,
  permission: (result, isStopped) => {
    const { outcome } = result;
    return isRecord(outcome)
      ? outcome.outcome === 'selected'
        ? textOf(outcome.optionId)
        : undefined
      : isStopped
        ? undefined // The early dialect refuses a request that Stop has ended.
        : (textOf(result.optionId) ?? textOf(outcome));
  },
  elicitation: ({ action, content }) =>
    action === 'accept'
      ? { action, ...(isRecord(content) && { content: contentOf(content) }) }
      : { action: action === 'decline' ? action : 'cancel' },
  terminalId: (result) => textOf(result.terminalId),
  terminalOutput: (result) => {
    const output = textOf(result.output);
    return { ...(output !== undefined && { output }), ...(isRecord(result.exitStatus) && { exitStatus: exitOf(result.exitStatus) }) };
  },
  terminalExit: exitOf,
};

// A replay reads its log without a pause.
provideEarlyReader(readEarly);

export const LOGGED_V1: LoggedVersion = { ...V1, clientFrames: CLIENT_FRAMES };

function sessionCall(method: string, sessionId: string, params: Fields): ClientCall | undefined {
  const option = (configId: string | undefined, value: unknown): ClientCall | undefined =>
    configId !== undefined && (typeof value === 'string' || typeof value === 'boolean')
      ? { type: 'config', sessionId, configId, value }
      : undefined;
  switch (method) {
    case 'session/load':
      return { type: 'load', sessionId, setup: setupOf(params) };
    case 'session/resume':
      return { type: 'resume', sessionId, setup: setupOf(params) };
    case 'session/prompt':
      return { type: 'prompt', sessionId, content: decodeBlocks(params.prompt ?? []) };
    case STEERING:
      return { type: 'steer', sessionId, content: decodeBlocks(params.prompt ?? []) };
    case 'session/cancel':
      return { type: 'cancel', sessionId };
    case 'session/set_mode':
      return option(MODE_CONFIG_ID, params.modeId);
    case 'session/set_model':
      return option(MODEL_CONFIG_ID, params.modelId);
    case 'session/set_config_option':
      return option(textOf(params.configId), params.value);
    default:
      return undefined;
  }
}

function setupOf({ cwd, additionalDirectories }: Fields): SessionSetup {
  const further = Array.isArray(additionalDirectories) ? additionalDirectories.filter((path) => typeof path === 'string') : [];
  return { cwd: textOf(cwd) ?? '', additionalDirectories: further, mcpServers: [] };
}

function fieldsOf(value: unknown): Fields {
  return isRecord(value) ? value : {};
}

function exitOf({ exitCode, signal }: Fields): ExitStatus {
  return { ...(typeof exitCode === 'number' && { exitCode }), ...(typeof signal === 'string' && { signal }) };
}

function contentOf(raw: Fields): ElicitationContent {
  return Object.fromEntries(Object.entries(raw).filter((entry): entry is [string, ElicitationValue] => isValue(entry[1])));
}

function isValue(value: unknown): value is ElicitationValue {
  return (
    ['string', 'number', 'boolean'].includes(typeof value) || (Array.isArray(value) && value.every((item) => typeof item === 'string'))
  );
}
