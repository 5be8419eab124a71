/** Components of entries that are loaded later than the page. `chunks.ts` decides when. */

/** The content of tool calls, and permission requests, which show the same. */
import { lazy } from '../lazy';

export const toolChunk = lazy(() => import('./toolCalls/toolChunk'));
export const subagentChunk = lazy(() => import('./subagents/subagentChunk'));
export const elicitationChunk = lazy(() => import('./elicitation/elicitation'));
