/** The list of many questions, which the first paint does not need. */
import { LazySlot } from '../base/lazy';

export const floodChunk = new LazySlot<Pick<typeof import('./floodCard'), 'FloodCard'>>();
