/** Names and values that we put where the protocol's version 1 has none. */
import type { SessionOffers } from './content';

/** v1 has one plan without a name. */
export const V1_PLAN_ID = 'plan';

/** The config option that v1 session modes become. Set through `session/set_mode`. Chosen so that no agent's own id equals it. */
export const MODE_CONFIG_ID = '$mode';

/** What that option is called; v1 gives the modes no name of their own. */
export const MODE_CONFIG_NAME = 'Mode';

/** The config option that the models of an agent without one of that category become. Set through `session/set_model`. */
export const MODEL_CONFIG_ID = '$model';

/** What that option is called. */
export const MODEL_CONFIG_NAME = 'Model';

/** What an agent offers that has not said anything. */
export const NO_OFFERS: SessionOffers = {
  load: false,
  resume: false,
  list: false,
  close: false,
  delete: false,
  additionalDirectories: false,
  logout: false,
};
