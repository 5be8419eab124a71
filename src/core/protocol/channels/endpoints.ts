/** The endpoints of the agent's models (RFD "Configurable LLM Providers"). Keys never pass through the page. */
import { literal } from '../../schema/schema';
import type { ModelProvider } from '../../account/provider';
import type { Failure } from '../../model/failure';
import { message, sends } from '../messages/channel';
import { id, path } from '../messages/fields';

/** The ways to send a key. */
export const keyHeader = literal('none', 'bearer', 'x-api-key', 'api-key');

export interface EndpointOnPage extends ModelProvider {
  /** True when the user has set or turned off the endpoint. */
  readonly isSet: boolean;
}

export interface EndpointsPage {
  /** Names the opening of the page, so that an answer does not open it again after the user has closed it. */
  readonly shown: string;
  /** True while the agent is asked. */
  readonly isBusy: boolean;
  /** Undefined until the agent has answered. */
  readonly endpoints?: readonly EndpointOnPage[];
  /** The last change failed, or the agent did not answer. */
  readonly failure?: Failure;
  /** True after a change: new sessions use the endpoint. */
  readonly isChanged?: boolean;
}

export const endpoints = {
  takes: {
    /** Requests the message `endpoints`. */
    show_endpoints: message({ shown: id }, { aboutShowing: true }),
    /** Points the agent to another endpoint. The host asks for the key, or for a confirmation without one. */
    set_endpoint: message({ shown: id, providerId: id, apiType: id, baseUrl: path, header: keyHeader }, { aboutShowing: true }),
    /** Removes the user's choice, so that the agent's own endpoint applies. */
    reset_endpoint: message({ shown: id, providerId: id }, { aboutShowing: true }),
    turn_off_endpoint: message({ shown: id, providerId: id }, { aboutShowing: true }),
  },
  sends: sends<{ readonly type: 'endpoints' } & EndpointsPage>(),
};
