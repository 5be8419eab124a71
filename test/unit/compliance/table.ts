/**
 * The table of everything in the stable schema of version 1: one row per method, per member of every union and enumeration, and per capability.
 * `gate.ts` compares the rows with the schema. `sent.test.ts` and `handled.test.ts` check the claims about sending and handling. The tests that the
 * rows name must exist, and `docs/compliance.md` is generated from the table.
 */
import type { Area } from './area';
import { ACCOUNT } from './table/account';
import { CAPABILITIES } from './table/capabilities';
import { CONTENT } from './table/content';
import { ELICITATION } from './table/elicitation';
import { METHODS } from './table/methods';
import { NEWER as SUBAGENTS } from './table/newer';
import { OPTIONS } from './table/options';
import { TOOLS } from './table/tools';
import { WIRE } from './table/wire';

export const AREAS: readonly Area[] = [...METHODS, ...CONTENT, ...TOOLS, ...OPTIONS, ...ELICITATION, ...WIRE, ...CAPABILITIES];

/** Rows that no walk over the schema can check. Only their tests are. */
export const NEWER: readonly Area[] = [...SUBAGENTS, ...ACCOUNT];

/** Identities, `area name`, of rows whose effect for the user no test proves yet. Empty in a release. */
export const NOT_YET: readonly string[] = [];
