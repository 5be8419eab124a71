/** The components for mentions and their dependencies, loaded when the page is idle or with the first `@`. */
import { Late } from '../../late';

export const mentionChunk = new Late(() => import('./mentionsChunk'));
