/** The parts of the composer that are not in its first paint. */
import { Late } from '../late';

export const composerParts = new Late(() => import('./composerParts'));
