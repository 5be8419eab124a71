/** What single entries are drawn with and the page loads later than itself; `parts.ts` says when. */
import { Late } from '../late';

/** What tool calls hold, and permission requests, which show the same. */
export const toolParts = new Late(() => import('./toolCalls/toolParts'));
export const elicitationParts = new Late(() => import('./elicitation/elicitation'));
