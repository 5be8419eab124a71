/** ms in which a question takes no answer after it came under the hands, or moved there: nobody has read it yet. */
export const GUARD_MS = 500;
