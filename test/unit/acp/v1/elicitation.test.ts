import assert from 'node:assert/strict';
import type { ElicitationParams, ElicitationScope } from '../../../../src/acp/dialect';
import { connected, settle } from '../support';

describe('elicitation/create', () => {
  /** Sends the request and returns what the client received, or how the request was refused. */
  async function ask(
    params: object,
  ): Promise<{ asked?: { scope: ElicitationScope; ask: ElicitationParams }; answer: Record<string, unknown>; unknown: unknown[] }> {
    const { transport, client } = connected();
    transport.feed({ jsonrpc: '2.0', id: 'e1', method: 'elicitation/create', params });
    await settle();
    const asked = client.calls.find(({ name }) => name === 'elicit')?.args as
      | { scope: ElicitationScope; ask: ElicitationParams }
      | undefined;
    return { ...(asked && { asked }), answer: transport.last, unknown: client.calls.filter(({ name }) => name === 'onUnknown') };
  }
  const form = (properties: unknown, more: object = {}) => ({
    sessionId: 's',
    mode: 'form',
    message: 'M',
    requestedSchema: { type: 'object', properties, ...more },
  });
  async function fields(properties: unknown, more: object = {}) {
    const { asked } = await ask(form(properties, more));
    assert.ok(asked?.ask.body.mode === 'form');
    return asked.ask.body.fields;
  }
  async function refusal(params: object): Promise<string> {
    const { asked, answer, unknown } = await ask(params);
    const error = answer.error as { code: number; message: string };
    assert.deepEqual([asked, answer.id, error.code, unknown.length], [undefined, 'e1', -32602, 1]);
    return error.message;
  }

  it('decodes every kind of property', async () => {
    assert.deepEqual(
      await fields(
        {
          name: {
            type: 'string',
            title: 'Name',
            description: 'Yours',
            minLength: 1,
            maxLength: 64,
            pattern: '^x',
            format: 'email',
            default: 'a@b',
          },
          port: { type: 'integer', minimum: 1, maximum: 9, default: 3 },
          ratio: { type: 'number', minimum: 0.5, default: 1.5 },
          log: { type: 'boolean', default: true },
          plain: { type: 'string', enum: ['a', 'b'], default: 'a' },
          titled: {
            type: 'string',
            oneOf: [
              { const: 'a', title: 'A', description: 'First' },
              { const: 'b', title: null },
            ],
          },
          many: { type: 'array', items: { type: 'string', enum: ['a', 'b'] }, minItems: 1, maxItems: 2, default: ['a', 7] },
          manyTitled: { type: 'array', items: { anyOf: [{ const: 'a', title: 'A' }] } },
        },
        { required: ['name', 'many', 'nobody'] },
      ),
      [
        {
          name: 'name',
          title: 'Name',
          description: 'Yours',
          required: true,
          type: 'string',
          minLength: 1,
          maxLength: 64,
          pattern: '^x',
          format: 'email',
          defaultValue: 'a@b',
        },
        { name: 'port', required: false, type: 'integer', minimum: 1, maximum: 9, defaultValue: 3 },
        { name: 'ratio', required: false, type: 'number', minimum: 0.5, defaultValue: 1.5 },
        { name: 'log', required: false, type: 'boolean', defaultValue: true },
        {
          name: 'plain',
          required: false,
          type: 'choice',
          choices: [
            { value: 'a', title: 'a' },
            { value: 'b', title: 'b' },
          ],
          defaultValue: 'a',
        },
        {
          name: 'titled',
          required: false,
          type: 'choice',
          choices: [
            { value: 'a', title: 'A', description: 'First' },
            { value: 'b', title: 'b' },
          ],
        },
        {
          name: 'many',
          required: true,
          type: 'choices',
          choices: [
            { value: 'a', title: 'a' },
            { value: 'b', title: 'b' },
          ],
          minItems: 1,
          maxItems: 2,
          defaultValue: ['a'],
        },
        { name: 'manyTitled', required: false, type: 'choices', choices: [{ value: 'a', title: 'A' }] },
      ],
    );
  });

  it('treats null and invalid values of optional fields as absent', async () => {
    const nulls = {
      title: null,
      description: 7,
      minLength: null,
      maxLength: 'long',
      pattern: null,
      format: null,
      default: 7,
      enum: null,
      oneOf: [],
    };
    assert.deepEqual(
      await fields(
        { a: { type: 'string', ...nulls }, b: { type: 'integer', default: 2.5 }, c: { type: 'string', oneOf: null, enum: ['x'] } },
        { type: null, required: null },
      ),
      [
        { name: 'a', required: false, type: 'string' },
        { name: 'b', required: false, type: 'integer' },
        { name: 'c', required: false, type: 'choice', choices: [{ value: 'x', title: 'x' }] },
      ],
    );
    for (const requestedSchema of [undefined, {}, { type: 'array' }, { properties: null }]) {
      const { asked } = await ask({ sessionId: 's', mode: 'form', message: '', requestedSchema });
      assert.deepEqual(asked?.ask.body, { mode: 'form', fields: [] });
    }
  });

  it('passes on the message, the tool call and unknown fields', async () => {
    const { asked } = await ask({ ...form({}, { title: 'T', description: 'D' }), toolCallId: 'tc', _meta: { a: 1 }, later: true });
    assert.deepEqual(asked?.scope, { sessionId: 's' });
    assert.deepEqual(
      { ...asked.ask, extra: asked.ask.extra?.['later'] },
      { message: 'M', body: { mode: 'form', title: 'T', description: 'D', fields: [] }, toolCallId: 'tc', meta: { a: 1 }, extra: true },
    );
  });

  it('decodes a web page', async () => {
    const { asked } = await ask({
      requestId: 12,
      mode: 'url',
      elicitationId: 'x',
      url: 'https://agent.example.com/connect?a=b%2Fc',
      message: 'M',
    });
    assert.deepEqual(asked, {
      scope: { requestId: 12 },
      ask: { message: 'M', body: { mode: 'url', elicitationId: 'x', url: 'https://agent.example.com/connect?a=b%2Fc' } },
    });
  });

  it('finds the request whose numeric id was sent as text', async () => {
    assert.deepEqual((await ask({ ...form({}), sessionId: undefined, requestId: '12' })).asked?.scope, { requestId: 12 });
  });

  it('refuses a request that it cannot show correctly, and shows that it arrived', async () => {
    const url = { sessionId: 's', mode: 'url', elicitationId: 'x', url: 'https://a.example', message: 'M' };
    assert.match(await refusal({ ...form({}), mode: 'voice' }), /mode "voice"/);
    assert.match(await refusal({ ...form({}), mode: undefined }), /mode/);
    assert.match(await refusal({ ...form({}), message: undefined }), /message/);
    assert.match(await refusal({ ...form({}), requestId: 1 }), /exactly one/);
    assert.match(await refusal({ ...form({}), sessionId: undefined }), /exactly one/);
    assert.match(await refusal({ ...form({}), sessionId: 7 }), /sessionId/);
    assert.match(await refusal({ ...form({}), sessionId: null, requestId: 'mine' }), /requestId/);
    for (const raw of [
      { type: '_colour' },
      { type: 'object' },
      { type: ['string', 'null'] },
      {},
      'string',
      { type: 'array', items: { type: 'number', enum: [1] } },
      { type: 'array' },
      { type: 'string', enum: [1, 2] },
      { type: 'array', items: { type: '_x', enum: ['a'] } },
    ]) {
      assert.match(await refusal(form({ 'the name': raw })), /the name/);
    }
    for (const bad of ['ftp://a.example', 'javascript:alert(1)', 'a.example', 'https://', 7, `https://a.example/${'x'.repeat(20_000)}`]) {
      assert.match(await refusal({ ...url, url: bad }), /url/);
    }
    assert.match(await refusal({ ...url, elicitationId: undefined }), /elicitationId/);
  });

  it('refuses a form that is too large to fill in', async () => {
    const list = (length: number) => Array.from({ length }, (_, index) => `c${index}`);
    const many = (count: number, property: object) => Object.fromEntries(list(count).map((name) => [name, property]));
    assert.match(await refusal(form(many(201, { type: 'boolean' }))), /201 properties/);
    assert.match(await refusal(form({ a: { type: 'string', enum: list(2001) } })), /2001 choices/);
    assert.match(await refusal(form(many(6, { type: 'string', enum: list(2000) }))), /12000 choices/);
    assert.equal((await fields(many(200, { type: 'boolean' }))).length, 200);
  });

  it("is answered with the user's answer", async () => {
    const answers = [
      { action: 'accept', content: { a: 'x', b: ['y'], c: 1, d: false } },
      { action: 'accept' },
      { action: 'decline' },
      { action: 'cancel' },
    ] as const;
    for (const answer of answers) {
      const { transport, client } = connected();
      client.elicitation = () => Promise.resolve(answer);
      transport.feed({ jsonrpc: '2.0', id: 1, method: 'elicitation/create', params: form({}) });
      await settle();
      assert.deepEqual(transport.last.result, answer);
    }
  });
});
