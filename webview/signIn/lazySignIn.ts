/** The card for signing in, loaded when the page is idle or the agent asks for it. */

import { lazy } from '../base/lazy';

export const signInChunk = lazy(() => import('./card'));
