/** The agent's plans. */
import type { PageFeature } from '../base/feature';
import { Plans } from '../transcript/entries/plan';

export default { Footer: Plans, order: 20 } satisfies PageFeature;
