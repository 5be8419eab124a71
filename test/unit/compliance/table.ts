/**
 * What this client does with everything in the stable schema of version 1: one row per method, per member of every union and enumeration, and per
 * capability. The rows are compared with the schema (`gate.ts`), what they say is sent and handled is tried (`sent.test.ts`, `handled.test.ts`), the
 * tests they name must exist, and `docs/compliance.md` is made of them.
 */
import type { Area } from './area';
import { CAPABILITIES } from './table/capabilities';
import { CONTENT } from './table/content';
import { ELICITATION } from './table/elicitation';
import { METHODS } from './table/methods';
import { OPTIONS } from './table/options';
import { TOOLS } from './table/tools';
import { WIRE } from './table/wire';

export const AREAS: readonly Area[] = [...METHODS, ...CONTENT, ...TOOLS, ...OPTIONS, ...ELICITATION, ...WIRE, ...CAPABILITIES];

/** Identities, `area name`, of rows whose part for people nothing proves yet. Empty in a release. */
export const NOT_YET: readonly string[] = [];
