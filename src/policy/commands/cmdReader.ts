/** Reads command lines of cmd.exe, for which there is no parser. A line with variables, loops or labels is a doubt. */
import { ALIKE, isHiddenIn, looseSegments, suffixesOf } from './looseSegments';
import { isShell } from './programs';
import {
  type CommandReading,
  type CommandSegment,
  type Doubt,
  type LineReader,
  MAX_DEPTH,
  MAX_LINE,
  MAX_SEGMENTS,
  type Redirection,
  unread,
} from './reading';
import { unwrapped } from './wrappers';

/** Commands that run another one, or change how the next ones are read. */
const RUNS_OTHERS: ReadonlySet<string> = new Set(
  (
    'for do else in forfiles if call start set setlocal endlocal goto shift cmd pushd popd assoc ftype doskey rem ' +
    'runas wscript cscript mshta rundll32 regsvr32 msiexec wmic wsl certutil bitsadmin schtasks at sc reg path prompt ' +
    'subst mklink powershell pwsh'
  ).split(' '),
);

export function cmdReader(depth = 0): LineReader {
  return {
    read: (line) => {
      if (line.length > MAX_LINE || depth > MAX_DEPTH || /[^\S \t]/.test(line) || isHiddenIn(line)) {
        return { ...unread(line, 'line'), segments: line.length > MAX_LINE ? [] : looseSegments(line) };
      }
      return new Reader(line, depth).read();
    },
  };
}

class Reader {
  private readonly segments: CommandSegment[] = [];
  private readonly doubts: Doubt[] = [];
  private words: (string | undefined)[] = [];
  private word: string | undefined;
  private redirections: Redirection[] = [];
  private pending: 'reads' | 'writes' | undefined;
  private start = 0;
  private folder: string | undefined = '';
  /** True when no text between two signs can be the name of a variable. */
  private readonly hasOnePercent: boolean;

  constructor(
    private readonly line: string,
    private readonly depth: number,
  ) {
    this.hasOnePercent = /^[^%]*%(?![\d*~])[^%]*$/.test(line);
  }

  read(): CommandReading {
    const { line } = this;
    // cmd replaces variables before it reads the line, so their text can hold separators.
    if (ALIKE.test(line)) {
      this.doubt('quote');
    }
    if (/%[^%\s]+%|%\d|%\*|![^!\s]+!|%~/.test(line)) {
      this.doubt('variable');
    }
    let isQuoted = false;
    for (let at = 0; at < line.length; at++) {
      const character = line[at]!;
      if (character === '"') {
        // Programs read these quotes again, each in its own way: the text behind them may be a word of its own.
        void (/[\\"]/.test(line[at - 1] ?? '') && (line[at - 1] === '\\' || !isQuoted) && this.doubt('quote'));
        isQuoted = !isQuoted;
        this.word ??= '';
      } else if (isQuoted) {
        this.word = (this.word ?? '') + character;
      } else if (character === '^') {
        this.word = (this.word ?? '') + (line[++at] ?? '');
        // A batch file reads its arguments again, without the sign.
        void ((at >= line.length || /[^\w ./\\:-]/.test(line[at]!)) && this.doubt('escape'));
      } else if (character === '&' || character === '|') {
        const isHandle = character === '&' && /[<>]/.test(line[at - 1] ?? '') && /\d/.test(line[at + 1] ?? '');
        if (isHandle) {
          at++;
          this.pending = undefined;
        } else {
          const count = this.segments.length;
          this.endSegment(at);
          at += line[at + 1] === character ? 1 : 0;
          // An operator needs a command on both sides, except `&` at the end.
          void (this.segments.length === count && line[at - 1] !== ')' && this.doubt('separator'));
          void (line.slice(at + 1).trim() === '' && (character === '|' || line[at - 1] === '&') && this.doubt('separator'));
          this.start = at + 1;
          this.folder = character === '|' || this.folder === '' ? this.folder : undefined;
        }
      } else if (character === '(' || character === ')' || character === '@') {
        // A parenthesis inside a word is a part of it.
        if (this.word === undefined && (character !== ')' || this.words.length > 0 || this.segments.length > 0)) {
          this.doubt('group');
          this.endSegment(at);
          this.start = at + 1;
        } else {
          this.word = (this.word ?? '') + character;
        }
      } else if (character === '<' || character === '>') {
        if (this.word !== undefined && /^\d$/.test(this.word)) {
          this.word = undefined;
        }
        this.endWord();
        at += line[at + 1] === '>' ? 1 : 0;
        this.pending = character === '<' ? 'reads' : 'writes';
      } else if (/\s/.test(character) || (/[,;=]/.test(character) && this.words.length === 0)) {
        // `;`, `,` and `=` separate words, too. Programs get them with their arguments.
        void (!/\s/.test(character) && this.doubt('separator'));
        this.endWord();
      } else {
        this.word = (this.word ?? '') + character;
      }
    }
    void (isQuoted && this.doubt('quote'));
    this.endSegment(line.length);
    const isLong = this.segments.length > MAX_SEGMENTS;
    void (isLong && this.doubt('segments'));
    const loose = this.doubts.length > 0 ? looseSegments(line.replaceAll('^', '')) : [];
    const within = loose
      .filter(({ words: [program = ''] }) => RUNS_OTHERS.has(program.toLowerCase()))
      .flatMap(({ words }) => suffixesOf(words));
    const segments = [...this.segments, ...loose, ...within];
    return { segments, doubts: this.doubts };
  }

  private doubt(code: string): void {
    this.doubts.push({ code, start: 0, end: this.line.length });
  }

  private endWord(): void {
    if (this.word === undefined) {
      return;
    }
    const isText = !this.word.includes('!') && (!this.word.includes('%') || (this.hasOnePercent && this.words.length > 0));
    const word = isText ? this.word : undefined;
    if (this.pending) {
      this.redirections.push({ access: this.pending, target: word });
      this.pending = undefined;
    } else {
      this.words.push(word);
    }
    this.word = undefined;
  }

  private endSegment(end: number): void {
    this.endWord();
    void (this.pending && this.doubt('redirect'));
    this.pending = undefined;
    const { words, redirections, start, folder } = this;
    [this.words, this.redirections] = [[], []];
    if (words.length === 0 && redirections.length === 0) {
      return;
    }
    const [program] = words;
    void (program === undefined && this.doubt('program'));
    const name =
      program
        ?.replace(/\.(?:exe|com|bat|cmd)$/i, '')
        .split(/[\\/]/)
        .at(-1) ?? '';
    // An option may follow without a blank.
    const attached = /^([a-z]+)[/.,;:=\\[\]+(]/i.exec(program ?? '')?.[1];
    const runsOthers = RUNS_OTHERS.has((attached ?? name).toLowerCase()) || isShell(name);
    void (runsOthers && this.doubt('code'));
    void (/^(?:echo|cd|rd|rmdir|del|md)[.,;:=/\\[\]+(]/i.test(program ?? '') && this.doubt('spelling'));
    const { inner, isTransparent, doubt } = unwrapped(words, (text) => cmdReader(this.depth + 1).read(text));
    void (doubt !== undefined && this.doubt(doubt));
    const named = attached === undefined ? [] : [{ ...EMPTY, words: [attached] }];
    // The command may begin at any word. These lines are in doubt, so this matters for denials only.
    const hidden = runsOthers ? suffixesOf(words) : [];
    this.segments.push({ start, end, words, assigns: [], redirections, folder, inner: [...inner, ...named, ...hidden], isTransparent });
    if (/^(?:cd|chdir)$/i.test(name)) {
      const [target] = words.slice(1);
      const isBelow = words.length === 2 && target !== undefined && !/^[\\/~-]|^[A-Za-z]:|\.\.|[*?]/.test(target);
      void (!isBelow && this.doubt('folder'));
      this.folder = isBelow && this.folder !== undefined ? [this.folder, target].filter(Boolean).join('/') : undefined;
    } else if (/^[A-Za-z]:$/.test(program ?? '')) {
      this.doubt('folder');
    }
  }
}

const EMPTY: CommandSegment = { start: 0, end: 0, words: [], assigns: [], redirections: [], folder: '', inner: [], isTransparent: false };
