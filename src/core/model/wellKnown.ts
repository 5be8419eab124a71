/** Names and values of ours where the protocol's version 1 has none. */
import type { SessionCapabilities } from './content';

/** The config option that v1 session modes become. It is set through `session/set_mode`. No agent's own id should equal it. */
export const MODE_CONFIG_ID = '$mode';

/** The name of that option, because v1 has no name for the modes. */
export const MODE_CONFIG_NAME = 'Mode';

/** The config option for the models of an agent that has no option of that category. It is set through `session/set_model`. */
export const MODEL_CONFIG_ID = '$model';

/** The name of that option. */
export const MODEL_CONFIG_NAME = 'Model';

/** The capabilities of an agent that has not reported any. */
export const NO_CAPABILITIES: SessionCapabilities = {
  load: false,
  resume: false,
  list: false,
  close: false,
  delete: false,
  additionalDirectories: false,
  logout: false,
};
