/** The list of an option, which the page loads later than its button. `parts.ts` decides when. */
import { Late } from '../late';

export const optionParts = new Late(() => import('./list'));
