/** Programs that run another command: the command that they run, as far as it is certain. Pure. */
import type { CommandReading, CommandSegment } from './reading';
import { builtinDoubt } from './builtins';
import { isShell, nameOf, WRAPPER_NAMES } from './programs';

type Words = readonly (string | undefined)[];

interface Unwrapped {
  /** The commands that run inside. */
  readonly inner: readonly CommandSegment[];
  /** True when the wrapper adds nothing to what runs inside. */
  readonly isTransparent: boolean;
  /** Set when not everything inside is certain. */
  readonly doubt?: string;
}

/** Fits no word. */
const NEVER = /(?!)/;
const NOTHING: Unwrapped = { inner: [], isTransparent: false };

/** Wrappers that add nothing, with their options, and with those whose value is the next word. */
const TRANSPARENT: Readonly<Record<string, { readonly options: RegExp; readonly valued: RegExp }>> = {
  timeout: {
    options: /^-(?:[vfp]|[sk].+)$|^--(?:foreground|preserve-status|verbose|signal=\w+|kill-after=[\d.]+[smhd]?)$/,
    valued: /^(?:-s|-k|--signal|--kill-after)$/,
  },
  gtimeout: { options: /^--foreground$/, valued: /^(?:-s|-k|--signal|--kill-after)$/ },
  time: { options: /^-p$/, valued: NEVER },
  nohup: { options: NEVER, valued: NEVER },
  nice: { options: /^-(?:n?-?\d+)$|^--adjustment=-?\d+$/, valued: /^-n$/ },
  ionice: { options: /^-[cn]\d$|^-t$/, valued: /^-[cn]$/ },
  stdbuf: { options: /^-[ioe](?:L|\d+)$/, valued: /^-[ioe]$/ },
  setsid: { options: /^-[wf]+$/, valued: NEVER },
  noglob: { options: NEVER, valued: NEVER },
  nocorrect: { options: NEVER, valued: NEVER },
  caffeinate: { options: /^-[dimsu]+$/, valued: /^-[tw]$/ },
};

/** Options with a value of the wrappers that do add something. */
const VALUED: Readonly<Record<string, RegExp>> = {
  sudo: /^(?:-[ugpCchrtTUDR]|--(?:user|group|prompt|close-from|host|role|type|chdir|chroot|other-user|command-timeout))$/,
  doas: /^-[uC]$/,
  runuser: /^-[ugG]$/,
  pkexec: /^--user$/,
  env: /^(?:-[uCS]|--(?:unset|chdir|split-string))$/,
  xargs: /^(?:-[IELnPsadD]|--(?:max-args|max-procs|max-chars|arg-file|delimiter|process-slot-var))$/,
  parallel: /^(?:-[jIaSCdNnLPX]|--(?:jobs|arg-file|colsep|sshlogin|delay|timeout|tmpdir|results|joblog))$/,
  watch: /^(?:-[nq]|--interval)$/,
  flock: /^(?:-[wEc]|--timeout|--conflict-exit-code)$/,
  strace: /^-[aeEIoOpPSsuUXb]$/,
  ltrace: /^-[aAeFlLnopsuwx]$/,
  taskset: /^$/,
  chrt: /^-[TPD]$/,
  npx: /^(?:-p|--package|-c|--call|-w|--workspace|--node-options|--script-shell|--shell)$/,
  bunx: /^(?:-p|--package)$/,
  uvx: /^(?:--from|--with|-p|--python|--index\S*|--directory|--project)$/,
  exec: /^-a$/,
};

/** @param read reads a line that a shell inside would run */
export function unwrapped(words: Words, read: (line: string) => CommandReading): Unwrapped {
  const [program] = words;
  if (program === undefined) {
    return NOTHING;
  }
  const name = nameOf(program);
  if (isShell(name)) {
    return shell(name, words.slice(1), read);
  }
  if (name === 'eval') {
    return line(words.slice(1), read);
  }
  if (name === 'find' || name === 'fd' || name === 'fdfind') {
    return executed(name, words.slice(1), read);
  }
  if (name === 'trap') {
    return words[1] === undefined || words[1] === '-' || words[1] === '-p' ? NOTHING : line(words.slice(1, 2), read);
  }
  if (name === 'source' || name === '.') {
    return { ...NOTHING, doubt: 'script' };
  }
  if (name === 'su' || name === 'script') {
    const at = words.findIndex((word) => word === '-c' || word === '--command' || word?.startsWith('--command=') === true);
    const { inner } = at < 0 ? NOTHING : line([words[at + 1]], read);
    return { inner, isTransparent: false, doubt: 'wrapper' };
  }
  if (name === 'ssh') {
    return { ...line(words.slice(2), read), isTransparent: false, doubt: 'machine' };
  }
  if (Object.hasOwn(RUNNERS, name)) {
    return runner(name, words.slice(1), read);
  }
  if (!WRAPPER_NAMES.has(name)) {
    return NOTHING;
  }
  return wrapper(program, name, words.slice(1), read);
}

function wrapper(program: string, name: string, words: Words, read: (line: string) => CommandReading): Unwrapped {
  // Another file may have the name of a wrapper.
  const transparent = program === name && Object.hasOwn(TRANSPARENT, name) ? TRANSPARENT[name]! : undefined;
  const valued = TRANSPARENT[name]?.valued ?? VALUED[name] ?? NEVER;
  let at = 0;
  let doubt: string | undefined;
  while (at < words.length) {
    const word = words[at];
    if (word === undefined) {
      return { inner: starts(words, read), isTransparent: false, doubt: 'wrapper' };
    }
    if (word === '--') {
      at++;
      break;
    }
    if (name === 'env' && /^[A-Za-z_]\w*=/.test(word)) {
      doubt = 'variable';
      at++;
    } else if (name === 'env' && (/^--s/.test(word) || /^-\w*S/.test(word))) {
      const rest = /^(?:-\w*S|--s[a-z-]*=?)(.*)$/s.exec(word)?.[1] ?? '';
      return { ...line([rest || words[at + 1], ...words.slice(at + (rest ? 1 : 2))], read), doubt: 'wrapper' };
    } else if (name === 'npx' && (word === '-c' || word === '--call')) {
      return { ...line([words[at + 1]], read), isTransparent: false, doubt: 'wrapper' };
    } else if (/^[-+]./.test(word) || word === '-') {
      const isKnown = transparent !== undefined && (transparent.options.test(word) || (valued.test(word) && words[at + 1] !== undefined));
      doubt ??= isKnown ? undefined : 'wrapper';
      at += valued.test(word) ? 2 : 1;
    } else {
      break;
    }
  }
  const optionsEnd = at;
  // Numbers and files that come first.
  if (/^(?:g?timeout|taskset|chrt|flock|repeat)$/.test(name)) {
    doubt ??= /timeout/.test(name) && !/^\d+(?:\.\d+)?[smhd]?$/.test(words[at] ?? '') ? 'wrapper' : undefined;
    at++;
  }
  if (name === 'command' && words[0] !== undefined && /^-[vV]/.test(words[0])) {
    return NOTHING;
  }
  const command = words.slice(at);
  if (command.length === 0) {
    // `xargs` alone runs echo; `env` alone prints the variables.
    return { inner: [], isTransparent: false, ...(doubt && { doubt }) };
  }
  // `watch` and `parallel` hand their arguments to a shell.
  const isLine = name === 'watch' || name === 'parallel' || (name === 'flock' && command[0] === '-c');
  const within = isLine ? line(command[0] === '-c' ? command.slice(1) : command, read) : segment(command, read);
  // More arguments come from the input.
  const isOpen = name === 'xargs' || name === 'parallel' || name === 'entr';
  const uncertain = doubt ?? within.doubt ?? (isOpen ? 'arguments' : undefined);
  // An option may have a value that the tables do not know.
  const others = doubt === 'wrapper' ? starts(words.slice(Math.max(0, optionsEnd - 1)), read) : [];
  const isTransparent = transparent !== undefined && uncertain === undefined;
  return { inner: [...within.inner, ...others], isTransparent, ...(uncertain !== undefined && { doubt: uncertain }) };
}

/** The commands that may begin at one of the first words. */
function starts(words: Words, read: (line: string) => CommandReading): readonly CommandSegment[] {
  return words.slice(0, 4).flatMap((word, at) => (word === undefined || /^-/.test(word) ? [] : segment(words.slice(at), read).inner));
}

/** Subcommands that run the program in the next words. */
const RUNNERS: Readonly<Record<string, RegExp>> = {
  npm: /^(?:exec|x|explore)$/,
  pnpm: /^(?:exec|dlx)$/,
  yarn: /^(?:exec|dlx)$/,
  bun: /^x$/,
  uv: /^run$/,
  poetry: /^run$/,
  pipenv: /^run$/,
  pdm: /^run$/,
  hatch: /^run$/,
  rye: /^run$/,
  pixi: /^run$/,
  pipx: /^run$/,
  bundle: /^exec$/,
  mise: /^(?:exec|x)$/,
  asdf: /^exec$/,
  conda: /^run$/,
  mamba: /^run$/,
  git: /^(?:bisect|submodule)$/,
};

function runner(name: string, words: Words, read: (line: string) => CommandReading): Unwrapped {
  const at = words.findIndex((word) => word === undefined || !/^-/.test(word));
  const [subcommand, ...rest] = at < 0 ? [] : words.slice(at);
  if (subcommand === undefined || RUNNERS[name]?.test(subcommand) !== true) {
    return name === 'git' && words.some((word) => word !== undefined && /^(?:-x|--e)/.test(word))
      ? { ...line([words[words.findIndex((word) => word !== undefined && /^(?:-x|--e)/.test(word)) + 1]], read), isTransparent: false }
      : NOTHING;
  }
  if (name === 'git') {
    const run = rest.findIndex((word) => word === 'run' || word === 'foreach');
    return run < 0
      ? NOTHING
      : {
          ...line(
            rest.slice(run + 1).filter((word) => word !== '--recursive'),
            read,
          ),
          doubt: 'wrapper',
        };
  }
  const isPlain = at === 0 && rest[0] !== undefined && !/^-./.test(rest[0]);
  const command = rest[0] === '--' ? rest.slice(1) : rest;
  return isPlain ? segment(command, read) : { inner: starts(command, read), isTransparent: false, doubt: 'wrapper' };
}

/** A command in words. */
function segment(words: Words, read: (line: string) => CommandReading): Unwrapped {
  const { inner, isTransparent, doubt: within } = words[0] === undefined ? { ...NOTHING, doubt: 'program' } : unwrapped(words, read);
  const doubt = within ?? builtinDoubt(words);
  const own: CommandSegment = { start: 0, end: 0, words, assigns: [], redirections: [], folder: '', inner, isTransparent };
  return { inner: [own], isTransparent: false, ...(doubt !== undefined && { doubt }) };
}

/** A line that a shell reads. */
function line(words: Words, read: (line: string) => CommandReading): Unwrapped {
  if (words.some((word) => word === undefined)) {
    return { ...NOTHING, doubt: 'code' };
  }
  const { segments, doubts } = read(words.join(' '));
  return { inner: segments, isTransparent: false, ...(doubts[0] && { doubt: doubts[0].code }) };
}

function shell(name: string, words: Words, read: (line: string) => CommandReading): Unwrapped {
  if (name === 'cmd' || name === 'pwsh' || name === 'powershell' || name === 'fish' || name === 'nu') {
    const at = words.findIndex((word) => word !== undefined && /^(?:\/[ck]|-c(?:ommand)?)$/i.test(word));
    const { inner } = at < 0 ? NOTHING : line(words.slice(at + 1), read);
    return { inner, isTransparent: false, doubt: 'shell' };
  }
  if (name === 'busybox' || name === 'toybox') {
    return words.length === 0 ? NOTHING : segment(words, read);
  }
  for (let at = 0; at < words.length; at++) {
    const word = words[at];
    if (word === undefined) {
      return { ...NOTHING, doubt: 'shell' };
    }
    if (/^-[A-Za-z]*c[A-Za-z]*$/.test(word)) {
      const rest = words.slice(at + 1);
      const next = rest.findIndex((each) => each === undefined || !/^[-+]/.test(each));
      const { inner, doubt } = next < 0 ? { inner: [], doubt: 'shell' } : line([rest[next]], read);
      // Other options change how the shell runs, and read its own files.
      const isPlain = word === '-c' && next === 0 && at === 0;
      return { inner, isTransparent: false, ...((doubt ?? (isPlain ? undefined : 'shell')) && { doubt: doubt ?? 'shell' }) };
    }
    if (word === '-o' || word === '+o' || word === '-O' || word === '+O' || word === '--rcfile' || word === '--init-file') {
      at++;
    } else if (!/^[-+]/.test(word)) {
      return { ...NOTHING, doubt: 'script' };
    }
  }
  // A shell that reads its input.
  return { ...NOTHING, doubt: 'shell' };
}

/** The commands of `find -exec` and `fd -x`. */
function executed(name: string, words: Words, read: (line: string) => CommandReading): Unwrapped {
  const inner: CommandSegment[] = [];
  let doubt: string | undefined;
  for (let at = 0; at < words.length; at++) {
    const word = words[at];
    const isExec = name === 'find' ? /^-(?:exec|execdir|ok|okdir)$/.test(word ?? '') : /^(?:-x|-X|--exec|--exec-batch)$/.test(word ?? '');
    if (!isExec) {
      continue;
    }
    const rest = words.slice(at + 1);
    const end = rest.findIndex((each) => each === ';' || each === '+');
    const command = end < 0 ? rest : rest.slice(0, end);
    const within = segment(command, read);
    inner.push(...within.inner);
    doubt ??= within.doubt ?? 'arguments';
    at += command.length;
  }
  return { inner, isTransparent: false, ...(doubt !== undefined && { doubt }) };
}
