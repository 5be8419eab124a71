/** Reads command lines of PowerShell by the syntax tree. Nothing is given to PowerShell, because parsing alone can run code there. */
import { ALIKE, isHiddenIn, looseSegments } from './looseSegments';
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
import { childrenOf, namedChildrenOf, type SyntaxNode, type SyntaxParser } from './syntaxNode';
import { unwrapped } from './wrappers';

const GROUPS: ReadonlySet<string> = new Set(['program', 'statement_list', 'pipeline', 'pipeline_chain', 'pipeline_chain_tail']);
const QUIET: ReadonlySet<string> = new Set(['empty_statement', 'command_argument_sep']);
/** Parameters of every command that store values in variables, or stop in a debugger. */
const COMMON =
  /^-(?:ov|outv\w*|pv|pipelinev\w*|iv|informationv\w*|ev|errorv\w*|wv|warningv\w*|ea|errora\w*|wa|warninga\w*|infa|informationa\w*|proga|progressa\w*|db|debug)\b/i;
const COMMON_NAMES =
  'outvariable pipelinevariable informationvariable informationaction errorvariable erroraction warningvariable warningaction progressaction debug'.split(
    ' ',
  );
/** The names of PowerShell's own commands, and their aliases. Other programs have options that look like the beginning of a common parameter. */
const CMDLET =
  /^(?:[\w.\\]*[a-z]+-[a-z]+|gci|dir|ls|gc|cat|type|gi|gl|pwd|sls|select|sort|measure|echo|write|group|ft|fl|fw|compare|diff|gps|ps|gcm|gm|gv|man|help|rvpa|tee)$/i;
/** A path of another provider than the file system: variables of the environment, the registry, functions and others. */
const PROVIDER =
  /^(?:-\w+:)?(?:[\w.]+\\)?(?:env|variable|function|alias|cert|certificate|wsman|hkcu|hklm|hkcr|hku|hkcc|registry|environment|filesystem)::?/i;

/** True for the beginning of a common parameter, which PowerShell completes. */
function isCommon(word: string, program: string): boolean {
  const name = /^-([a-z]{2,})(?=:|$)/i.exec(word)?.[1]?.toLowerCase();
  return COMMON.test(word) || (name !== undefined && CMDLET.test(program) && COMMON_NAMES.some((each) => each.startsWith(name)));
}

/** Letters for `--` and `=` that no other text has. The grammar knows neither the end of options nor `--name=value`. */
const DASHES = 'ꙮꙮ';
const EQUALS = 'ꙭ';

function readable(line: string): string {
  return line
    .replaceAll(/(?<=[ \t])--(?=[ \t]|$)/g, DASHES)
    .replaceAll(/(?<=[ \t])--([A-Za-z][\w-]*)=(?=[\w./:\\-]+(?:[ \t]|$))/g, `${DASHES}$1${EQUALS}`);
}

/** Commands that run code, or change how later commands run. */
const RUNS_CODE: ReadonlySet<string> = new Set(
  (
    'iex invoke-expression icm invoke-command start-process saps start start-job sajb start-threadjob import-module ipmo add-type ' +
    'new-alias nal set-alias sal set-variable sv set-item si invoke-item ii invoke-cimmethod using foreach-object where-object % ? ' +
    'new-item ni new-psdrive ndr enter-pssession etsn set-psdebug import-alias ipal update-typedata update-formatdata invoke-history ihy r ' +
    'new-module nmo set-psbreakpoint sbp new-variable nv remove-alias import-pssession ipsn register-objectevent register-engineevent'
  ).split(' '),
);

export function powershellReader(parser: SyntaxParser, depth = 0): LineReader {
  return {
    read: (line) => {
      if (line.length > MAX_LINE || depth > MAX_DEPTH || isHiddenIn(line)) {
        return { ...unread(line, 'line'), segments: line.length > MAX_LINE ? [] : looseSegments(line) };
      }
      // A quotation mark or dash of typography is one for PowerShell too, which the grammar does not know.
      if (/[\u2010-\u201f]|[^\S \t\n]/.test(line) || ALIKE.test(line)) {
        return { segments: looseSegments(line), doubts: [{ code: 'quote', start: 0, end: line.length }] };
      }
      const root = /[ꙮꙭ]/.test(line) ? null : parser.parse(readable(line));
      if (!root) {
        return { ...unread(line, 'parser'), segments: looseSegments(line) };
      }
      const segments: CommandSegment[] = [];
      const doubts: Doubt[] = [];
      // The grammar takes a separator behind a continued line for an argument.
      void (/`\s*\n/.test(line) && doubts.push({ code: 'continuation', start: 0, end: line.length }));
      visit(root, segments, doubts, (text) => powershellReader(parser, depth + 1).read(text));
      const isBroken = doubts.some(({ code }) => code === 'ERROR' || code === 'missing' || code === 'continuation');
      const all = isBroken ? [...segments, ...looseSegments(line)] : segments;
      return { segments: all, doubts: all.length > MAX_SEGMENTS ? [...doubts, { code: 'segments', start: 0, end: line.length }] : doubts };
    },
  };
}

function visit(node: SyntaxNode, segments: CommandSegment[], doubts: Doubt[], read: (line: string) => CommandReading): void {
  const { type, startIndex: start, endIndex: end } = node;
  if (node.isMissing) {
    doubts.push({ code: 'missing', start, end });
  } else if (!node.isNamed) {
    void (![';', '|', '\n', '&&', '||'].includes(type) && type.trim() !== '' && doubts.push({ code: 'token', start, end }));
  } else if (GROUPS.has(type)) {
    childrenOf(node).forEach((child) => visit(child, segments, doubts, read));
  } else if (type === 'command') {
    command(node, segments, doubts, read);
  } else if (!QUIET.has(type)) {
    doubts.push({ code: type, start, end });
    inside(node, segments, doubts, read);
  }
}

/** Finds the commands inside a node whose own effect is not certain. */
function inside(node: SyntaxNode, segments: CommandSegment[], doubts: Doubt[], read: (line: string) => CommandReading): void {
  for (const child of namedChildrenOf(node)) {
    if (child.type === 'command') {
      command(child, segments, doubts, read);
    } else {
      inside(child, segments, doubts, read);
    }
  }
}

function command(node: SyntaxNode, segments: CommandSegment[], doubts: Doubt[], read: (line: string) => CommandReading): void {
  const { startIndex: start, endIndex: end } = node;
  const words: (string | undefined)[] = [];
  const redirections: Redirection[] = [];
  const doubt = (code: string): void => void doubts.push({ code, start, end });
  for (const child of namedChildrenOf(node)) {
    if (child.type === 'command_name') {
      words.push(bare(child.text));
    } else if (child.type === 'command_elements') {
      for (const element of childrenOf(child)) {
        argument(element, words, redirections, doubt);
        void (!QUIET.has(element.type) && element.type !== 'generic_token' && inside(element, segments, doubts, read));
      }
    } else {
      doubt(child.type);
      const name = /^["']?([^"'$`]+)["']?$/.exec(namedChildrenOf(node).find(({ type }) => type === 'command_name_expr')?.text ?? '')?.[1];
      void (child.type === 'command_name_expr' && words.push(name));
      inside(child, segments, doubts, read);
    }
  }
  const [program] = words;
  if (program === undefined) {
    doubt('program');
  } else if (RUNS_CODE.has(program.toLowerCase())) {
    doubt('code');
  }
  // Windows PowerShell passes some texts on without their quotes, and a batch file reads them again.
  if (words.slice(1).some((word) => word !== undefined && (word === '' || /["%]|^\S*[&|<>^]\S*$/.test(word)))) {
    doubt('quoting');
  }
  if (words.some((word) => word !== undefined && isCommon(word, program ?? ''))) {
    doubt('parameter');
  }
  if (words.some((word) => word !== undefined && PROVIDER.test(word))) {
    doubt('provider');
  }
  // A change of the folder cannot be followed: `cd` is a function, and a drive has a folder of its own.
  if (program !== undefined && /^(?:cd|chdir|sl|set-location|pushd|popd|push-location|pop-location|[a-z]:|cd[.\\/].*)$/i.test(program)) {
    const [target] = words.slice(1);
    const isBelow = words.length === 2 && target !== undefined && !/^[\\/~-]|^[A-Za-z]:|\.\.|[*?[\]]/.test(target);
    void ((!isBelow || !/^(?:cd|set-location)$/i.test(program)) && doubt('folder'));
  }
  const { inner, isTransparent, doubt: within } = unwrapped(words, read);
  void (within !== undefined && doubt(within));
  const text = words[1]?.toLowerCase() ?? '';
  const isCode = program !== undefined && /^(?:iex|invoke-expression)$/i.test(program) && words[1] !== undefined;
  const code = isCode ? read(words[1]!).segments : [];
  const started =
    program !== undefined && /^(?:start-process|saps|start|invoke-item|ii)$/i.test(program) && text !== '' ? [loose(words.slice(1))] : [];
  const name = namedChildrenOf(node)[0]?.text ?? '';
  const spelled = program === undefined && /^[\w`-]+$/.test(name) ? [loose([name.replaceAll('`', ''), ...words.slice(1)])] : [];
  segments.push({
    start,
    end,
    words,
    assigns: [],
    redirections,
    folder: '',
    inner: [...inner, ...code, ...started, ...spelled],
    isTransparent,
  });
}

function loose(words: readonly (string | undefined)[]): CommandSegment {
  return { start: 0, end: 0, words, assigns: [], redirections: [], folder: '', inner: [], isTransparent: false };
}

function argument(node: SyntaxNode, words: (string | undefined)[], redirections: Redirection[], doubt: (code: string) => void): void {
  const { type, text } = node;
  if (node.isMissing || type === 'command_argument_sep') {
    void (text.trim() !== '' && doubt('separator'));
  } else if (type === 'generic_token' || type === 'command_parameter') {
    if (/^[\d*]?>{1,2}\$null$/i.test(text)) {
      return;
    }
    words.push(/[$`"'(){}@<>;&|,]/.test(text) ? undefined : restored(text));
  } else if (type === 'redirection') {
    if (/^\d>&\d$/.test(text) || /^[\d*]?>{1,2}\s*\$null$/i.test(text)) {
      return;
    }
    const file = /^[\d*]?>{1,2}\s*([^$`"'(){}@<>;&|,*?]+)$/.exec(text)?.[1];
    redirections.push({ access: 'writes', target: file?.trim() });
  } else if (type === 'array_literal_expression') {
    words.push(quoted(restored(text)));
  } else {
    doubt(type);
    words.push(undefined);
  }
}

function restored(text: string): string {
  return text.replaceAll(DASHES, '--').replaceAll(EQUALS, '=');
}

/** Returns the value of a text in quotes without anything to expand, and of a number. */
function quoted(text: string): string | undefined {
  if (/^'(?:[^']|'')*'$/.test(text)) {
    return text.slice(1, -1).replaceAll("''", "'");
  }
  if (/^"[^"$`]*"$/.test(text)) {
    return text.slice(1, -1);
  }
  return /^[\w.:\\/-]+$/.test(text) ? text : undefined;
}

function bare(text: string): string | undefined {
  return /[$`"'(){}@<>;&|]/.test(text) ? undefined : text;
}
