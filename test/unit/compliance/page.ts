/** Generates `docs/compliance.md` from the table. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Area, Cell } from './area';
import { isNone, testOf, wholeRows } from './gate';
import type { Schema } from './schemaTree';
import { identitiesOf } from './schemaTree';

const COLUMNS = ['sent', 'handled', 'shown'] as const;

/** The text of the whole page. */
export function compliancePage(schema: Schema, walked: readonly Area[], newer: readonly Area[], notYet: readonly string[]): string {
  const areas = [...walked, ...newer];
  const sections = [...new Set(areas.map(({ section }) => section))];
  return [
    ...opening(schema, sections),
    ...(notYet.length > 0 ? [`Missing: ${notYet.join(', ')}.`, ''] : []),
    ...sections.flatMap((section) => [`## ${section}`, '', ...areas.filter((area) => area.section === section).flatMap(areaLines)]),
  ].join('\n');
}

function opening(schema: Schema, sections: readonly string[]): string[] {
  const { name, version } = JSON.parse(readFileSync(path.resolve('node_modules/@agentclientprotocol/sdk/package.json'), 'utf8')) as {
    name: string;
    version: string;
  };
  return [
    '# Compliance',
    '',
    'This page lists everything in the stable schema of the Agent Client Protocol, version 1, with its handling by ACP Host:',
    `${identitiesOf(schema).length} methods, kinds, values and capabilities. The schema is shipped in \`${name}\` ${version}.`,
    '',
    'The test run (`test/unit/compliance`) makes this page and compares it. The rows come from a walk over the schema. When a newer schema has a',
    'method, a kind of update, a value, a capability or a field without a row, the tests fail and name it. The rows of the last section are written by',
    'hand: the protocol has these parts, and the schema does not yet.',
    '',
    '- **sent**: when ACP Host sends it. The test run sends each and checks it against the schema.',
    '- **handled**: the effect when an agent sends it. The test run tries each with messages made from the schema, in every place where it can appear',
    '  and with every field it can have. It must be understood, and nothing in it may get lost.',
    '- **shown**: where the user sees it.',
    '- **test**: the test that proves it, beside the runs above.',
    '- ✓: yes, without more details. –: it does not apply, for example because only the other side sends it.',
    '',
    'Methods that begin with `_` are extensions: requests are answered `-32601`, notifications are kept and shown. Messages that neither the schema',
    'nor this page knows are kept, written to the journal and shown as they came. `_meta` of messages that leave nothing in the conversation is in the protocol log.',
    '',
    sections.map((section) => `[${section}](#${anchor(section)})`).join(' · '),
    '',
  ];
}

export function areaLines(area: Area): string[] {
  const rows = wholeRows(area);
  const heads = [area.area.endsWith('method') ? 'method' : 'name', ...COLUMNS, 'test'];
  return [
    `### ${area.title}`,
    '',
    ...(area.intro ? [area.intro, ''] : []),
    `| ${heads.join(' | ')} |`,
    `|${'---|'.repeat(heads.length)}`,
    ...rows.map(
      (row) => `| \`${row.name}\` | ${COLUMNS.map((column) => cellText(row[column])).join(' | ')} | ${row.tests.map(link).join('<br>')} |`,
    ),
    '',
  ];
}

function cellText(cell: Cell): string {
  return (isNone(cell) ? `– ${cell.none}`.trim() : cell || '✓').replaceAll('|', '\\|');
}

/** `[file](…) title`, short enough for a column. */
function link(test: string): string {
  const { file, title } = testOf(test);
  const name = path.basename(file).replace(/\.test\.m?ts$/, '');
  return `[${name}](../test/${file}): ${title.replaceAll('|', '\\|')}`;
}

export function anchor(heading: string): string {
  return heading.toLowerCase().replaceAll(' ', '-');
}
