/** The frames that a client of version 2 has sent, for the replay of a log. */
import type { ClientCall, ClientFrames, LoggedVersion } from '../clientFrames';
import { type Fields, isRecord, textOf } from '../json/fields';
import { LOGGED_V1 } from '../v1/clientFrames';
import { V2 } from './v2';

const { clientFrames: V1_FRAMES } = LOGGED_V1;

const CLIENT_FRAMES: ClientFrames = {
  ...V1_FRAMES,
  call: (method, params): ClientCall | undefined => {
    switch (method) {
      case 'auth/login':
        return V1_FRAMES.call('authenticate', params);
      case 'session/resume':
        return V1_FRAMES.call(isRecord(params.replayFrom) ? 'session/load' : method, params);
      case 'authenticate':
      case 'session/load':
      case 'session/set_mode':
      case 'session/set_model':
        return undefined;
      default:
        return V1_FRAMES.call(method, params);
    }
  },
  answeredCall: (result) =>
    result.protocolVersion !== undefined
      ? 'initialize'
      : typeof result.messageId === 'string'
        ? 'prompt'
        : textOf(result.sessionId) !== undefined
          ? 'new'
          : undefined,
  offeringAll: (answer) => ({
    ...answer,
    capabilities: withSession(answer.capabilities),
    _meta: { steering: { supported: true } },
  }),
};

export const LOGGED_V2: LoggedVersion = { ...V2, clientFrames: CLIENT_FRAMES };

function withSession(capabilities: unknown): Fields {
  const offered = isRecord(capabilities) ? capabilities : {};
  return { ...offered, session: isRecord(offered.session) ? offered.session : {} };
}
