/** The components of the composer that the first paint does not need. */
import { Late } from '../late';

export const composerChunk = new Late(() => import('./composerChunk'));
