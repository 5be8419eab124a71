import assert from 'node:assert/strict';
import fc from 'fast-check';
import { VIEW_ACTIONS } from '../../../../src/core/protocol/channels/actions';
import { messages, parseIntent } from '../../../../src/core/protocol/intent';
import type { FromView } from '../../../../src/core/protocol/view';

/**
 * The allowed results: by type, each member and its rule. The bounds are written down a second time, so that the test finds a bound that the parser
 * forgot.
 */
const K = 1024;
const M = K * K;
type Rule = (value: unknown) => boolean;
const text =
  (max: number): Rule =>
  (value) =>
    typeof value === 'string' && value.length <= max;
const whole: Rule = (value) => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
const flag: Rule = (value) => typeof value === 'boolean';
const maybe =
  (rule: Rule): Rule =>
  (value) =>
    value === undefined || rule(value);
const list =
  (max: number, rule: Rule): Rule =>
  (value) =>
    Array.isArray(value) && value.length <= max && Object.keys(value).length === value.length && value.every(rule);
const shape =
  (members: Record<string, Rule>): Rule =>
  (value) =>
    isPlain(value) &&
    Object.keys(value).every((name) => Object.hasOwn(members, name)) &&
    Object.entries(members).every(([name, rule]) => rule(value[name]));
const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
const oneOf =
  (...words: readonly unknown[]): Rule =>
  (value) =>
    words.includes(value);

const id = text(K);
const BLOCKS: Record<string, Rule> = {
  text: shape({ type: oneOf('text'), text: text(64 * M) }),
  image: shape({ type: oneOf('image'), data: text(64 * M), mimeType: text(64 * M) }),
  audio: shape({ type: oneOf('audio'), data: text(64 * M), mimeType: text(64 * M) }),
  resource_link: shape({
    type: oneOf('resource_link'),
    uri: text(8 * K),
    name: text(8 * K),
    mimeType: maybe(text(64 * M)),
    size: maybe(whole),
  }),
  resource: shape({
    type: oneOf('resource'),
    uri: text(8 * K),
    mimeType: maybe(text(64 * M)),
    text: maybe(text(64 * M)),
    blob: maybe(text(64 * M)),
  }),
};
const plainBlock: Rule = (value) =>
  isPlain(value) && typeof value.type === 'string' && Object.hasOwn(BLOCKS, value.type) && BLOCKS[value.type]!(value);
const filled =
  (max: number): Rule =>
  (value) =>
    text(max)(value) && value !== '';
const lines = { line: maybe(whole), endLine: maybe(whole) };
const REFERENCES: Record<string, Rule> = {
  file: shape({ kind: oneOf('file'), uri: filled(16 * K), ...lines }),
  folder: shape({ kind: oneOf('folder'), uri: filled(16 * K) }),
  symbol: shape({ kind: oneOf('symbol'), uri: filled(16 * K), ...lines, symbol: filled(500) }),
  problems: shape({ kind: oneOf('problems'), uri: maybe(filled(16 * K)) }),
  changes: shape({ kind: oneOf('changes'), uri: filled(16 * K) }),
  commit: shape({ kind: oneOf('commit'), uri: filled(16 * K), hash: filled(K) }),
  session: shape({ kind: oneOf('session'), sessionKey: filled(K) }),
  url: shape({ kind: oneOf('url'), uri: filled(16 * K) }),
  content: shape({ kind: oneOf('content'), block: plainBlock }),
};
const reference: Rule = (value) =>
  isPlain(value) && typeof value.kind === 'string' && Object.hasOwn(REFERENCES, value.kind) && REFERENCES[value.kind]!(value);
const mention: Rule = (value) =>
  shape({
    type: oneOf('mention'),
    token: filled(500),
    longToken: maybe(filled(500)),
    name: filled(500),
    about: maybe(text(16 * K)),
    ref: reference,
  })(value);
const content = list(256, (value) => plainBlock(value) || mention(value));
const answer: Rule = (value) => {
  const single = (each: unknown) => typeof each === 'boolean' || (typeof each === 'number' && Number.isFinite(each)) || text(16 * M)(each);
  return (
    isPlain(value) &&
    Object.keys(value).length <= 1000 &&
    Object.values(value).every((each) => single(each) || list(2000, text(16 * M))(each))
  );
};
/** The rules of the messages at the time of writing. Later messages are held to the limit of the whole message. */
const RULES: { readonly [T in FromView['type']]?: Record<string, Rule> } = {
  ready: {},
  ping: { pingId: whole },
  retry_prompt: { turnId: id },
  mark_favorite: { configId: id, value: text(8 * K), isFavorite: flag },
  cancel: {},
  confirm_cancel: {},
  edit_queued: { queueId: id },
  save_queued: { queueId: id, text: text(64 * M), kept: list(256, whole) },
  cancel_queued_edit: { queueId: id },
  move_queued: { queueId: id, index: whole },
  remove_queued: { queueId: id },
  send_queued: { queueId: id, now: oneOf('steer', 'interrupt') },
  resume_queue: {},
  attach_files: {},
  change_report: { act: oneOf('open', 'apply', 'remove'), path: maybe(text(8 * K)) },
  review_changes: { act: oneOf('keep', 'undo', 'open'), path: maybe(text(8 * K)) },
  restore_checkpoint: { entryId: id },
  typing: {},
  focus: { hasFocus: flag },
  card_sight: { permissionId: id, sight: oneOf('hidden', 'seen', 'focused') },
  resync: { want: list(2000, id) },
  drawn: { seq: whole },
  bodies: { entryIds: list(2000, id) },
  terminals: { terminalIds: list(100, id) },
  bulk: {
    entryId: id,
    field: (value) => value === 'rawInput' || value === 'rawOutput' || (typeof value === 'string' && /^content\.\d{1,6}$/.test(value)),
  },
  draft: { at: whole, content },
  resend: { entryId: id, content },
  prompt: { content, now: maybe(oneOf('steer', 'interrupt')) },
  find_mentions: { queryId: whole, text: text(1000) },
  pick_mention: { pick: id },
  open_mention: { mention },
  stop_context: { context: oneOf('activeFile', 'selection') },
  attach_uris: { uris: list(100, text(8 * K)) },
  answer_permission: { permissionId: id, optionId: text(8 * K) },
  answer_elicitation: { requestKey: id, action: oneOf('accept', 'decline', 'cancel'), content: maybe(answer) },
  open_elicitation: { requestKey: id },
  sign_in: { methodId: maybe(id) },
  set_config: { configId: id, value: (value) => flag(value) || text(8 * K)(value) },
  open_location: { path: text(8 * K), line: maybe(whole) },
  open_link: { href: text(8 * K) },
  open_diff: { entryId: id, content: whole, change: whole },
  open_turn_file: { entryId: id, file: whole },
  open_content: { entryId: id, content: whole },
  mark_ended: { toolCallId: id },
  stop_terminal: { terminalId: id },
  stop_tool_call: { toolCallId: id },
  show_terminal: { terminalId: id },
  copy: { text: text(16 * M) },
  find: { findId: whole, text: text(1000), caseSensitive: flag, wholeWord: flag },
  reading: { entryId: maybe(id) },
  insert_code: { text: text(4 * M) },
  apply_code: { text: text(4 * M), info: text(8 * K) },
  files: { texts: list(200, text(8 * K)) },
  run_code: { text: text(4 * M) },
  action: { action: oneOf(...VIEW_ACTIONS) },
  accounts: {},
  continue_with_account: { agentId: id },
  start_page: {},
  open_session: { sessionKey: id },
  page_state: { state: text(M) },
  set_chat_location: { location: oneOf('editor', 'sideBar') },
};

function size(value: unknown): number {
  return typeof value === 'string'
    ? value.length
    : typeof value === 'object' && value !== null
      ? Object.entries(value).reduce((sum, [name, each]) => sum + name.length + size(each), 0)
      : 1;
}

/** Undefined, or an intent within all bounds. */
function check(message: unknown): FromView | undefined {
  const intent = parseIntent(message);
  if (intent) {
    const rules = RULES[intent.type];
    assert.ok(!rules || shape({ type: oneOf(intent.type), ...rules })(intent), `let through: ${JSON.stringify(intent).slice(0, 300)}`);
    assert.ok(size(intent) <= 64 * M + 256 * 64, `as large as ${size(intent)}`);
    assert.ok(!('planted' in intent));
    assert.equal(({} as Record<string, unknown>).polluted, undefined);
  }
  return intent;
}

/** Texts around the bounds. They are expensive to make, so they are made once. */
const LENGTHS = [0, 1, 1000, 1001, K, K + 1, 8 * K, 8 * K + 1, 16 * K, 16 * K + 1, 4 * M, 4 * M + 1, 16 * M, 16 * M + 1];
const LONG = LENGTHS.map((length) => 'x'.repeat(length));
const words = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.constantFrom(...LONG, '__proto__', 'constructor', 'content.3', 'content.1234567', 'rawInput', '\ud800', '\u202e', 'retry', 'accept'),
);
const sparse = fc.constantFrom<unknown>(
  Array(3),
  Array(2000),
  Object.assign(Array(5), { 2: 'x' }),
  Array(2001).fill('a'),
  Array(300).fill({ type: 'text', text: 'x' }),
);
const odd = fc.oneof(
  { arbitrary: words, weight: 4 },
  { arbitrary: fc.constantFrom<unknown>(0, -1, -0, 1.5, 2 ** 53, NaN, Infinity, 3, 10n, null, undefined, true, false), weight: 2 },
  { arbitrary: sparse, weight: 1 },
  { arbitrary: fc.array(words, { maxLength: 5 }), weight: 2 },
  {
    arbitrary: fc.anything({
      withNullPrototype: true,
      withSparseArray: true,
      withMap: true,
      withSet: true,
      withDate: true,
      withBigInt: true,
      withTypedArray: true,
      maxDepth: 3,
    }),
    weight: 1,
  },
);
const block = fc.record(
  {
    type: fc.constantFrom('text', 'image', 'audio', 'resource', 'resource_link', 'unknown', '__proto__'),
    text: odd,
    data: odd,
    mimeType: odd,
    uri: odd,
    name: odd,
    blob: odd,
    size: odd,
  },
  { requiredKeys: ['type'] },
);
const hostileReference = fc.record(
  {
    kind: fc.constantFrom(...Object.keys(REFERENCES), 'unknown', '__proto__'),
    uri: odd,
    line: odd,
    endLine: odd,
    symbol: odd,
    hash: odd,
    sessionKey: odd,
    block,
  },
  { requiredKeys: ['kind'] },
);
const hostileMention = fc.record(
  { type: fc.constant('mention'), token: words, longToken: odd, name: words, about: odd, ref: hostileReference },
  { requiredKeys: ['type', 'token', 'name', 'ref'] },
);
const MEMBERS = [...new Set(Object.values(RULES).flatMap((rules) => Object.keys(rules)))];
const member = (name: string): fc.Arbitrary<unknown> =>
  name === 'content'
    ? fc.oneof(
        odd,
        fc.array(fc.oneof({ arbitrary: block, weight: 9 }, { arbitrary: hostileMention, weight: 3 }, odd), { maxLength: 6 }),
        fc.dictionary(words, odd, { maxKeys: 5 }),
      )
    : name === 'mention'
      ? hostileMention
      : odd;
const message = fc.record(
  {
    type: fc.constantFrom(...Object.keys(messages), 'constructor', '__proto__', 'toString', ''),
    ...Object.fromEntries(MEMBERS.map((name) => [name, member(name)])),
    planted: odd,
  },
  { requiredKeys: ['type'], noNullPrototype: false },
);

describe('a message of a hostile page', () => {
  it('never throws, and never becomes an intent without bounds', () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(message, (value) => {
        const intent = check(value);
        if (intent) {
          seen.add(intent.type);
        }
      }),
      { numRuns: 3000 },
    );
    // Without this, the test would prove nothing: most types must have been accepted at least once.
    assert.ok(seen.size >= 20, [...seen].join(' '));
  });

  it('is refused or copied, without shared objects', () => {
    fc.assert(
      fc.property(message, (value) => {
        const intent = parseIntent(value) as Record<string, unknown> | undefined;
        const given = new Set<unknown>(objectsIn(value));
        assert.ok(!intent || objectsIn(intent).every((each) => !given.has(each)));
      }),
      { numRuns: 1000 },
    );
  });

  it('has a bound for its total size', () => {
    const part = 'x'.repeat(16 * M);
    const prompt = (count: number): unknown => ({
      type: 'prompt',
      content: Array.from({ length: count }, () => ({ type: 'text', text: part })),
    });
    assert.equal(check(prompt(3))?.type, 'prompt');
    assert.equal(check(prompt(5)), undefined);
    assert.equal(
      check({ type: 'prompt', content: Array.from({ length: 5 }, () => ({ type: 'image', data: '', mimeType: part })) }),
      undefined,
    );
    const form = (values: unknown): unknown => ({ type: 'answer_elicitation', requestKey: 'e', action: 'accept', content: values });
    assert.equal(check(form({ a: Array(2000).fill('x'.repeat(8 * K)) }))?.type, 'answer_elicitation');
    assert.equal(check(form({ a: Array(2000).fill('x'.repeat(8 * K)), b: Array(2000).fill('x'.repeat(8 * K)) })), undefined);
    assert.equal(check(form({ a: Array(3) })), undefined);
    assert.equal(check({ type: 'resync', want: Array(3) }), undefined);
  });

  it('cannot change the prototype of all objects', () => {
    const intent = check(
      JSON.parse('{"type":"answer_elicitation","requestKey":"e","action":"accept","content":{"__proto__":"x","polluted":true}}'),
    );
    assert.ok(intent?.type === 'answer_elicitation' && Object.hasOwn(intent.content!, '__proto__'));
    assert.equal(({} as Record<string, unknown>).polluted, undefined);
  });
});

function objectsIn(value: unknown, found: unknown[] = []): unknown[] {
  if (typeof value === 'object' && value !== null && !found.includes(value)) {
    found.push(value);
    Object.values(value).forEach((each) => objectsIn(each, found));
  }
  return found;
}
