/** The components of the composer that the first paint does not need. */

import { lazy } from '../base/lazy';

export const composerChunk = lazy(() => import('./composerChunk'));
