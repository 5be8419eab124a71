/** The list of an option, which the page loads later than its button. `chunks.ts` decides when. */

import { lazy } from '../base/lazy';

export const optionChunk = lazy(() => import('./listChunk'));
