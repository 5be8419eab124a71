/** Components of entries that are loaded later than the page. `chunks.ts` decides when. */
import { Late } from '../late';

/** The content of tool calls, and permission requests, which show the same. */
export const toolChunk = new Late(() => import('./toolCalls/toolChunk'));
export const elicitationChunk = new Late(() => import('./elicitation/elicitation'));
