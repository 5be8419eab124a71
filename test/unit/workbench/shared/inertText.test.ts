// Nothing that others write becomes a link or an icon of VS Code, by VS Code's own expressions: every sentence, failure and row of the extension with
// hostile values in every place.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as fc from 'fast-check';
import ts from 'typescript';
import type { CatalogEntry } from '../../../../src/agent/catalog';
import { withoutUnseen } from '../../../../src/text/characters/characters';
import type { FailureCode } from '../../../../src/core/model/failure';
import type { PermissionAsk } from '../../../../src/permission/presenter';
import { EMPTY_STATE, type SessionState } from '../../../../src/core/model/state';
import { agentRows, ignoredNotice } from '../../../../src/workbench/agents/agentRows';
import { agentSessionRows } from '../../../../src/workbench/sessions/agentSessionRows';
import { reasonWords } from '../../../../src/workbench/permission/askWords';
import { inert, joined, own, visible, withIcon } from '../../../../src/workbench/shared/escape';
import { helpText } from '../../../../src/workbench/export/helpDocument';
import { deedOf } from '../../../../src/workbench/permission/permissionSummary';
import { permissionWords } from '../../../../src/workbench/permission/permissionText';
import { journaledRow, sessionRow, statusBarWords } from '../../../../src/workbench/sessions/sessionRows';
import { methodRows } from '../../../../src/workbench/auth/signInRows';
import { traceRow } from '../../../../src/workbench/export/traceRows';
import { failureSentence, failureText, shortFailureText } from '../../../../src/workbench/shared/failureText';
import { actionsIn } from '../../../support/vscodeText';
import { english } from '../english';

const root = path.resolve(__dirname, '../../../..');
const COMMAND = '(command:workbench.action.terminal.sendSequence?%7B%22text%22%3A%22x%22%7D)';

/** Whole links and icons, their halves, what hides in them, and what is too long. */
const HOSTILE = [
  `[x]${COMMAND}`,
  `[x]${COMMAND.slice(0, -1)} "title")`,
  '[x](https://example.com/)[y](file:///etc/passwd)',
  `a] [b]${COMMAND}`,
  '[x]',
  '[x',
  'x]',
  COMMAND,
  '$(warning)',
  '\\$(x)',
  '$$(sync~spin)',
  '$',
  '(warning)',
  `[x]\n${COMMAND}`,
  `[x]\u2060${COMMAND}`,
  `[x]\u2060\u2060${COMMAND}`,
  `[x]$(a)${COMMAND}`,
  `[x]\u200b${COMMAND}`,
  `[x\u202e]${COMMAND}`,
  `[x]\u0000${COMMAND}`,
  `[x]\ud800${COMMAND}\udc00`,
  `[\t]${COMMAND}`,
  `[${'x'.repeat(990)}]${COMMAND}`,
  `${'['.repeat(1_200)}x]${COMMAND}`,
];

/** Text of the signs that matter, with the words that make a link or an icon of them. */
const anything = fc
  .array(
    fc.oneof(
      fc.constantFrom('[', ']', '(', ')', '$', '\\', '\u2060', ' ', '\n', '"', 'x', '~', '{name}', '&&'),
      fc.constantFrom(COMMAND, '(https://x)', '[x]', 'check)', 'command:x'),
      fc.string({ maxLength: 3 }),
    ),
    {
      maxLength: 12,
    },
  )
  .map((pieces) => pieces.join(''));

/** @param icons of our own */
function assertInert(text: string, what: string, icons = 0): void {
  assert.deepEqual(actionsIn(text, icons), [], what);
  const ours = text.replace(/(?<=[\]$])\u2060|\u2060(?=\()/g, '').replaceAll('\n', '');
  assert.equal(
    withoutUnseen(ours, () => '!'),
    ours,
    `${what}: nothing that is not seen`,
  );
  assert.ok(!/[\r\t\u2028\u2029]/.test(text) && text.isWellFormed(), `${what}: one line`);
}

/** Every text in `value`, with where it is. */
function textsIn(value: unknown, at = ''): [at: string, text: string][] {
  if (typeof value === 'string') {
    return [[at, value]];
  }
  return typeof value === 'object' && value !== null ? Object.entries(value).flatMap(([key, each]) => textsIn(each, `${at}.${key}`)) : [];
}

describe('VS Code’s own expressions', () => {
  it('find what they should', () => {
    for (const text of [
      `[x]${COMMAND}`,
      `[x]${COMMAND.slice(0, -1)} "title")`,
      '[x](FILE:///a)',
      '$(warning)',
      '\\$(x)',
      '$(sync~spin)',
      `[x]\u0020${'$(a)'}y`,
    ]) {
      assert.notDeepEqual(actionsIn(text), [], text);
    }
    assert.notDeepEqual(actionsIn(`[x]$(a)${COMMAND}`, 1), [], 'where an icon goes, a link may come about');
    assert.deepEqual(actionsIn('[x] (command:y), a[0](1), $ (x), ${x}'), []);
    assert.deepEqual(actionsIn('$(bell) 1', 1), []);
  });
});

describe('inert text', () => {
  it('has no link and no icon, whatever it was made of', () => {
    for (const text of HOSTILE) {
      assertInert(visible(text, 2000), text.slice(0, 60));
      assertInert(inert(text, 2000), text.slice(0, 60));
    }
    fc.assert(
      fc.property(anything, fc.integer({ min: 4, max: 60 }), (text, max) => assertInert(visible(text, max), text)),
      { numRuns: 2000 },
    );
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => assertInert(visible(text), text)));
  });

  it('stays as it is when it is made inert again', () => {
    fc.assert(
      fc.property(anything, (text) => {
        assert.equal(inert(inert(text)), inert(text));
        assert.equal(visible(visible(text)), visible(text));
      }),
      { numRuns: 2000 },
    );
  });

  it('stays so beside any other', () => {
    const pieces = fc.array(anything, { maxLength: 5 });
    fc.assert(
      fc.property(pieces, (texts) => {
        const parts = texts.map((text) => visible(text));
        for (const whole of [joined(parts, ''), joined(parts, ' '), joined(parts, '\n\n'), joined(parts, '='), inert(parts.join(''))]) {
          assertInert(whole, texts.join('|'));
        }
        assertInert(withIcon('warning', joined(parts, '')), texts.join('|'), 1);
      }),
      { numRuns: 2000 },
    );
  });

  it('reads as it was written', () => {
    const plain = (text: string) => text.replaceAll('\u2060', '');
    for (const text of ['[x](y)', 'a[0](1)', '$(check)', '(x)', 'x]', '5$', '\\$(x)']) {
      assert.equal(plain(visible(text)), text);
    }
    assert.equal(own('.md'), '.md');
  });

  it('tells a joiner of somebody else’s from its own', () => {
    assert.equal(visible('a\u2060b'), 'a‹U+2060›b');
  });
});

describe('every sentence of the extension', () => {
  const sentences = Object.keys(JSON.parse(readFileSync(path.join(root, 'l10n/bundle.l10n.json'), 'utf8')) as object);
  const placesOf = (sentence: string) => [...new Set([...sentence.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!))];

  it('has no link or icon itself, and is safe at its ends', () => {
    assert.ok(sentences.length > 300);
    for (const sentence of sentences) {
      assert.deepEqual(actionsIn(sentence), []);
      assert.doesNotMatch(sentence, /[\]$]\(|[\]$]$|[\]$]\{\w+\}\(/, sentence);
    }
  });

  it('takes any value in any place', () => {
    for (const sentence of sentences) {
      const places = placesOf(sentence);
      for (const hostile of places.length > 0 ? HOSTILE : []) {
        assertInert(english(sentence, Object.fromEntries(places.map((place) => [place, hostile]))), sentence);
        for (const place of places) {
          assertInert(english(sentence, { ...Object.fromEntries(places.map((each) => [each, 'x'])), [place]: hostile }), sentence);
        }
      }
    }
  });

  it('makes no link of two halves', () => {
    for (const sentence of sentences) {
      const places = placesOf(sentence);
      for (const one of places) {
        for (const other of places) {
          for (const [first, second] of [
            ['[x]', COMMAND],
            ['[x', `]${COMMAND}`],
            ['$', '(warning)'],
            ['$(', 'warning)'],
          ] as const) {
            assertInert(
              english(sentence, { ...Object.fromEntries(places.map((each) => [each, ''])), [one]: first, [other]: second }),
              sentence,
            );
          }
        }
      }
    }
  });

  it('takes what a fuzzer thinks of', () => {
    const several = sentences.filter((sentence) => placesOf(sentence).length > 0);
    fc.assert(
      fc.property(fc.constantFrom(...several), fc.array(anything, { minLength: 4, maxLength: 4 }), (sentence, values) =>
        assertInert(english(sentence, Object.fromEntries(placesOf(sentence).map((place, index) => [place, values[index % 4]!]))), sentence),
      ),
      { numRuns: 3000 },
    );
  });
});

describe('every failure in words', () => {
  const codes = [...readFileSync(path.join(root, 'src/core/model/failure.ts'), 'utf8').matchAll(/^ {2}\| '([\w.]+)'/gm)].map(
    ([, code]) => code as FailureCode,
  );
  const words = readFileSync(path.join(root, 'src/text/messages/failures.ts'), 'utf8');
  /** Whatever the sentences and the function that fills them ask for. */
  const names = [
    ...new Set(
      [...words.matchAll(/\{(\w+)\}|\bparams\['(\w+)'\]|\bfunction standIns\(\{ ([\w, ]+) \}/g)]
        .map(([, ...found]) => found.find(Boolean)!.split(', '))
        .flat(),
    ),
    'exitCode',
    'signal',
  ];

  it('takes any value in any place', () => {
    assert.ok(
      codes.length > 40 && ['path', 'agentName', 'field', 'setting', 'lines', 'signal', 'ms'].every((name) => names.includes(name)),
      names.join(),
    );
    for (const code of codes) {
      for (const hostile of HOSTILE) {
        const all = Object.fromEntries(names.map((name) => [name, hostile]));
        for (const failure of [
          { code, params: all, detail: hostile },
          { code, detail: hostile },
          { code, params: all },
        ]) {
          assertInert(failureText(failure, english), code);
          assertInert(failureSentence(failure, english), code);
          assert.ok(failureText(failure, english).length < 20_000, `${code} is bounded`);
        }
      }
    }
  });

  it('makes no link of its last word and the detail', () => {
    for (const code of codes) {
      for (const name of names) {
        assertInert(failureText({ code, params: { [name]: '[x]' }, detail: COMMAND }, english), `${code} ${name}`);
        assertInert(failureText({ code, params: { [name]: '$' }, detail: '(warning)' }, english), `${code} ${name}`);
      }
    }
  });
});

/** By file and function: what it makes of a hostile text, and how many icons of ours each of the texts may have. */
const MAKERS: Record<string, { readonly make: (hostile: string) => unknown; readonly icons?: (at: string) => number }> = {
  'agentRows.agentRows': {
    make: (x) =>
      agentRows([entry(x, 'user'), entry(x, 'predefined'), entry(x, 'other'), entry(x, 'demo')], x, english).map((row) => ({
        ...row,
        entry: undefined,
      })),
  },
  'agentRows.ignoredNotice': {
    make: (x) =>
      ignoredNotice(
        [
          { setting: x, source: 'workspace' },
          { setting: x, source: 'workspaceFolder', folder: x },
          { setting: x, source: 'extensionDefault', folder: x },
        ],
        english,
      ),
  },
  'agentSessionRows.agentSessionRows': {
    make: (x) => {
      const listed = { sessionId: x, title: x, cwd: `/w/${x}`, updatedAt: x, additionalDirectories: [x, `/a/${x}`, x, x, x] };
      const facts = { folders: [`/w/${x}`], open: new Set([x]), now: 0, language: 'en' };
      const { here, elsewhere } = agentSessionRows(
        [listed, { ...listed, title: '', cwd: x, updatedAt: '2020-01-01T00:00:00Z' }],
        facts,
        english,
      );
      return [...here, ...elsewhere].map(({ label, description, detail }) => ({ label, description, detail }));
    },
  },
  'sessionRows.sessionRow': {
    make: (x) =>
      (['starting', 'ready', 'failed', 'disconnected', 'ended'] as const).map((status) => sessionRow(session(x, status), english)),
  },
  'sessionRows.journaledRow': {
    make: (x) => [
      journaledRow({ key: 'k', title: x, agentName: x, cwd: x, createdAt: 0 }, 0, 'en', english),
      journaledRow({ key: 'k', title: '', agentName: x, cwd: x, createdAt: 0 }, 0, 'en', english),
    ],
  },
  // Counts alone: nothing of others.
  'sessionRows.statusBarWords': {
    make: () => [statusBarWords({ running: 2, needing: 0 }, english), statusBarWords({ running: 2, needing: 1 }, english)],
    icons: (at) => (at === '.0.text' ? 1 : at === '.1.text' ? 2 : 0),
  },
  'traceRows.traceRow': {
    make: (x) =>
      [1, undefined].map((endedAt) =>
        traceRow(
          { agentName: x, commandLine: x, cwd: x, startedAt: 0, endedAt } as unknown as Parameters<typeof traceRow>[0],
          english,
          'en',
        ),
      ),
  },
  'signInRows.methodRows': {
    make: (x) =>
      methodRows(
        [
          { methodId: x, name: x, description: x, type: 'agent' },
          { methodId: x, name: '', type: 'terminal', command: x, args: [x, x] },
          { methodId: x, name: x, type: 'terminal' },
          {
            methodId: x,
            name: x,
            type: 'env_var',
            vars: [
              { name: x, label: x, secret: true, optional: true },
              { name: x, secret: false, optional: false },
            ],
          },
        ] as unknown as Parameters<typeof methodRows>[0],
        english,
      ).map(({ label, description, detail }) => ({ label, description, detail })),
  },
  'permissionText.permissionWords': {
    make: (x) =>
      [
        { command: x, cwd: x },
        { rawInput: { command: [x, x], cwd: x } },
        { rawInput: { command: x } },
        { rawInput: { anything: x } },
        { rawInput: x },
        { locations: [{ path: x, line: 1 }, { path: x }], kind: 'edit' },
        { locations: [{ path: `/w/${x}` }], kind: x },
        { content: [{ type: 'diff', changes: ['add', 'delete', 'modify', x].map((operation) => ({ operation, path: x, oldPath: x })) }] },
        { reason: { type: 'protected_path', access: 'write', rule: x, path: x, target: x }, locations: [{ path: x }] },
        { reason: { type: 'command', unasked: true, variables: [x, x] }, command: x },
        {},
      ].map((subject) => {
        const { title, placeholder, rows, ...others } = permissionWords(ask(x, subject), 2, english);
        // Long words get places to break at, which are not seen.
        return {
          title: title.replaceAll('\u200b', ''),
          actionsInTitle: actionsIn(title, 0),
          placeholder,
          rows: rows.map((row) => ({ ...row, optionId: undefined })),
          ...others,
        };
      }),
  },
  'permissionSummary.deedOf': { make: (x) => deedOf(ask(x, { command: x, cwd: x, locations: [{ path: x }] }), english).text },
  'askWords.reasonWords': {
    make: (x) => [
      reasonWords({ type: 'command', unasked: false, variables: [x] }, (path) => path, english),
      reasonWords({ type: 'protected_path', access: 'read', rule: x, path: x, target: x }, (path) => path, english),
    ],
  },
  'failureText.failureSentence': { make: (x) => failureSentence({ code: 'fs.not_found', params: { path: x } }, english) },
  'failureText.shortFailureText': { make: (x) => shortFailureText({ code: 'turn.failed', params: { signal: x }, detail: x }, english) },
  'failureText.failureText': { make: (x) => failureText({ code: 'internal', detail: x }, english) },
};
/** For documents, whose text is kept as it is: VS Code's editor has rules of its own, see `text/markdown/sanitize.ts`. */
const DOCUMENTS = ['helpDocument.helpText', 'transcriptWords.transcriptWords', 'askWords.questionWords', 'escape.inertly'];

describe('every row and line of the extension', () => {
  it('is looked at here', () => {
    const folder = path.join(root, 'src/workbench');
    const found = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) => wordMakers(path.basename(file, '.ts'), readFileSync(path.join(folder, file), 'utf8')));
    assert.deepEqual(found.sort(), [...Object.keys(MAKERS), ...DOCUMENTS].sort(), 'a function that makes words needs a line in this table');
    assert.ok(helpText(english).length > 100);
  });

  for (const [name, { make, icons }] of Object.entries(MAKERS)) {
    it(`is inert: ${name}`, () => {
      const check = (hostile: string): void => {
        const texts = textsIn(make(hostile));
        assert.ok(texts.length > 0 && texts.some(([, text]) => text !== ''), 'it says something');
        for (const [at, text] of texts) {
          assertInert(text, `${at} of ${JSON.stringify(hostile.slice(0, 80))}`, icons?.(at));
        }
      };
      HOSTILE.forEach(check);
      fc.assert(fc.property(anything, check), { numRuns: 200 });
    });
  }

  it('is put together with nothing that could act', () => {
    const found = new Map<string, string[]>();
    const folder = path.join(root, 'src/workbench');
    for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
      (name) => name.endsWith('.ts') && path.basename(name) !== 'escape.ts',
    )) {
      const text = readFileSync(path.join(folder, file), 'utf8');
      if (!text.includes("/escape'")) {
        continue;
      }
      const source = ts.createSourceFile(file, text, ts.ScriptTarget.ESNext, true);
      const visit = (node: ts.Node): void => {
        if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && ['own', 'joined', 'withIcon'].includes(node.expression.text)) {
          const callee = node.expression.text;
          const argument = node.arguments[callee === 'joined' ? 1 : 0];
          assert.ok(argument && ts.isStringLiteralLike(argument), `${file}: ${node.getText()}`);
          found.set(callee, [...(found.get(callee) ?? []), argument.text]);
        }
        ts.forEachChild(node, visit);
      };
      visit(source);
    }
    assert.deepEqual([...found.keys()].sort(), ['joined', 'own', 'withIcon']);
    for (const text of [...found.get('own')!, ...found.get('joined')!]) {
      assert.doesNotMatch(text, /[[\]()$]/, text);
    }
    for (const icon of found.get('withIcon')!) {
      assert.match(icon, /^[a-z-]+$/);
    }
  });
});

/** Exported functions that are given a translation, as `file.function`. */
function wordMakers(file: string, text: string): string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ESNext, true);
  return source.statements
    .filter(ts.isFunctionDeclaration)
    .filter(
      ({ modifiers, parameters }) =>
        modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) &&
        parameters.some(({ type }) => /^Translate(?:Verbatim)?$/.test(type?.getText() ?? '')),
    )
    .map(({ name }) => `${file}.${name!.text}`);
}

function entry(x: string, source: CatalogEntry['source']): CatalogEntry {
  return { agentName: x, source, launch: { agentName: x, command: x, args: [x, x], env: {} } };
}

function session(x: string, status: SessionState['status']): SessionState {
  return { ...EMPTY_STATE, status, title: x, agentName: x, cwd: x };
}

function ask(x: string, subject: object): PermissionAsk {
  const options = ['allow_once', 'allow_always', 'reject_once', 'reject_always', x].map((kind) => ({ kind, name: x, optionId: x }));
  return {
    sessionKey: 'k',
    agentName: x,
    title: x,
    description: x,
    cwd: '/w',
    subject,
    options: [...options, { ...options[0], name: '' }],
  } as unknown as PermissionAsk;
}
