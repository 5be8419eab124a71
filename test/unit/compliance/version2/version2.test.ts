/** The table of version 2 has a row for everything in its schema, each message in it is understood without loss, and the page is current. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { assertValid, officialSchemaV2 } from '../../../support/schema';
import { casesOf } from '../carriers';
import { anchor, areaLines } from '../page';
import { identitiesOf, type Schema } from '../schemaTree';
import { areasOf, NEWER, problems } from './table';
import { ASK, complaint, connection, sampleIn } from './walk';

const SCHEMA = officialSchemaV2 as Schema;
const IDENTITIES = identitiesOf(SCHEMA);
const PAGE = path.resolve('docs/compliance-2.md');

function page(): string {
  const areas = areasOf(IDENTITIES);
  const sections = [...new Set(areas.map(({ section }) => section))];
  return [
    '# Compliance with version 2',
    '',
    'This page lists everything in the schema of the preview of version 2, with its handling by ACP Host:',
    `${IDENTITIES.length} methods, kinds, values and capabilities. [Version 1](compliance.md) has a page of its own.`,
    '',
    'The test run (`test/unit/compliance/version2`) makes this page and compares it. The rows come from a walk over the schema. Each message that the',
    'schema lets an agent send goes through a connection, with every field and every member of its unions. Nothing in it may get lost.',
    '',
    '- **sent**: when ACP Host sends it.',
    '- **handled**: the effect when an agent sends it.',
    '- **shown**: where the user sees it.',
    '- ✓: yes, without more details. –: it does not apply, for example because only the other side sends it.',
    '',
    [...sections, 'Newer features'].map((section) => `[${section}](#${anchor(section)})`).join(' · '),
    '',
    ...sections.flatMap((section) => [`## ${section}`, '', ...areas.filter((area) => area.section === section).flatMap(areaLines)]),
    '## Newer features',
    '',
    'These rows are written by hand, because the schema does not have them yet, or has them as unstable.',
    '',
    '| feature | handled |',
    '|---|---|',
    ...NEWER.map(([name, handled]) => `| ${name} | ${handled} |`),
    '',
  ].join('\n');
}

describe('compliance with version 2', () => {
  it('has a row for everything in the schema, and no other row', () => {
    assert.deepEqual(problems(IDENTITIES), []);
  });

  it('understands every message that the schema allows, without loss', async () => {
    const complaints: string[] = [];
    const cases = casesOf(SCHEMA);
    for (const each of cases) {
      assertValid(each.root.definition, sampleIn(SCHEMA, each), `a sample of ${each.definition} ${each.name}`, 'acp-2');
      const found = await complaint(SCHEMA, each);
      if (found !== undefined) {
        complaints.push(found);
      }
    }
    assert.deepEqual(complaints, []);
    assert.ok(cases.length > 500, `${cases.length} cases`);
  });

  it('sends every method of the agent', () => {
    const methods = IDENTITIES.filter(({ area }) => area === 'agent method').map(({ name }) => name);
    const sent = methods.filter((method) => {
      if (method === 'initialize') {
        return true;
      }
      const { transport, dialect } = connection();
      ASK[method]!(dialect!, () => undefined);
      return transport.last.method === method;
    });
    assert.deepEqual(sent, methods);
  });

  it('matches docs/compliance-2.md', () => {
    const text = page();
    if (process.env.ACP_HOST_UPDATE_GOLDEN === '1') {
      writeFileSync(PAGE, text);
    }
    assert.ok(
      existsSync(PAGE) && readFileSync(PAGE, 'utf8') === text,
      'docs/compliance-2.md is not what the tests say; ACP_HOST_UPDATE_GOLDEN=1 rewrites it',
    );
  });
});
