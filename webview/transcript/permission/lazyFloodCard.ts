import { lazy } from '../../base/lazy';

/** Needed only while many questions wait. */
export const floodChunk = lazy(() => import('./floodCard'));
