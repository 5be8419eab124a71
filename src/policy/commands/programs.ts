/** Facts about programs: the ones that run others, and the ones that only read. Pure. */
import { isEvaluated } from './builtins';
import { GIT_HARMLESS, isGitPower } from './powerful';

/** Returns the name of a program without its folder and, on Windows, its ending. */
export function nameOf(program: string): string {
  return program
    .split(/[\\/]/)
    .at(-1)!
    .replace(/\.(?:exe|cmd|bat|com|ps1)$/i, '')
    .toLowerCase();
}

const SHELLS = /^(?:(?:ba|z|da|k|mk|a|fi|c|tc|y|r|rba)?sh|pwsh|powershell|cmd|busybox|toybox|nu|elvish|xonsh|osh)$/;

/** True for a shell. */
export function isShell(program: string): boolean {
  return SHELLS.test(nameOf(program));
}

const INTERPRETERS =
  /^(?:python[\d.]*|pypy[\d.]*|node|nodejs|deno|bun|ruby|irb|perl|php|lua|luajit|Rscript|r|julia|osascript|tclsh|expect|guile|racket|groovy|scala|jshell|erl|iex|elixir|gdb|lldb|awk|gawk|mawk|nawk|ed|ex|vi|vim|nvim|emacs|nano|make|gmake|just|task|rake|ant|cmake|ssh|docker|podman|kubectl|nsenter|chroot|unshare|systemd-run|at|batch|crontab|screen|tmux|script|tee|dd|eval|source|exec|trap|alias|export|declare|typeset|set|enable|builtin|command)$/i;

/** True for a program that runs code which its name does not show, so that no rule for it is offered. */
export function runsOthers(program: string): boolean {
  const name = nameOf(program);
  return (
    isShell(name) || INTERPRETERS.test(name) || WRAPPER_NAMES.has(name) || name === '.' || /^(?:npx|bunx|pnpx|uvx|pipx|dlx)$/.test(name)
  );
}

/** True for an interpreter that runs the code in its input. */
export function readsInput([program = '', ...rest]: readonly (string | undefined)[]): boolean {
  const isInterpreter = /^(?:python[\d.]*|pypy[\d.]*|node|nodejs|bun|ruby|irb|perl|php|lua|luajit|Rscript|r|tclsh|guile|ghci)$/i.test(
    nameOf(program),
  );
  return (
    isInterpreter &&
    (rest.every((word) => word?.startsWith('-') === true && !/^--?(?:v|V|version|h|help)$/.test(word)) || rest.includes('-'))
  );
}

/** Programs that run the command in their arguments. */
export const WRAPPER_NAMES: ReadonlySet<string> = new Set([
  ...[
    'sudo',
    'doas',
    'su',
    'runuser',
    'pkexec',
    'gosu',
    'env',
    'xargs',
    'parallel',
    'timeout',
    'gtimeout',
    'time',
    'nohup',
    'nice',
    'ionice',
  ],
  ...[
    'chrt',
    'taskset',
    'stdbuf',
    'unbuffer',
    'watch',
    'setsid',
    'setarch',
    'linux32',
    'linux64',
    'flock',
    'find',
    'fd',
    'fdfind',
    'npx',
    'bunx',
  ],
  ...[
    'pnpx',
    'uvx',
    'command',
    'builtin',
    'exec',
    'eval',
    'coproc',
    'noglob',
    'nocorrect',
    'caffeinate',
    'strace',
    'ltrace',
    'valgrind',
    'perf',
  ],
  ...[
    '-',
    'repeat',
    'doas',
    'gnice',
    'gnohup',
    'gstdbuf',
    'genv',
    'gxargs',
    'entr',
    'chpst',
    'dotenv',
    'direnv',
    'proxychains',
    'proxychains4',
    'faketime',
    'firejail',
    'bwrap',
    'fakeroot',
    'cgexec',
    'numactl',
  ],
]);

/** The only use of a program that reads: options that it may have, and the number of arguments. Anything else may write or run something. */
interface ReadUse {
  /** Options without a value, and letters that may be combined. */
  readonly flags?: RegExp;
  /** Options whose value is the next word. */
  readonly valued?: RegExp;
  /** The most arguments that are no options. */
  readonly most?: number;
  /** A check of the arguments that are no options. */
  readonly takes?: (argument: string, at: number) => boolean;
  /** True for a program that reads options behind `--`, too. */
  readonly hasNoEnd?: boolean;
}

const ANY_SHORT = /^-[A-Za-z0-9]+$/;

/** One command that prints, deletes or replaces lines. `e` and `w` run programs and write files. */
const SED_SCRIPT =
  /^(?:(?:\d+|\$|\/(?:[^/\\\n]|\\[^\n])*\/)(?:,(?:\d+|\$|\/(?:[^/\\\n]|\\[^\n])*\/))?)?\s*!?[pdq=]$|^s([/|#,@])(?:(?!\1)[^\\\n]|\\[^\n])*\1(?:(?!\1)[^\\\n]|\\[^\n])*\1[gpiI\d]*$/;

const READERS: Readonly<Record<string, ReadUse>> = {
  cat: { flags: /^-[AbeEnstTuv]+$|^--(?:show-all|number(?:-nonblank)?|squeeze-blank|show-(?:ends|tabs|nonprinting))$/ },
  head: { flags: /^-(?:[qvz]+|\d+|[nc]\d+)$|^--(?:lines|bytes)=-?\d+$/, valued: /^-[nc]$/ },
  tail: { flags: /^-(?:[qvzfFr]+|\d+|[nc][+-]?\d+)$|^\+\d+$|^--(?:lines|bytes)=[+-]?\d+$/, valued: /^-[nc]$/ },
  wc: { flags: /^-[clmwL]+$|^--(?:bytes|chars|lines|words|max-line-length)$/ },
  ls: {
    flags:
      /^-[A-Za-z1]+$|^--(?:all|almost-all|color(?:=\w+)?|human-readable|recursive|reverse|sort=\w+|time=\w+|group-directories-first|full-time|inode|size|directory|classify|time-style=[\w-]+)$/,
  },
  dir: { flags: /^-[A-Za-z1]+$/ },
  pwd: { flags: /^-[LP]$/, most: 0 },
  whoami: { most: 0 },
  id: { flags: /^-[Gagnru]+$/ },
  uname: { flags: /^-[amnprsvio]+$/, most: 0 },
  arch: { most: 0 },
  nproc: { most: 0 },
  uptime: { most: 0 },
  true: {},
  false: {},
  date: { flags: /^-(?:u|R|I\w*)$|^--(?:utc|iso-8601(?:=\w+)?|rfc-3339=\w+|rfc-email)$/, takes: (argument) => argument.startsWith('+') },
  basename: { flags: /^-[az]$/, valued: /^-s$/ },
  dirname: { flags: /^-z$/ },
  realpath: { flags: /^-[eLmPqsz]+$/ },
  readlink: { flags: /^-[efmnqsvz]+$/ },
  stat: { flags: /^-[Lftx]+$/, valued: /^-[cf]$|^--format$|^--printf$/ },
  file: { flags: /^-[bhiLkNprsv0]+$|^--(?:brief|mime(?:-type|-encoding)?)$/ },
  du: { flags: /^-[abchkmsxSHLPD0]+$|^--(?:max-depth=\d+|human-readable|summarize|total|apparent-size|all)$/, valued: /^-d$/ },
  df: { flags: /^-[ahHiklmPT]+$/ },
  echo: { flags: ANY_SHORT },
  printf: { takes: (argument, at) => (at > 0 || !argument.startsWith('-')) && !isEvaluated(argument) },
  grep: {
    flags:
      /^-[EFGPaciInHhlLnoqrRsvwxyzbTUZ]+$|^-[ABCm]\d+$|^--(?:extended-regexp|fixed-strings|perl-regexp|ignore-case|line-number|with-filename|no-filename|files-with(?:out)?-match(?:es)?|count|only-matching|quiet|silent|recursive|dereference-recursive|no-messages|invert-match|word-regexp|line-regexp|null|text|color(?:=\w+)?|colour(?:=\w+)?|(?:include|exclude|exclude-dir)=.*|(?:after-context|before-context|context|max-count)=\d+)$/,
    valued: /^-(?:[ABCmef])$|^--(?:include|exclude|exclude-dir|regexp|max-count|context|after-context|before-context)$/,
  },
  egrep: { flags: /^-[aciInHhlLnoqrRsvwx]+$/ },
  fgrep: { flags: /^-[aciInHhlLnoqrRsvwx]+$/ },
  rg: {
    flags:
      /^-[aciFHhIlLnNopPqsSuUvwxz0]+$|^-[ABCmgtTMj][\w*!./-]+$|^--(?:hidden|no-ignore(?:-\w+)?|ignore-case|smart-case|case-sensitive|fixed-strings|files|files-with(?:out)?-match(?:es)?|line-number|no-line-number|no-heading|heading|count|count-matches|only-matching|multiline|multiline-dotall|word-regexp|line-regexp|invert-match|pcre2|color=\w+|glob=.*|iglob=.*|type=\w+|type-not=\w+|max-count=\d+|max-depth=\d+|context=\d+|after-context=\d+|before-context=\d+|json|stats|sort=\w+|sortr=\w+|trim|vimgrep|no-messages|column|follow|text|type-list|no-config|version)$/,
    valued:
      /^-(?:[ABCmgtTMed])$|^--(?:glob|iglob|type|type-not|max-count|max-depth|context|after-context|before-context|regexp|sort|sortr|color|max-columns)$/,
  },
  cut: {
    flags: /^-[dfcb].+$|^-[szn]+$|^--(?:delimiter|fields|characters|bytes|complement|only-delimited|output-delimiter)(?:=.*)?$/,
    valued: /^-[dfcb]$/,
  },
  tr: { flags: /^-[cCdst]+$/ },
  uniq: { flags: /^-[cdDiuz]+$|^-[fsw]\d+$/, valued: /^-[fsw]$/, most: 1 },
  sort: {
    flags:
      /^-[bdfgiMhnRrVcCmsuz]+$|^-[kt].+$|^--(?:ignore-case|numeric-sort|reverse|unique|version-sort|human-numeric-sort|general-numeric-sort|stable|check|key=.*|field-separator=.*)$/,
    valued: /^-[kt]$/,
    // The program of this name on Windows writes a file with `/o`.
    takes: (argument) => !/^\/(?:o|ou|out|outp|outpu|output|t|te\w*)(?::|$)/i.test(argument),
  },
  nl: { flags: /^-[bp]\w*$/ },
  tac: {},
  rev: {},
  fold: { flags: /^-[sw]\d*$/, valued: /^-w$/ },
  column: { flags: /^-[tnxe]+$/, valued: /^-[sc]$/ },
  paste: { flags: /^-[sz]+$|^-d.+$/, valued: /^-d$/ },
  join: { flags: /^-[i]$/, valued: /^-[12jtaveo]$/ },
  comm: { flags: /^-[123iz]+$/ },
  cmp: { flags: /^-[bls]+$/ },
  diff: {
    flags:
      /^-[abBcdEeHiNnpqrsTtuwWyZ0-9]+$|^--(?:brief|unified(?:=\d+)?|recursive|ignore-all-space|side-by-side|color(?:=\w+)?|stat|new-file|text|ignore-case|report-identical-files|no-dereference)$/,
  },
  seq: { flags: /^-w$/ },
  expr: {},
  // A name with an index in brackets is evaluated.
  test: { flags: /^-(?:[a-uw-zA-QS-Z]|nt|ot|ef)$/, takes: (argument) => !/[[$`]/.test(argument) },
  sleep: {},
  which: { flags: /^-a$/ },
  type: { flags: /^-[aptP]+$/ },
  md5sum: {},
  sha1sum: {},
  sha256sum: {},
  shasum: { flags: /^-a\d*$/, valued: /^-a$/ },
  cksum: {},
  strings: { flags: /^-[afo]+$|^-n?\d+$/, valued: /^-n$/ },
  hexdump: { flags: /^-[bcCdovx]+$/, valued: /^-[ns]$/ },
  od: { flags: /^-[abcdfhiloxv]+$|^-[AtNj].+$/, valued: /^-[AtNj]$/ },
  jq: {
    flags: /^-[rcsenMSaj]+$|^--(?:raw-output|compact-output|slurp|exit-status|null-input|sort-keys|tab|indent)$/,
    takes: (argument) => !/\$ENV|\benv\b|\binput_filename\b|\binclude\b|\bimport\b|\$__loc__|\bdebug\b|@sh/.test(argument),
  },
  sed: { flags: /^-[nErsuz]+$|^--(?:quiet|silent|regexp-extended)$/, takes: (argument, at) => at > 0 || SED_SCRIPT.test(argument) },
  awk: { flags: /^-F.+$/, valued: /^-[Fv]$/, takes: (argument, at) => at > 0 || !/system|getline|[|>@]|close|fflush/.test(argument) },
  tree: { flags: /^-[adfghilsDFNpuvtrC]+$|^--(?:dirsfirst|noreport)$/, valued: /^-[LPI]$/ },
  // The letter `e` without a dash shows the environment of programs, as `-E` does on macOS.
  ps: { flags: /^-[A-DF-Za-z]+$/, valued: /^-[pugtUG]$/, takes: (argument) => /^\d+$|^[A-Za-df-z]+$/.test(argument) },
  find: {
    flags:
      /^-(?:empty|print0?|depth|mount|xdev|follow|daystart|executable|readable|writable|prune|not|and|or|o|a|true|false|ls|noleaf|L|H|P)$|^[!(),]$/,
    hasNoEnd: true,
    valued:
      /^-(?:name|iname|path|ipath|wholename|regex|iregex|type|xtype|size|maxdepth|mindepth|mtime|mmin|atime|amin|ctime|cmin|newer\w*|perm|user|group|uid|gid|links|inum|samefile|lname|ilname|regextype|printf|fstype)$/,
  },
  fd: {
    flags:
      /^-[HIusigFaplL0]+$|^--(?:hidden|no-ignore|glob|fixed-strings|absolute-path|full-path|follow|ignore-case|case-sensitive|color=\w+)$/,
    valued: /^-[eEtdS]$|^--(?:extension|exclude|type|max-depth|size)$/,
  },
  'get-childitem': {
    flags: /^-(?:force|recurse|file|directory|name|hidden)$/i,
    valued: /^-(?:path|filter|include|exclude|depth|literalpath)$/i,
  },
  'get-content': { flags: /^-(?:raw|wait)$/i, valued: /^-(?:path|literalpath|totalcount|tail|head|encoding|first|last)$/i },
  'get-location': { most: 0 },
  'get-item': { valued: /^-(?:path|literalpath)$/i },
  'test-path': { valued: /^-(?:path|literalpath|pathtype)$/i },
  'select-string': {
    flags: /^-(?:casesensitive|simplematch|list|quiet|notmatch|allmatches)$/i,
    valued: /^-(?:pattern|path|include|exclude|context|literalpath)$/i,
  },
  'measure-object': { flags: /^-(?:line|word|character|sum|average|maximum|minimum)$/i },
  'select-object': { flags: /^-unique$/i, valued: /^-(?:first|last|skip|property|expandproperty)$/i },
  'get-date': { valued: /^-(?:format|uformat)$/i },
  'get-process': { valued: /^-(?:name|id)$/i },
  findstr: { flags: /^\/[bceilmnprsvxo]+$/i },
};

const GIT_READS: Readonly<Record<string, ReadUse>> = {
  status: {
    flags:
      /^-[sbvuz]+$|^--(?:short|branch|porcelain(?:=v?\d)?|long|verbose|untracked-files(?:=\w+)?|ignored(?:=\w+)?|ahead-behind|no-ahead-behind|no-renames|show-stash|column(?:=\w+)?)$|^-u\w+$/,
  },
  log: {
    flags:
      /^-(?:\d+|n\d+|[pucgsztrmiEFPqb]+|[LSG].*)$|^--(?!output|ext-diff|textconv|exec|open-files|show-signature|contents|stdin)[a-z][\w-]*(?:=.*)?$/,
    valued: /^-[nSGL]$|^--(?:author|grep|since|until|after|before|format|pretty|max-count|skip)$/,
  },
  diff: {
    flags:
      /^-(?:[abwupRszrt]+|U\d+|M\d*%?|C\d*%?|B.*|S.*|G.*|O.*|\d+)$|^--(?!output|ext-diff|textconv|exec|no-i(?!ndent))[a-z][\w-]*(?:=.*)?$/,
  },
  show: { flags: /^-(?:[abwupsqzrm]+|U\d+|\d+|M\d*%?)$|^--(?!output|ext-diff|textconv|exec|show-signature)[a-z][\w-]*(?:=.*)?$/ },
  blame: { flags: /^-(?:[bcefhlnpstwCM]+|L.*)$|^--(?!contents|output)[a-z][\w-]*(?:=.*)?$/, valued: /^-L$/ },
  reflog: {
    flags: /^-(?:\d+|n\d+|p)$|^--(?!expire|rewrite|updateref|stale|output|all|dry)[a-z][\w-]*(?:=.*)?$/,
    takes: (argument, at) => at > 0 || !/^(?:expire|delete|exists|drop|write)$/.test(argument),
  },
  shortlog: { flags: /^-[snecw]+$|^--(?!output)[a-z][\w-]*(?:=.*)?$/ },
  describe: { flags: /^--(?!exec|output)[a-z][\w-]*(?:=.*)?$/ },
  'rev-parse': { flags: /^--(?!output|parseopt|sq-quote|exec)[a-z][\w-]*(?:=.*)?$/ },
  'rev-list': { flags: /^-(?:\d+|n\d+)$|^--(?!output|use-bitmap|exec)[a-z][\w-]*(?:=.*)?$/ },
  'ls-files': { flags: /^-[cdmoisukvtfz]+$|^--(?!output|exec)[a-z][\w-]*(?:=.*)?$/, valued: /^-[xX]$/ },
  'ls-tree': { flags: /^-[drtlz]+$|^--(?:long|name-only|full-tree|full-name)$/ },
  'cat-file': { flags: /^-[tsep]$/ },
  grep: {
    flags: /^-[ivwnlLcoqhHEFPaIz]+$|^-[ABC]\d+$|^--(?!open-files|ext-grep|textconv|no-i(?!ndent)|output|exec)[a-z][\w-]*(?:=.*)?$/,
    valued: /^-[ABCe]$/,
  },
  'merge-base': { flags: /^--(?:all|is-ancestor|octopus|fork-point)$/ },
  'name-rev': {},
  'count-objects': { flags: /^-[vH]+$/ },
};

/**
 * True for a command that only reads. Unknown programs and options are not.
 * @param words without quotes; a word that is not certain is not accepted
 */
export function readsOnly(words: readonly (string | undefined)[]): boolean {
  const [program, ...rest] = words;
  if (program === undefined || rest.some((word) => word === undefined)) {
    return false;
  }
  const known = rest as readonly string[];
  if (program === 'git') {
    const at = known.findIndex((word) => !GIT_HARMLESS.test(word));
    const name = known[at] ?? '';
    const isPlain = known.every((word) => !isGitPower(word));
    return isPlain && Object.hasOwn(GIT_READS, name) && isUsed(GIT_READS[name]!, known.slice(at + 1));
  }
  return Object.hasOwn(READERS, program) && isUsed(READERS[program]!, known);
}

/** True when the program, with its subcommand, has a use that only reads. */
export function hasReadUse([program = '', subcommand = '']: readonly (string | undefined)[]): boolean {
  return program === 'git'
    ? Object.hasOwn(GIT_READS, subcommand)
    : Object.hasOwn(READERS, program) && program !== 'echo' && program !== 'printf';
}

function isUsed({ flags, valued, most = Infinity, takes, hasNoEnd }: ReadUse, words: readonly string[]): boolean {
  let count = 0;
  let areOptions = true;
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    if (areOptions && word === '--') {
      if (hasNoEnd) {
        return false;
      }
      areOptions = false;
    } else if (areOptions && valued?.test(word) === true) {
      at++;
      if (at >= words.length) {
        return false;
      }
    } else if (areOptions && /^-./.test(word)) {
      if (flags?.test(word) !== true) {
        return false;
      }
    } else if (areOptions && flags?.test(word) === true) {
      continue;
    } else if (takes && !takes(word, count++)) {
      return false;
    } else if (!takes && ++count > most) {
      return false;
    }
  }
  return true;
}

/** Long options that mean the same as letters, for denials. */
const LETTERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  rm: { recursive: 'r', force: 'f', dir: 'd', interactive: 'i', verbose: 'v' },
  cp: { recursive: 'r', force: 'f', archive: 'a' },
  chmod: { recursive: 'R' },
  chown: { recursive: 'R' },
  git: { force: 'f', delete: 'd', all: 'a', message: 'm', hard: '', tags: '' },
};

/** Returns the letters of an option, `R` as `r` where the program means the same. */
export function lettersOf(program: string, option: string): string | undefined {
  if (/^-[A-Za-z]+$/.test(option)) {
    return program === 'rm' || program === 'cp' ? option.slice(1).replaceAll('R', 'r') : option.slice(1);
  }
  const name = /^--([\w-]+)/.exec(option)?.[1];
  const table = LETTERS[program];
  const full = name && table && Object.keys(table).find((each) => each === name || (name.length > 1 && each.startsWith(name)));
  return full ? table[full] || undefined : undefined;
}
