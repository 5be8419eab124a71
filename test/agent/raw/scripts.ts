/** Scripts of the raw agent that are about order and about the end: what it writes, in which order, and how it goes. */
import type { Place, Wire } from './wire';

type Script = (wire: Wire, place: Place, promptId: unknown, args: readonly string[]) => void | Promise<void>;

export const SCRIPTS: Readonly<Record<string, Script>> = {};
