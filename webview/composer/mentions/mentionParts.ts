/** All of mentions that is drawn, and what only they need: loaded when the page has nothing else to do, or with the first `@`. */
import { Late } from '../../late';

export const mentionParts = new Late(() => import('./mentionPart'));
