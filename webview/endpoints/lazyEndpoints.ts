import { lazy } from '../base/lazy';

/** Needed only while the user sets the endpoints of an agent's models. */
export const endpointChunk = lazy(() => import('./endpointsPage'));
