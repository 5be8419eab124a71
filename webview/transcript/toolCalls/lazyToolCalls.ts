/** The content of tool calls, and permission requests, which show the same. */

import { lazy } from '../../base/lazy';

export const toolChunk = lazy(() => import('./toolChunk'));
