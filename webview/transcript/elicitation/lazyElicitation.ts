/** The form of an elicitation, loaded when the page is idle or a conversation has one. */

import { lazy } from '../../base/lazy';

export const elicitationChunk = lazy(() => import('./elicitation'));
