/** The suggestions of mentions in the playground, from a small imaginary project. */
import type { Mention } from '../../src/core/mentions/mention';
import type { MentionKind, MentionRow } from '../../src/core/protocol/view';

const ROOT = 'file:///home/ada/sample';
const FILES = [
  'src/app.ts',
  'src/app.test.ts',
  'src/server/routes/checkout.ts',
  'src/server/index.ts',
  'docs/architecture.md',
  'README.md',
  'AGENTS.md',
];

export function mentionRows(text: string): MentionRow[] {
  const wanted = text.toLowerCase();
  if (wanted === '') {
    return [
      row('selection', 'Selection', 'src/app.ts:2-9', file('src/app.ts', { line: 2, endLine: 9 })),
      ...FILES.slice(0, 3).map(fileRow),
      ...others(),
    ];
  }
  if (wanted.startsWith('terminal:')) {
    return [{ kind: 'terminal', label: 'npm test', detail: 'zsh · exit code 1', pick: 'command-1' }];
  }
  return [
    ...FILES.filter((path) => path.toLowerCase().includes(wanted)).map(fileRow),
    ...others().filter(({ label }) => label.toLowerCase().startsWith(wanted)),
  ];
}

/** The mention that a pick inserts. */
export function pickedMention(): Mention {
  const block = {
    type: 'resource',
    uri: 'attachment:/terminal-npm-test.txt',
    mimeType: 'text/plain',
    text: '$ npm test\n1 failing\n[exit code 1]\n',
  } as const;
  return {
    type: 'mention',
    token: '[Terminal: npm test]',
    name: 'Terminal: npm test',
    about: '3 lines from the terminal',
    ref: { kind: 'content', block },
  };
}

export function file(path: string, lines?: { readonly line: number; readonly endLine: number }): Mention {
  const range = lines ? `:${lines.line}-${lines.endLine}` : '';
  const name = `${path.slice(path.lastIndexOf('/') + 1)}${range}`;
  return {
    type: 'mention',
    token: `@${name}`,
    longToken: `@${path}${range}`,
    name,
    about: `${path}${range}`,
    ref: { kind: 'file', uri: `${ROOT}/${path}`, ...lines },
  };
}

function fileRow(path: string): MentionRow {
  return row('file', path.slice(path.lastIndexOf('/') + 1), path.slice(0, Math.max(0, path.lastIndexOf('/'))), file(path));
}

function others(): MentionRow[] {
  const problems: Mention = {
    type: 'mention',
    token: '@problems',
    name: 'problems',
    about: 'Problems of all files',
    ref: { kind: 'problems' },
  };
  return [
    row('problems', 'Problems', '3 in all files', problems),
    { kind: 'symbol', label: 'Symbols…', detail: '', complete: 'symbol:' },
    { kind: 'terminal', label: 'Terminal output…', detail: '', complete: 'terminal:' },
    { kind: 'session', label: 'Sessions…', detail: '', complete: 'session:' },
  ];
}

function row(kind: MentionKind, label: string, detail: string, mention: Mention): MentionRow {
  return { kind, label, detail, mention };
}
