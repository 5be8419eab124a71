/** Generates `docs/features.md`: the folders of each feature, by floor, from the tree and the READMEs of its folders. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A column of the table. */
interface Floor {
  readonly name: string;
  /** True for a folder or file of the floor. */
  has(file: string): boolean;
}

const SERVICES = /^src\/(?:acp|agent|changes|context|fs|mcp|policy|terminal|worktree)(?:\/|$)/;
const CHANNELS = 'src/core/protocol/channels/';
/** The folders with a file per feature. */
const FILES = [CHANNELS, 'src/workbench/features/', 'webview/features/'];

const FLOORS: readonly Floor[] = [
  { name: 'channel', has: (file) => file.startsWith(CHANNELS) },
  { name: 'core and text', has: (file) => /^src\/(?:core|text)\//.test(file) && !file.startsWith(CHANNELS) },
  { name: 'services', has: (file) => SERVICES.test(file) },
  { name: 'session', has: (file) => file.startsWith('src/session/') },
  { name: 'application', has: (file) => file.startsWith('src/application/') },
  { name: 'workbench', has: (file) => file.startsWith('src/workbench/') },
  { name: 'page', has: (file) => file.startsWith('webview/') },
  { name: 'tests', has: (file) => file.startsWith('test/') },
];

/** Folders that serve several features, and `agent`, which has another meaning in `src/session`. */
const NO_FEATURES: ReadonlySet<string> = new Set([
  'agent',
  'documents',
  'editor',
  'features',
  'git',
  'routing',
  'settings',
  'shared',
  'window',
]);

/** The folders of features that have another word, because they serve more than this feature. */
const OTHER_WORDS: Readonly<Record<string, readonly string[]>> = {
  agents: ['src/agent', 'src/session/agent'],
  attachments: ['webview/composer/incoming'],
  changes: ['src/core/fileChanges'],
  elicitation: ['src/session/questions'],
  mentions: ['src/context'],
  permission: ['src/core/approval', 'src/policy', 'src/session/questions'],
  sessions: ['src/session/storage', 'src/session/journal'],
  worktrees: ['src/worktree'],
};

interface Row {
  readonly feature: string;
  /** The folders and files, in the order of the floors. */
  readonly cells: readonly (readonly string[])[];
}

/** The text of the whole page. */
export function featuresPage(root: string): string {
  const rows = rowsOf(filesBelow(root));
  const contents = contentsOf(root);
  const listed = [...new Set(rows.flatMap(({ cells }) => cells.slice(0, -1).flat()))].filter((file) => contents.has(file)).sort();
  return [
    '# Features',
    '',
    'This page lists the folders of each feature, by floor. A floor is a layer, and says what code may know (see [architecture.md](architecture.md)). A feature has',
    'one word, which is the name of its folder on each floor. A test (`test/unit/features.test.ts`) makes this page from the tree.',
    '',
    '- A feature is listed when it has a folder, and also a channel, another floor, or its folder in `src/workbench` or `src/application`.',
    '- A small feature without a folder is not listed. Its files have its name, in the folders that [channels.md](decisions/channels.md) names.',
    '- An empty cell means that the feature has no code of its own on that floor.',
    '- *Italics*: the folder has another word, because it serves more than this feature.',
    '',
    `| feature | ${FLOORS.map(({ name }) => name).join(' | ')} |`,
    `|---|${'---|'.repeat(FLOORS.length)}`,
    ...rows.map(
      ({ feature, cells }) => `| ${feature} | ${cells.map((cell) => cell.map((file) => link(file, feature)).join('<br>')).join(' | ')} |`,
    ),
    '',
    '## Contents of the folders',
    '',
    '| folder or channel | content |',
    '|---|---|',
    ...listed.map((file) => `| \`${file}\` | ${contents.get(file)!} |`),
    '',
  ].join('\n');
}

/** The folders that {@link OTHER_WORDS} names and that do not exist. */
export function unknownFolders(root: string): readonly string[] {
  const folders = foldersOf(filesBelow(root));
  return Object.values(OTHER_WORDS).flatMap((named) => named.filter((folder) => !folders.has(folder)));
}

function link(file: string, feature: string): string {
  const text = `[\`${file.replace(CHANNELS, 'channels/').replace(/^src\//, '')}\`](../${file})`;
  return OTHER_WORDS[feature]?.includes(file) ? `*${text}*` : text;
}

function rowsOf(files: readonly string[]): readonly Row[] {
  const folders = [...foldersOf(files)];
  const wordOf = (file: string): string => path.posix.basename(file).replace(/(?:\.test)?\.tsx?$/, '');
  const parts = [
    ...folders.filter((folder) => !/^test\/(?!unit\/)/.test(folder)),
    ...files.filter((file) => FILES.some((folder) => file.startsWith(folder))),
    ...files.filter((file) => /^test\/(?:browser|e2e|host)\/\w+\.test\.ts$/.test(file)),
  ];
  const floorsOf = (word: string) =>
    FLOORS.slice(0, -1).filter(({ has }) => folders.some((folder) => wordOf(folder) === word && has(folder)));
  const isFeature = (word: string): boolean =>
    (files.includes(`${CHANNELS}${word}.ts`) && floorsOf(word).length > 0) ||
    folders.includes(`src/workbench/${word}`) ||
    folders.includes(`src/application/${word}`) ||
    floorsOf(word).length > 1;
  const words = [...new Set(parts.map(wordOf))].filter((word) => isFeature(word) && !NO_FEATURES.has(word));
  return words.sort().map((feature) => {
    const own = [...parts.filter((file) => wordOf(file) === feature), ...(OTHER_WORDS[feature] ?? [])];
    return { feature, cells: FLOORS.map(({ has }) => own.filter(has)) };
  });
}

/** The folders that directly contain source files. */
function foldersOf(files: readonly string[]): ReadonlySet<string> {
  return new Set(files.map((file) => path.posix.dirname(file)));
}

function filesBelow(root: string): readonly string[] {
  const found = ['src', 'webview', 'test'].flatMap((top) =>
    readdirSync(path.join(root, top), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
      .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).split(path.sep).join('/')),
  );
  return found.sort();
}

/** The content of each folder from the READMEs, and the first sentence of each channel. */
function contentsOf(root: string): ReadonlyMap<string, string> {
  const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
  const rows = ['src/README.md', 'webview/README.md'].flatMap((readme) => [...read(readme).matchAll(/^\| `([\w/.-]+)` \| (.+) \|$/gm)]);
  const channels = readdirSync(path.join(root, CHANNELS)).map((name): [string, string] => {
    const text = /^\/\*\*\s+(?:\* )?(.*?)(?:\.\s|\*\/)/s.exec(read(CHANNELS + name))?.[1] ?? '';
    return [CHANNELS + name, text.replace(/\s*\n \*\s*/g, ' ').replace(/\.$/, '')];
  });
  return new Map([...rows.map(([, folder, content]): [string, string] => [folder!, content!]), ...channels]);
}
