import { lazy } from '../base/lazy';

/** Needed only while an agent works in the background. */
export const taskChunk = lazy(() => import('./taskList'));
