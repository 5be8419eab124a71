/** The endpoints of the agent's models (RFD "Configurable LLM Providers"). Keys never pass through the page. */
import { type Infer, literal, object, optional } from '../../schema/schema';
import type { ModelProvider } from '../../account/provider';
import type { Failure } from '../../model/failure';
import { message, sends } from '../messages/channel';
import { id, path } from '../messages/fields';

const endpointChange = object({
  providerId: id,
  /** `set`: the host asks for the key, or for a confirmation without one. `reset`: the agent's own endpoint applies again. */
  to: literal('set', 'reset', 'off'),
  /** The fields of `set`. */
  apiType: optional(id),
  baseUrl: optional(path),
  header: optional(literal('none', 'bearer', 'x-api-key', 'api-key')),
});
export type EndpointChange = Infer<typeof endpointChange>;

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
    /** Requests the message of this name, without a change or after one. */
    endpoints: message({ shown: id, change: optional(endpointChange) }, { aboutShowing: true }),
  },
  sends: sends<{ readonly type: 'endpoints' } & EndpointsPage>(),
};
