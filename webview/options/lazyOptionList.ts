/** The list of an option, which the page loads later than its button. `chunks.ts` decides when. */
import { Late } from '../late';

export const optionChunk = new Late(() => import('./list'));
