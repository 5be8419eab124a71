/** The messages that wait for the agent. Loaded when there is one, or when the page is idle. */
import { lazy } from '../base/lazy';

export const queueChunk = lazy(() => import('./queueView'));
