/** Components of entries that are loaded later than the page. `parts.ts` decides when. */
import { Late } from '../late';

/** The content of tool calls, and permission requests, which show the same. */
export const toolParts = new Late(() => import('./toolCalls/toolParts'));
export const elicitationParts = new Late(() => import('./elicitation/elicitation'));
