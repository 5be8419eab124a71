import assert from 'node:assert/strict';
import { redactText } from '../../../../src/acp/redaction/secrets';
import {
  cutValueLength,
  isSecretValue,
  REDACTED,
  secretValues,
  typedValues,
  withoutCutValue,
  withoutValues,
} from '../../../../src/acp/redaction/secretValues';

const hex = (length: number): string => '0123456789abcdef'.repeat(20).slice(0, length);
const mixed = (length: number): string => 'aB3dE5gH7jK9mN1pQrStUvWxYz'.repeat(20).slice(0, length);

/** Each token is written in two pieces, so that secret scanners do not report this file. */
const TOKENS: Readonly<Record<string, string>> = {
  OpenAI: 'sk-' + 'proj-' + mixed(40),
  Anthropic: 'sk-ant-' + 'api03-' + mixed(60),
  Groq: 'gsk_' + mixed(52),
  xAI: 'xai-' + mixed(60),
  Perplexity: 'pplx-' + mixed(48),
  'Hugging Face': 'hf_' + mixed(34),
  NVIDIA: 'nvapi-' + mixed(60),
  Replicate: 'r8_' + mixed(37),
  AWS: 'AKIA' + 'IOSFODNN7EXAMPLE',
  Bedrock: 'ABSK' + mixed(80),
  Google: 'AIza' + mixed(35),
  'Google OAuth': 'ya29.' + mixed(60),
  'Google client': 'GOCSPX-' + mixed(28),
  Entra: 'abc8Q~' + mixed(34),
  DigitalOcean: 'dop_v1_' + hex(64),
  'DigitalOcean OAuth': 'doo_v1_' + hex(64),
  'DigitalOcean refresh': 'dor_v1_' + hex(64),
  Doppler: 'dp.pt.' + mixed(43),
  Vault: 'hvs.' + 'CAESI' + mixed(90),
  'Vault batch': 'hvb.' + mixed(90),
  'Vault recovery': 'hvr.' + mixed(90),
  Terraform: mixed(14) + '.atlasv1.' + mixed(60),
  Pulumi: 'pul-' + hex(40),
  Databricks: 'dapi' + hex(32),
  PlanetScale: 'pscale_tkn_' + mixed(43),
  Supabase: 'sbp_' + hex(40),
  Tailscale: 'tskey-auth-' + mixed(17) + '-' + mixed(30),
  age: 'AGE-SECRET-KEY-1' + 'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L'.repeat(2).slice(0, 58),
  GitHub: 'ghp_' + mixed(36),
  'GitHub fine-grained': 'github_pat_' + mixed(80),
  GitLab: 'glpat-' + mixed(20),
  'GitLab runner': 'glrt-' + mixed(20),
  Atlassian: 'ATATT' + '3xFfGF0' + mixed(180),
  'Atlassian access': 'ATCTT' + '3xFfGN0' + mixed(180),
  npm: 'npm_' + mixed(36),
  PyPI: 'pypi-' + 'AgEIcHlwaS5vcmc' + mixed(120),
  RubyGems: 'rubygems_' + hex(48),
  Docker: 'dckr_pat_' + mixed(27),
  Sentry: 'sntrys_' + mixed(80),
  Grafana: 'glsa_' + mixed(32) + '_' + hex(8),
  'New Relic': 'NRAK-' + 'ABCDEFGHIJ0123456789ABCDEFG',
  Buildkite: 'bkua_' + hex(40),
  CircleCI: 'CCIPAT_' + mixed(22) + '_' + hex(40),
  Linear: 'lin_api_' + mixed(40),
  Notion: 'ntn_' + mixed(46),
  'Notion, older': 'secret_' + mixed(43),
  Figma: 'figd_' + mixed(40),
  Airtable: 'pat' + mixed(14) + '.' + hex(64),
  Postman: 'PMAK-' + hex(24) + '-' + hex(34),
  Stripe: 'sk_live_' + mixed(24),
  Square: 'sq0atp-' + mixed(22),
  Shopify: 'shpat_' + hex(32),
  Slack: 'xoxb-' + '1234567890-' + mixed(24),
  'Slack app': 'xapp-1-' + mixed(40),
  SendGrid: 'SG.' + mixed(22) + '.' + mixed(43),
  Twilio: 'SK' + hex(32),
  Mailgun: 'key-' + hex(32),
  Mailchimp: hex(32) + '-us14',
  Telegram: '123456789:' + 'AA' + mixed(33),
  'Telegram, in its manual': '110201543:' + 'AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw',
  Discord: 'M' + mixed(25) + '.' + mixed(6) + '.' + mixed(38),
  'JSON web token': 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.' + mixed(43),
};

describe('the search for secrets by their shape', () => {
  for (const [service, token] of Object.entries(TOKENS)) {
    it(`finds a token of ${service}, wherever it is`, () => {
      for (const [before, after] of [
        ['', ''],
        ['use ', ' now'],
        ['"', '"'],
        ['(', ')'],
        ['x=', '&y'],
        ['\\n', '\\n'],
        ['https://api.test/', '/send'],
        ['\u001b[32m', '\u001b[0m'],
      ] as const) {
        const redacted = redactText(before + token + after, []);
        assert.ok(!redacted.includes(token.slice(-16)), redacted);
        assert.ok(redacted.startsWith(before) && (after === '/send' || redacted.endsWith(after)), redacted);
      }
    });
  }

  const TEXTS: readonly (readonly [string, string])[] = [
    [
      'DefaultEndpointsProtocol=https;AccountName=me;AccountKey=abc+/def==;EndpointSuffix=core.windows.net',
      `DefaultEndpointsProtocol=https;AccountName=me;AccountKey=${REDACTED};EndpointSuffix=core.windows.net`,
    ],
    ['Endpoint=sb://x.servicebus.windows.net/;SharedAccessKey=abc=', `Endpoint=sb://x.servicebus.windows.net/;SharedAccessKey=${REDACTED}`],
    ['https://x.blob.core.windows.net/c?sv=2024&se=2026&sig=abc%3D', `https://x.blob.core.windows.net/c?sv=2024&se=2026&sig=${REDACTED}`],
    ['Server=db;Uid=sa;Pwd=hunter;', `Server=db;Uid=sa;Pwd=${REDACTED};`],
    ['user: ada\npassword: hunter\nhost: db', `user: ada\npassword: ${REDACTED}\nhost: db`],
    ['password = hunter\n', `password = ${REDACTED}\n`],
    ['passwd=hunter', `passwd=${REDACTED}`],
    ['pwd: hunter', `pwd: ${REDACTED}`],
    ['password: hunter  # of the test database', `password: ${REDACTED}  # of the test database`],
    ['{ user: ada, password: hunter, db: x }', `{ user: ada, password: ${REDACTED}, db: x }`],
    ['the password: Tr0ub4dor&3 is old', `the password: ${REDACTED}&3 is old`],
    ['https://hooks.slack.com/services/T00000000/B00000000/abcdefghijklmnop', `https://hooks.slack.com/services/${REDACTED}`],
    ['https://discord.com/api/webhooks/123456789/abcdefghijklmnop', `https://discord.com/api/webhooks/${REDACTED}`],
    ['https://api.telegram.org/bot110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw/getMe', `https://api.telegram.org/${REDACTED}/getMe`],
    ['amqps://me:secret@mq.test/x', `amqps://${REDACTED}@mq.test/x`],
    ['-----BEGIN PGP PRIVATE KEY BLOCK-----\nabc\n-----END PGP PRIVATE KEY BLOCK-----', REDACTED],
  ];
  for (const [text, expected] of TEXTS) {
    it(`finds what is in ${JSON.stringify(text)}`, () => assert.equal(redactText(text, []), expected));
  }

  const ORDINARY: readonly string[] = [
    'commit d600938ab6f1c2e3d4a5b6c7d8e9f00112233445',
    'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    'id 3f2504e0-4f89-41d3-9a0c-0305e82c3301',
    '"integrity": "sha512-abcDEF0123456789abcDEF0123456789abcDEF0123456789abcDEF0123456789abcDEF0123456789abcDEF0123=="',
    'at Object.<anonymous> (/home/me/project/src/index.ts:10:15)',
    'password: see below',
    'password: string',
    'password: required',
    'password?: string;',
    'Password:',
    'Enter your password: ',
    'password: <your password>',
    'the password: it is asked for later',
    'password: ${DB_PASSWORD}',
    'password: ********',
    'pwd: /home/me/project',
    'PWD=/home/me/project',
    'cwd=/x pwd=~/x',
    'C:\\x> pwd: C:\\x',
    'pypi-publish-to-the-test-index',
    'sk-learn',
    'SG.x.y',
    'hvs.name',
    'ATATTACHMENTS of a mail',
    'npm_config_registry',
    'dp.pt.x',
    'secret_santa_gift_exchange_list_of_the_office',
    '10:20:30 server started',
    '12345678:1:2',
    '1700000000:abcdefghijklmnopqrstuvwxyz-abcdefghi',
    'line 123456789:some-slug-of-words-that-is-quite-long-here',
    'key-value-store',
    'figure_1',
    'AC/DC',
    'SKIPPED',
    'MANIFEST.MF',
    'MyClassName.method.another',
    'pattern.abc',
    'MODULE_NOT_FOUND',
    'xai-grok',
    'fw_version',
    'whsec_',
    'https://example.com/a?b=c&page=2',
    'user@example.com',
    'tokens: 512',
    'import { key } from "x"',
  ];
  for (const text of ORDINARY) {
    it(`leaves ${JSON.stringify(text)}`, () => assert.equal(redactText(text, []), text));
  }

  it('searches a long text in linear time, whatever it contains', function () {
    this.timeout(120_000);
    const beginnings = [...new Set(Object.values(TOKENS).flatMap((token) => [token.slice(0, 4), token.slice(0, 8)]))];
    const runs = [
      'a',
      '0',
      'A',
      '.',
      '-',
      '_',
      ':',
      '=',
      '/',
      '\\',
      '"',
      ' ',
      'aA0',
      'pwd',
      'pwd:',
      'password:',
      'password: ',
      'password: a ',
      'a.',
      '1:',
      '--token ',
      '://',
      '@',
      'bot1',
      'discord.com/api/webhooks/',
      '-----BEGIN PRIVATE KEY-----',
    ];
    // A quadratic pattern would need 3 s for a megabyte if it needed this for a quarter of one. The machine may be busy: the best of three counts.
    const [length, limitMs] = [250_000, 187];
    const slow: string[] = [];
    for (const one of [...beginnings, ...runs]) {
      for (const text of [one.repeat(Math.ceil(length / one.length)), one + '0aA.'.repeat(length / 4), one + '0aA-'.repeat(length / 4)]) {
        let took = Infinity;
        for (let tries = 0; tries < 3 && took > limitMs; tries++) {
          const start = performance.now();
          redactText(text, []);
          took = Math.min(took, performance.now() - start);
        }
        if (took > limitMs) {
          slow.push(`${JSON.stringify(one)}: ${took.toFixed(0)} ms`);
        }
      }
    }
    assert.deepEqual(slow, []);
  });
});

describe('values of an environment', () => {
  it('are secrets by their name, or by their length unless they are values that are common to many machines', () => {
    const secret = [
      ['MY_KEY', 'k'],
      ['SOME_KEY', 'abcd'],
      ['MARKER', 'env-value-1'],
      ['PHRASE', 'correct horse battery staple'],
      ['DSN', 'https://abc@sentry.test/1'],
      ['DATABASE_URL', 'postgres://a:b@c/d'],
      ['HOOK', `/${mixed(24)}/x`],
      ['MODEL', mixed(30)],
      ['API_URL', 'https://x.test/?sig=1'],
      ['PIN', '1234'],
    ] as const;
    const ordinary = [
      ['FOO', 'bar'],
      ['USE_TOKEN', 'true'],
      ['API_KEY', '1'],
      ['ANTHROPIC_MODEL', 'claude-sonnet-4-5'],
      ['BASE_URL', 'http://localhost:8080/v1'],
      ['DATA', '/home/me/project'],
      ['W', 'C:\\Users\\me\\x'],
      ['NODE_ENV', 'production'],
      ['AWS_REGION', 'eu-central-1'],
      ['X_TIMEOUT', '12000000'],
      ['TOKEN', ' '],
    ] as const;
    assert.deepEqual(
      secret.filter(([name, value]) => !isSecretValue(name, value)),
      [],
    );
    assert.deepEqual(
      ordinary.filter(([name, value]) => isSecretValue(name, value)),
      [],
    );
  });

  it('are found as they are written in addresses, in JSON and line by line', () => {
    const values = secretValues({ KEY: 'first line "x"\nsecond line' });
    for (const text of [
      'first line "x"\nsecond line',
      'first%20line%20%22x%22%0Asecond%20line',
      'first line \\"x\\"\\nsecond line',
      'second line',
    ]) {
      assert.equal(withoutValues(`<${text}>`, values), `<${REDACTED}>`);
    }
  });

  it('are always secret when the user typed them, unless they occur in any text', () => {
    assert.deepEqual(typedValues({ A: '/home/me', B: 'blue', C: '1', D: 'true', E: '' }), ['%2Fhome%2Fme', '/home/me', 'blue']);
  });

  it('are recognized by their beginning where a text was cut', () => {
    assert.equal(cutValueLength('it is top', ['topsecret']), 3);
    assert.equal(cutValueLength('it is topsecrex', ['topsecret']), 0);
    assert.equal(cutValueLength('tototop', ['topsecret', 'totopx']), 5);
    assert.equal(cutValueLength('', ['x']), 0);
    assert.equal(withoutCutValue('it is to', ['topsecret']), 'it is to');
    assert.equal(withoutCutValue('it is tops', ['topsecret']), `it is ${REDACTED}`);
  });
});
