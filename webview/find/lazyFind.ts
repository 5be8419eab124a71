/** The bar of the search, which the page loads when it is idle. */

import { lazy } from '../base/lazy';

export const findChunk = lazy(() => import('./findBar'));
