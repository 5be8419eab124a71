/** The compliance table is complete and true, and its page is current. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { claimProblems, fieldProblems, schemaProblems, testProblems } from './gate';
import { compliancePage } from './page';
import type { Node } from './schemaTree';
import { SCHEMA } from './schemaTree';
import { AREAS, NEWER, NOT_YET } from './table';
import { FIELDS } from './table/fields';

const PAGE = path.resolve('docs/compliance.md');

describe('compliance', () => {
  it('has a row for everything in the schema, and no other row', () => {
    assert.deepEqual(schemaProblems(SCHEMA, AREAS), []);
  });

  it('lists every field in the schema, and no other field', () => {
    assert.deepEqual(fieldProblems(SCHEMA, FIELDS), []);
  });

  it('claims exactly the messages that are sent and handled', () => {
    assert.deepEqual(claimProblems(SCHEMA, AREAS), []);
  });

  it('names tests that exist', () => {
    assert.deepEqual(testProblems([...AREAS, ...NEWER], NOT_YET), []);
  });

  it('has rows by hand only for what the schema does not have', () => {
    const definitions = JSON.stringify(SCHEMA);
    assert.equal(/subagent/i.test(definitions), false, 'the schema has subagents now: move their rows of newer.ts to the other tables');
  });

  it('has a test of what the user sees for each row', () => {
    assert.deepEqual(NOT_YET, [], 'these rows have nothing yet that proves what people see of them');
  });

  it('matches docs/compliance.md', () => {
    const page = compliancePage(SCHEMA, AREAS, NEWER, NOT_YET);
    if (process.env.ACP_HOST_UPDATE_GOLDEN === '1') {
      writeFileSync(PAGE, page);
    }
    assert.ok(
      existsSync(PAGE) && readFileSync(PAGE, 'utf8') === page,
      'docs/compliance.md is not what the tests say; ACP_HOST_UPDATE_GOLDEN=1 rewrites it',
    );
  });
});

describe('compliance: the gate', () => {
  /** The schema with changes, as a newer one may have them. */
  function doctored(change: (definitions: Record<string, Record<string, unknown>>) => void): typeof SCHEMA {
    const copy = structuredClone(SCHEMA) as unknown as { $defs: Record<string, Record<string, unknown>> };
    change(copy.$defs);
    return copy as unknown as typeof SCHEMA;
  }

  const add = (definition: Record<string, unknown> | undefined, union: string, member: Node): unknown =>
    (definition![union] as Node[]).push(member);
  const where = 'which has no row in test/unit/compliance/table';

  it('names each thing that a newer schema adds', () => {
    const newer = doctored((definitions) => {
      definitions.FooRequest = { 'x-side': 'agent', 'x-method': 'session/foo', type: 'object' };
      definitions.FooResponse = { 'x-side': 'agent', 'x-method': 'session/foo', type: 'object' };
      definitions.BarNotification = { 'x-side': 'client', 'x-method': 'session/bar', type: 'object' };
      add(definitions.SessionUpdate, 'oneOf', { properties: { sessionUpdate: { const: 'foo_update' } } });
      add(definitions.ContentBlock, 'oneOf', { properties: { type: { const: 'video' } } });
      add(definitions.StopReason, 'oneOf', { const: 'tired' });
      add(definitions.ErrorCode, 'anyOf', { title: 'Too late', const: -32077 });
      add(definitions.McpServer, 'anyOf', { title: 'acp', allOf: [] });
      (definitions.ClientCapabilities!.properties as Record<string, Node>).camera = { type: 'boolean' };
      definitions.CloudCapabilities = { properties: { sync: { type: 'object', properties: { fast: { type: 'boolean' } } } } };
      (definitions.SessionCapabilities!.properties as Record<string, Node>).cloud = {
        anyOf: [{ $ref: '#/$defs/CloudCapabilities' }, { type: 'null' }],
      };
      definitions.Mood = { oneOf: [{ const: 'good' }, { const: 'bad' }] };
      (definitions.Notice!.properties as Record<string, Node>).place = { enum: ['top', 'bottom'] };
    });
    assert.deepEqual(
      schemaProblems(newer, AREAS).sort(),
      [
        `the schema has the method session/foo, ${where}`,
        `the schema has the method session/bar, ${where}`,
        `the schema has session/update foo_update, ${where}`,
        `the schema has the content block video, ${where}`,
        `the schema has the stop reason tired, ${where}`,
        `the schema has the error code -32077, ${where}`,
        `the schema has the MCP server acp, ${where}`,
        `the schema has the client capability camera, ${where}`,
        `the schema has the agent capability sessionCapabilities.cloud, ${where}`,
        `the schema has the agent capability sessionCapabilities.cloud.sync, ${where}`,
        `the schema has the agent capability sessionCapabilities.cloud.sync.fast, ${where}`,
        `the schema has Mood good, ${where}`,
        `the schema has Mood bad, ${where}`,
        `the schema has Notice.place top, ${where}`,
        `the schema has Notice.place bottom, ${where}`,
      ].sort(),
    );
  });

  it('names each thing that a newer schema has removed', () => {
    const newer = doctored((definitions) => {
      delete definitions.LogoutRequest;
      delete definitions.LogoutResponse;
      definitions.ToolKind!.oneOf = (definitions.ToolKind!.oneOf as Node[]).filter((member) => member.const !== 'think');
      delete (definitions.AgentCapabilities!.properties as Record<string, Node>).loadSession;
    });
    const gone = 'which the schema does not have';
    assert.deepEqual(schemaProblems(newer, AREAS), [
      `test/unit/compliance/table has a row for the method logout, ${gone}`,
      `test/unit/compliance/table has a row for the tool kind think, ${gone}`,
      `test/unit/compliance/table has a row for the agent capability loadSession, ${gone}`,
    ]);
  });

  it('names each field that was added or removed', () => {
    const newer = doctored((definitions) => {
      (definitions.Cost!.properties as Record<string, Node>).tax = { type: 'number' };
      delete (definitions.ToolCall!.properties as Record<string, Node>).name;
    });
    assert.deepEqual(fieldProblems(newer, FIELDS), [
      'the schema has the field Cost.tax, which test/unit/compliance/table/fields.ts does not have',
      'test/unit/compliance/table/fields.ts has ToolCall.name, which the schema does not have',
    ]);
  });

  it('checks each claim of a row', () => {
    const [area] = AREAS.filter(({ area: name }) => name === 'AgentCapabilities');
    const boast = {
      ...area!,
      rows: [
        { name: 'mcpCapabilities.http', handled: 'servers' },
        { name: 'loadSession', handled: { none: '' }, tests: ['unit/acp/v1/v1.test.ts: no such title'] },
      ],
    };
    assert.deepEqual(claimProblems(SCHEMA, [boast]), [
      'the agent capability mcpCapabilities.http is handled, says its row, and nothing tries it',
      'the agent capability loadSession is not handled, says its row, and yet it is',
    ]);
    assert.deepEqual(testProblems([boast], []), [
      'the agent capability loadSession names a test that is not there: unit/acp/v1/v1.test.ts: no such title',
    ]);
    assert.deepEqual(testProblems([{ ...boast, tests: [] }], ['AgentCapabilities mcpCapabilities.http', 'AgentCapabilities loadSession']), [
      'the agent capability loadSession names a test: it is no longer to be done',
    ]);
    assert.deepEqual(schemaProblems(SCHEMA, [...AREAS, boast]).slice(-2), [
      'test/unit/compliance/table has two rows for the agent capability mcpCapabilities.http',
      'test/unit/compliance/table has two rows for the agent capability loadSession',
    ]);
  });
});
