import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Redaction } from '../../../../src/acp/redaction/redact';
import { REDACTED, secretValues } from '../../../../src/acp/redaction/secretValues';

const none = new Redaction();

/** A redacted frame of the agent, parsed again. */
const agentSays = (message: object, redaction = none): unknown =>
  JSON.parse(redaction.frame(JSON.stringify(message), { fromClient: false }));
const weSay = (message: object): unknown => JSON.parse(none.frame(JSON.stringify(message), { fromClient: true }));

/** Long enough that a quadratic algorithm would exceed the test's timeout. */
const LONG = 1_000_000;

describe('redaction of frames', () => {
  it('leaves a frame without secrets unchanged, to the last space', () => {
    const frame =
      '{ "jsonrpc":"2.0", "id": 12345678901234567890.50, "method":"session/update",\t"params":{"usage":{"totalTokens":12,"used":1e3},"text":"say \\"hi\\" \\u00e9"}}';
    assert.equal(none.frame(frame, { fromClient: false }), frame);
  });

  it('keeps every digit of ids and numbers beside what it redacts', () => {
    const frame =
      '{"id":900719925474099312345,"params":{"apiKey":"k1","requestId":18446744073709551615,"tokens":18446744073709551616,"x":1.10}}';
    const redacted = none.frame(frame, { fromClient: false });
    assert.equal(redacted, frame.replace('"k1"', `"${REDACTED}"`));
  });

  it('never touches the id, whatever it looks like', () => {
    const redaction = new Redaction(['sk-1234567890abcdef']);
    for (const message of [
      { id: 'sk-1234567890abcdef', result: {} },
      { method: '$/cancel_request', params: { requestId: 'sk-1234567890abcdef' } },
    ]) {
      assert.deepEqual(agentSays(message, redaction), message);
    }
  });

  it('redacts strings in members with a secret’s name, and leaves numbers', () => {
    const secrets = {
      authorization: 'a',
      apiKey: 'b',
      api_key: 'c',
      'api-key': 'd',
      authToken: 'e',
      clientSecret: 'f',
      PASSWORD: 'g',
      cookie: 'h',
      bearer: 'i',
      credential: 'j',
    };
    const redacted = agentSays({ params: { ...secrets, totalTokens: 5, used: 7, tokens: 9, maxToken: null, sessionId: 'S' } });
    const expected = Object.fromEntries(Object.keys(secrets).map((name) => [name, REDACTED]));
    assert.deepEqual(redacted, { params: { ...expected, totalTokens: 5, used: 7, tokens: 9, maxToken: null, sessionId: 'S' } });
  });

  it('redacts everything inside such a member, except members that only describe it', () => {
    assert.deepEqual(
      agentSays({ secrets: ['a', { deep: 'b', type: 'oauth' }], 'api-key': { provider: 'google', value: 'v' }, after: 'c' }),
      {
        secrets: [REDACTED, { deep: REDACTED, type: 'oauth' }],
        'api-key': { provider: 'google', value: REDACTED },
        after: 'c',
      },
    );
  });

  it('redacts headers and environments in all their forms', () => {
    const params = {
      mcpServers: [
        {
          name: 'files',
          command: 'npx',
          args: ['-y'],
          env: [
            { name: 'HOME_PAGE', value: 'anything' },
            { value: 'first', name: 'B' },
          ],
        },
        { type: 'http', name: 'web', url: 'https://web.test', headers: [{ name: 'X-Any', value: 'v' }] },
      ],
      env: { NAME: 'value', MORE: { nested: 'v' } },
      headers: { Accept: ['a', 'b'] },
      other: { env: ['NAME=value=2', 'ALONE'] },
      pairs: [
        { value: 'v1', name: 'Authorization' },
        { key: 'X-Api-Key', value: 'v2' },
        { name: 'Accept', value: 'text' },
        { name: 'Gemini API key', value: 'gemini-api-key' },
      ],
    };
    assert.deepEqual(agentSays({ params }), {
      params: {
        mcpServers: [
          {
            name: 'files',
            command: 'npx',
            args: ['-y'],
            env: [
              { name: 'HOME_PAGE', value: REDACTED },
              { value: REDACTED, name: 'B' },
            ],
          },
          { type: 'http', name: 'web', url: 'https://web.test', headers: [{ name: 'X-Any', value: REDACTED }] },
        ],
        env: { NAME: REDACTED, MORE: { nested: REDACTED } },
        headers: { Accept: [REDACTED, REDACTED] },
        other: { env: [`NAME=${REDACTED}`, 'ALONE'] },
        pairs: [
          { value: REDACTED, name: 'Authorization' },
          { key: 'X-Api-Key', value: REDACTED },
          { name: 'Accept', value: 'text' },
          { name: 'Gemini API key', value: 'gemini-api-key' },
        ],
      },
    });
  });

  it('redacts what the user entered in a form, and no other answer of the client', () => {
    assert.deepEqual(weSay({ id: 1, result: { action: 'accept', content: { pin: 'abc', age: 7, on: true, list: ['x'] } } }), {
      id: 1,
      result: { action: 'accept', content: { pin: REDACTED, age: 7, on: true, list: [REDACTED] } },
    });
    const read = { id: 2, result: { content: 'the file’s text' } };
    assert.deepEqual(weSay(read), read);
    const ofAgent = { id: 3, result: { content: { text: 'not ours' } } };
    assert.deepEqual(agentSays(ofAgent), ofAgent);
  });

  it('finds values of the environment inside longer strings, in escaped strings and in names', () => {
    const redaction = new Redaction(secretValues({ LONG: 'pa"ss\\word', MY_KEY: 'xyz', SHORT: 'abc', BLANK_TOKEN: ' ' }));
    assert.deepEqual(agentSays({ a: 'is pa"ss\\word!', 'pa"ss\\word': 1, b: 'xyz, xyzzy and abc', c: 'pa%22ss%5Cword' }, redaction), {
      a: `is ${REDACTED}!`,
      [REDACTED]: 1,
      b: `${REDACTED}, xyzzy and abc`,
      c: REDACTED,
    });
  });

  it('redacts the beginning of a secret when the frame was cut', () => {
    const redaction = new Redaction(['topsecretvalue']);
    const cut = (text: string): string => redaction.frame(text, { fromClient: false, cut: true });
    assert.equal(cut('{"params":{"text":"it is topsecr'), `{"params":{"text":"it is ${REDACTED}`);
    assert.equal(cut('{"params":{"apiKey":"abc'), `{"params":{"apiKey":"${REDACTED}"`);
    assert.ok(!cut('{"headers2":[{"value":"plain').includes('plain'), 'the name may have been Authorization');
  });

  it('redacts the value of a secret name of which a part is redacted itself', () => {
    const text = JSON.stringify([{ name: 'password="x', value: 'token' }]);
    const redacted = new Redaction(['abcd']).frame(text, { fromClient: false });
    assert.deepEqual(JSON.parse(redacted), [{ name: `password="${REDACTED}`, value: REDACTED }]);
  });

  it('keeps any JSON valid and everything in it that is not a string', () => {
    const strip = (value: unknown): unknown =>
      typeof value === 'string'
        ? ''
        : Array.isArray(value)
          ? value.map(strip)
          : typeof value === 'object' && value !== null
            ? Object.values(value).map(strip)
            : value;
    const word = fc.constantFrom(
      'token',
      'name',
      'value',
      'env',
      'headers',
      'result',
      'content',
      'id',
      'Bearer abcdefgh',
      'a\\"b',
      '\ud800',
      'password="x',
      'Authorization',
    );
    const json = fc.jsonValue({ maxDepth: 5 });
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        word,
        json,
        fc.array(tie('tree'), { maxLength: 4 }),
        fc.array(fc.tuple(word, tie('tree')), { maxLength: 4 }).map((pairs) => Object.fromEntries(pairs) as unknown),
      ),
    }));
    fc.assert(
      fc.property(tree, fc.boolean(), fc.nat(), (value, fromClient, length) => {
        const text = JSON.stringify(value);
        const redacted = new Redaction(['abcd']).frame(text, { fromClient });
        assert.deepEqual(strip(JSON.parse(redacted)), strip(JSON.parse(text)));
        assert.equal(new Redaction(['abcd']).frame(redacted, { fromClient }), redacted, 'nothing is left for a second look');
        none.frame(text.slice(0, length % (text.length + 1)), { fromClient, cut: true });
      }),
    );
  });
});

describe('redaction of text', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['curl -H "Authorization: Bearer abc.def" https://x.test', `curl -H "Authorization: ${REDACTED}" https://x.test`],
    ['authorization: Basic dXNlcjpwYXNzd29yZA==', `authorization: ${REDACTED}`],
    ['using bearer abcdef1234 now', `using bearer ${REDACTED} now`],
    ['Cookie: a=b; c=d\nnext', `Cookie: ${REDACTED}\nnext`],
    ['sk-abcdef123456, ghp_0123456789ab xoxb-12345678 AKIAIOSFODNN7EXAMPLE', `${REDACTED}, ${REDACTED} ${REDACTED} ${REDACTED}`],
    ['jwt eyJhbGciOi.eyJzdWIiOi.c2ln!', `jwt ${REDACTED}!`],
    ['postgres://me:p@ss@db.test:5/x', `postgres://${REDACTED}@db.test:5/x`],
    [
      'GET https://a.test/cb?code=abc&state=1&access_token=x#f',
      `GET https://a.test/cb?code=${REDACTED}&state=1&access_token=${REDACTED}#f`,
    ],
    ['OPENAI_API_KEY=abc node x.js --token abc --port 80', `OPENAI_API_KEY=${REDACTED} node x.js --token ${REDACTED} --port 80`],
    ['{"password": "a\\"b", "user": "ada"}', `{"password": "${REDACTED}", "user": "ada"}`],
    ['"{\\"token\\":\\"abc\\",\\"n\\":1}"', `"{\\"token\\":\\"${REDACTED}\\",\\"n\\":1}"`],
    ["secret: 'it is'", `secret: '${REDACTED}'`],
    ['passphrase: 12345', `passphrase: ${REDACTED}`],
    ['a\n-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\nb', `a\n${REDACTED}\nb`],
    ['-----BEGIN PRIVATE KEY-----\nMIIE', REDACTED],
  ];
  for (const [text, expected] of cases) {
    it(JSON.stringify(text), () => assert.equal(none.text(text), expected));
  }

  for (const text of [
    'token: string; password?: string',
    'tokens: 512 of 8k',
    'const token = readToken()',
    'see authentication.md',
    'https://a.test/?page=2',
    'user@host',
  ]) {
    it(`leaves ${JSON.stringify(text)}`, () => assert.equal(none.text(text), text));
  }

  it('keeps only the environment values that are secrets', () => {
    assert.deepEqual(secretValues({ A: 'short', B: 'long enough', C_TOKEN: 'tok', D: '' }), ['long%20enough', 'long enough', 'tok']);
    assert.equal(new Redaction(secretValues({ CERT: 'first line\nsecond line\nend' })).text('> second line'), `> ${REDACTED}`);
  });
});

describe('redaction of hostile text', () => {
  const seeds = [
    'eyJ',
    'eyJaaaaa.',
    'sk-',
    'token',
    'token"',
    'token: ',
    'password="',
    '\\"',
    '\\',
    '?token',
    '&a',
    '://a@',
    '://',
    '-----BEGIN PRIVATE KEY-----',
    'bearer ',
    '--a',
    '-',
    ' ',
    '[',
    '{"token":',
    '{"value":"x","name":"token"},',
    '"a":{',
  ];
  for (const seed of seeds) {
    it(`ends: ${JSON.stringify(seed)} for ${LONG} units`, () => {
      const text = seed.repeat(Math.ceil(LONG / seed.length));
      none.text(text);
      none.frame(text, { fromClient: true, cut: true });
      assert.equal(typeof JSON.parse(none.frame(`{"a":${JSON.stringify(text)}}`, { fromClient: true })), 'object');
    });
  }
});
