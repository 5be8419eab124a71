/** Generates `docs/compliance.md` from the table. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Area, Cell } from './area';
import { isNone, testOf, wholeRows } from './gate';
import type { Schema } from './schemaTree';
import { identitiesOf } from './schemaTree';

const COLUMNS = ['sent', 'handled', 'shown'] as const;

/** The text of the whole page. */
export function compliancePage(schema: Schema, areas: readonly Area[], notYet: readonly string[]): string {
  const sections = [...new Set(areas.map(({ section }) => section))];
  return [
    ...opening(schema, sections),
    ...(notYet.length > 0 ? [`Not there yet: ${notYet.join(', ')}.`, ''] : []),
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
    'What ACP Host does with everything in the stable schema of the Agent Client Protocol, version 1,',
    `as shipped in \`${name}\` ${version}: ${identitiesOf(schema).length} methods, kinds, words and capabilities.`,
    '',
    'This page is made by the test run (`test/unit/compliance`) and compared with it. The rows are found by walking the schema: when a newer one has a',
    'method, a kind of update, a word, a capability or a field that nobody has seen to, the tests fail and name it.',
    '',
    '- **sent**: when we send it. Each is sent in the test run and checked against the schema.',
    '- **handled**: what becomes of it when an agent sends it. Each is tried in the test run with messages made from the schema, in every place where it',
    '  can stand and with every field it can have: it must be understood, and nothing in it may get lost.',
    '- **shown**: where a person sees it.',
    '- **test**: what proves it, beside the tries above.',
    '- ✓: it is, and there is no more to say. –: it does not apply, as when only the other side sends such a thing.',
    '',
    'Methods that begin with `_` are extensions: requests are answered `-32601`, notifications are kept and shown. What neither the schema nor this page',
    'knows is kept, written to the journal and shown as it came. `_meta` of messages that leave nothing in the conversation is in the protocol log.',
    '',
    sections.map((section) => `[${section}](#${anchor(section)})`).join(' · '),
    '',
  ];
}

function areaLines(area: Area): string[] {
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

function anchor(heading: string): string {
  return heading.toLowerCase().replaceAll(' ', '-');
}
