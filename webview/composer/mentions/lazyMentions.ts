/** The components for mentions and their dependencies, loaded when the page is idle or with the first `@`. */

import { lazy } from '../../base/lazy';

export const mentionChunk = lazy(() => import('./mentionsChunk'));
