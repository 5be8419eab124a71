/** Finds differences between the table and the facts: the schema, the messages that are really sent and understood, and the existing tests. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Area, Cell, Row } from './area';
import { casesOf } from './carriers';
import { RECEIVES } from './receives';
import type { Schema } from './schemaTree';
import { identitiesOf } from './schemaTree';
import { SENDS } from './sends';

const TESTS = path.resolve(__dirname, '../..');
const PLACE = 'test/unit/compliance/table';

/** A row, completed with the defaults of its area. */
export interface WholeRow {
  readonly identity: string;
  /** The name in a sentence: `session/update plan`. */
  readonly called: string;
  readonly name: string;
  readonly sent: Cell;
  readonly handled: Cell;
  readonly shown: Cell;
  readonly tests: readonly string[];
}

export function wholeRows(area: Area): WholeRow[] {
  return area.rows.map(({ name, sent = area.sent, handled = area.handled, shown = area.shown, tests = area.tests ?? [] }: Row) => ({
    ...{ identity: `${area.area} ${name}`, called: `${area.label} ${name}`, name },
    ...{ sent, handled, shown, tests },
  }));
}

export function isNone(cell: Cell): cell is { readonly none: string } {
  return typeof cell !== 'string';
}

/** One message for each identity of `schema` without a row, and for each row whose identity the schema does not have. */
export function schemaProblems(schema: Schema, areas: readonly Area[]): string[] {
  const rows = areas.flatMap(wholeRows);
  const known = new Set(rows.map(({ identity }) => identity));
  const identities = identitiesOf(schema);
  const present = new Set(identities.map(({ area, name }) => `${area} ${name}`));
  const missing = identities
    .filter(({ area, name }) => !known.has(`${area} ${name}`))
    .map(
      ({ area, name }) => `the schema has ${areas.find((each) => each.area === area)?.label ?? area} ${name}, which has no row in ${PLACE}`,
    );
  const stale = rows
    .filter(({ identity }) => !present.has(identity))
    .map(({ called }) => `${PLACE} has a row for ${called}, which the schema does not have`);
  const twice = rows
    .filter(({ identity }, index) => rows.findIndex((each) => each.identity === identity) !== index)
    .map(({ called }) => `${PLACE} has two rows for ${called}`);
  return [...missing, ...stale, ...twice];
}

/** Each field that is only in the schema or only in the list. */
export function fieldProblems(schema: Schema, fields: Readonly<Record<string, string>>): string[] {
  const present = Object.entries(schema.$defs).flatMap(([name, { properties }]) =>
    Object.keys(properties ?? {}).flatMap((field) => (field === '_meta' ? [] : `${name}.${field}`)),
  );
  const known = Object.entries(fields).flatMap(([name, list]) => list.split(' ').map((field) => `${name}.${field}`));
  return [
    ...present
      .filter((field) => !known.includes(field))
      .map((field) => `the schema has the field ${field}, which ${PLACE}/fields.ts does not have`),
    ...known.filter((field) => !present.includes(field)).map((field) => `${PLACE}/fields.ts has ${field}, which the schema does not have`),
  ];
}

/** Each row that claims more, or less, than the tests of this folder send and understand. */
export function claimProblems(schema: Schema, areas: readonly Area[]): string[] {
  const understood = new Set(RECEIVES.keys());
  for (const { root, definition, name } of casesOf(schema)) {
    understood.add(`${definition} ${name}`);
    understood.add(`${root.kind === 'result' ? 'agent' : 'client'} method ${root.method}`);
  }
  return areas
    .flatMap(wholeRows)
    .flatMap(({ identity, called, sent, handled }) => [
      ...claim(called, 'sent', !isNone(sent), SENDS.has(identity)),
      ...claim(called, 'handled', !isNone(handled), understood.has(identity) || opensMore(identity, understood)),
    ]);
}

/** True for a capability that only contains others: it is understood when they are. */
function opensMore(identity: string, understood: ReadonlySet<string>): boolean {
  return identity.startsWith('AgentCapabilities ') && [...understood].some((other) => other.startsWith(`${identity}.`));
}

function claim(called: string, what: string, claimed: boolean, tried: boolean): string[] {
  if (claimed === tried) {
    return [];
  }
  return [claimed ? `${called} is ${what}, says its row, and nothing tries it` : `${called} is not ${what}, says its row, and yet it is`];
}

/** Each row without a test of what the user sees, and each named test that does not exist. */
export function testProblems(areas: readonly Area[], notYet: readonly string[]): string[] {
  return areas.flatMap(wholeRows).flatMap(({ identity, called, tests }) => {
    const expected = notYet.includes(identity);
    if (tests.length === 0) {
      return expected ? [] : [`${called} names no test`];
    }
    return expected
      ? [`${called} names a test: it is no longer to be done`]
      : tests.filter((test) => !exists(test)).map((test) => `${called} names a test that is not there: ${test}`);
  });
}

/** Splits `file: title`. */
export function testOf(test: string): { readonly file: string; readonly title: string } {
  const at = test.indexOf(': ');
  return { file: test.slice(0, at), title: test.slice(at + 2) };
}

const TITLE = /\b(?:it|scenario)\(\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|`([^`]*)`)/g;
const titles = new Map<string, ReadonlySet<string>>();

/** True when the test with that title exists; for a scenario also its golden text. */
function exists(test: string): boolean {
  const { file, title } = testOf(test);
  const source = path.join(TESTS, file);
  if (!existsSync(source)) {
    return false;
  }
  if (!titles.has(file)) {
    const found = [...readFileSync(source, 'utf8').matchAll(TITLE)].map(([, single, double, template]) =>
      (single ?? double ?? template ?? '').replace(/\\(.)/g, '$1'),
    );
    titles.set(file, new Set(found));
  }
  const folder = /^agent\/scenarios\/(\w+)\.test\.ts$/.exec(file)?.[1];
  return titles.get(file)!.has(title) && (folder === undefined || existsSync(path.join(TESTS, 'golden/scenarios', folder, `${title}.txt`)));
}
