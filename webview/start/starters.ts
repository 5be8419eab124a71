/** Suggested first messages for the session's folder and the open file. Pure. */
import type { StartPage } from '../../src/core/protocol/view';
import { t } from '../base/l10n';
import { oneLine } from '../../src/text/characters/textSafety';

export interface Starter {
  readonly icon: 'tour' | 'explain' | 'bug' | 'test' | 'changes' | 'new' | 'run';
  readonly label: string;
  /** The message. */
  readonly text: string;
  /** The open file is attached. */
  readonly takesFile?: boolean;
  /** The message is cheap and changes nothing by itself, so it is sent without a review. */
  readonly sends?: boolean;
}

/** Returns three or four starters. */
export function startersFor({ demo, folder, git, file }: StartPage): readonly Starter[] {
  const name = file && oneLine(file.name, 60);
  if (demo) {
    return [TOUR(), explain(folder), name === undefined ? RUN() : findBug(name), ...(name === undefined ? [] : [RUN()])];
  }
  if (folder === 'empty') {
    return emptyFolder();
  }
  if (name === undefined) {
    return [
      explain(folder),
      { icon: 'bug', label: t('Find a bug'), text: t('Look for bugs in this project and explain the most important one.') },
      { icon: 'test', label: t('Write a missing test'), text: t('Find code without tests in this project and write a test for it.') },
      ...(git ? [CHANGES()] : []),
    ];
  }
  return [explain(folder), ...aboutFile(name), ...(git ? [CHANGES()] : [])];
}

function aboutFile(name: string): readonly Starter[] {
  if (TEXT.test(name)) {
    return [
      {
        icon: 'bug',
        label: t('Find mistakes in {file}', { file: name }),
        text: t('Find mistakes in {file} and suggest corrections.', { file: name }),
        takesFile: true,
      },
      { icon: 'explain', label: t('Explain {file}', { file: name }), text: t('Explain {file}.', { file: name }), takesFile: true },
    ];
  }
  return [
    findBug(name),
    TEST.test(name)
      ? {
          icon: 'test',
          label: t('Add tests to {file}', { file: name }),
          text: t('Add the test cases that are missing in {file}.', { file: name }),
          takesFile: true,
        }
      : {
          icon: 'test',
          label: t('Write a test for {file}', { file: name }),
          text: t('Write a test for {file}.', { file: name }),
          takesFile: true,
        },
  ];
}

/** Files without code that could be tested. */
const TEXT =
  /\.(?:md|markdown|mdx|txt|rst|adoc|json|jsonc|jsonl|ya?ml|toml|ini|cfg|conf|xml|csv|tsv|lock|log|svg|env)$|^(?:LICEN[CS]E|README|CHANGELOG)$/i;
const TEST = /(?:^|[._-])(?:test|tests|spec)(?:[._-][^.]*)?\.\w+$|Tests?\.\w+$/;

const TOUR = (): Starter => ({
  icon: 'tour',
  label: t('Show me what you can do'),
  text: t('Show me what you can do'),
  takesFile: true,
  sends: true,
});

const RUN = (): Starter => ({ icon: 'run', label: t('Run a command'), text: t('Run a command in the terminal.') });

const CHANGES = (): Starter => ({
  icon: 'changes',
  label: t('Review my changes'),
  text: t('Review my uncommitted changes.'),
});

function explain(folder: StartPage['folder']): Starter {
  return folder === 'project'
    ? {
        icon: 'explain',
        label: t('Explain this project'),
        text: t('Explain this project: what it does, how it is organized, and where to start reading.'),
      }
    : { icon: 'explain', label: t('Explain this folder'), text: t('Explain what is in this folder.') };
}

function findBug(name: string): Starter {
  return {
    icon: 'bug',
    label: t('Find a bug in {file}', { file: name }),
    text: t('Find a bug in {file} and explain how to fix it.', { file: name }),
    takesFile: true,
  };
}

function emptyFolder(): readonly Starter[] {
  return [
    { icon: 'new', label: t('Create a web page'), text: t('Create a small web page in this folder.') },
    { icon: 'run', label: t('Create a command-line tool'), text: t('Create a small command-line tool in this folder, with a test.') },
    { icon: 'new', label: t('Start a new project'), text: `${t('Create a new project in this folder:')} ` },
  ];
}
