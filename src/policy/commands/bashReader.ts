/** Reads command lines of bash, sh and zsh by the syntax tree. Every kind of node that is not listed here is a doubt. */
import { isUnsafeVariable } from '../../core/approval/unsafeVariables';
import {
  type CommandReading,
  type CommandSegment,
  type Doubt,
  type LineFolders,
  type LineReader,
  MAX_DEPTH,
  MAX_LINE,
  MAX_SEGMENTS,
  type Redirection,
  unread,
} from './reading';
import { isPlainHeredoc } from './heredoc';
import { builtinDoubt } from './builtins';
import { childrenOf, namedChildrenOf, type SyntaxNode, type SyntaxParser } from './syntaxNode';
import { folderAfter } from './folderAfter';
import { unwrapped } from './wrappers';
import { bashWord } from './bashWord';
import { plainTree } from './plainLine';
import { isHiddenIn, looseSegments, substitutionsOf } from './looseSegments';

/** Nodes whose children run one after the other. */
const GROUPS: ReadonlySet<string> = new Set(['program', 'list', 'pipeline', 'subshell', 'compound_statement', 'negated_command']);
/** Words of a command whose value may be certain. */
const WORDS: ReadonlySet<string> = new Set([
  'word',
  'number',
  'raw_string',
  'string',
  'concatenation',
  'command_name',
  'test_operator',
  'regex',
  'simple_expansion',
  'arithmetic_expansion',
]);
/** Separators and quotes. `&` starts a job, which is a command like any other. */
const PUNCTUATION: ReadonlySet<string> = new Set([';', '&', '&&', '||', '|', '|&', '(', ')', '{', '}', '\n', '!', '"', '$(', '`']);

/** Doubts behind which the tree does not have to show all commands. */
const BROKEN: ReadonlySet<string> = new Set(['ERROR', 'missing', 'token', 'heredoc', 'redirect']);

/** `time` and `!` in front of a list of commands, which the grammar takes for programs with arguments. */
const KEYWORD = /(^|[\s;&|({`'"])(?:time(?:[ \t]+-p)?|!)[ \t]+(?=[{(!]|(?:if|for|while|until|case|select|time|coproc|\[\[)\s)/g;

export function bashReader(parser: SyntaxParser, depth = 0): LineReader {
  return {
    read: (line, folders = {}) => {
      if (line.length > MAX_LINE || depth > MAX_DEPTH || isHiddenIn(line)) {
        return { ...unread(line, 'line'), segments: line.length > MAX_LINE ? [] : looseSegments(line) };
      }
      const plain = plainTree(line);
      const root = plain ?? parser.parse(line);
      if (!root) {
        return { ...unread(line, 'parser'), segments: looseSegments(line) };
      }
      const { segments, doubts } = new Walk(parser, depth, folders).read(root);
      if (plain && doubts.length === 0) {
        return { segments, doubts };
      }
      // The shell joins a line that ends with a backslash before it reads words. The grammar does not join inside a word.
      const joined = line.includes('\\\n') ? bashReader(parser, depth + 1).read(line.replaceAll('\\\n', '')).segments : [];
      const bare = line.replaceAll(KEYWORD, '$1');
      const unescaped = bare.replaceAll(/\n([ \t]*)\\(?=[^\n])/g, '\n$1');
      const unnegated = unescaped === line ? undefined : bashReader(parser, depth + 1).read(unescaped);
      const isBroken = doubts.some(({ code }) => BROKEN.has(code));
      const whole = { start: 0, end: line.length, folder: '' };
      const more = [...joined, ...(unnegated?.segments ?? []), ...(isBroken ? looseSegments(line) : [])].map((each) => moved(each, whole));
      const keyword: readonly Doubt[] = bare !== line ? [{ code: 'keyword', start: 0, end: line.length }] : [];
      const reading: CommandReading = { segments: [...segments, ...more], doubts: [...doubts, ...keyword] };
      // White space that separates no words for the shell, and lines that continue inside a word or an operator. Also `>&-x`, a file's name for zsh.
      const isUnclear = /[^\S \t\n]|(?:^|[^ \t]|\\[ \t])\\\n|[<>]&-[^\s;&|()<>]/.test(line);
      return isUnclear ? { ...reading, doubts: [...reading.doubts, { code: 'space', start: 0, end: line.length }] } : reading;
    },
  };
}

interface Place {
  /** The folder of the next command, relative to that of the line. Undefined when it is not certain. */
  folder: string | undefined;
}

class Walk {
  private readonly segments: CommandSegment[] = [];
  private readonly doubts: Doubt[] = [];
  private heredocs = 0;

  constructor(
    private readonly parser: SyntaxParser,
    private readonly depth: number,
    private readonly folders: LineFolders,
  ) {}

  read(root: SyntaxNode): CommandReading {
    this.visit(root, { folder: '' });
    if (this.segments.length > MAX_SEGMENTS) {
      this.doubt('segments', root);
    }
    return { segments: this.segments, doubts: this.doubts };
  }

  private doubt(code: string, { startIndex: start, endIndex: end }: SyntaxNode): void {
    this.doubts.push({ code, start, end });
  }

  private visit(node: SyntaxNode, place: Place): void {
    const { type } = node;
    if (node.isMissing) {
      this.doubt('missing', node);
    } else if (!node.isNamed) {
      this.punctuation(node);
    } else if (GROUPS.has(type)) {
      this.group(node, place);
    } else if (type === 'command') {
      this.command(node, place, []);
    } else if (type === 'redirected_statement') {
      this.redirected(node, place);
    } else if (type === 'comment') {
      // An interactive zsh reads on behind the sign.
      void (/[;&|\n`$(<>]/.test(node.text) && this.doubt(type, node));
    } else {
      this.doubt(type, node);
      this.inside(node, place);
    }
  }

  private punctuation(node: SyntaxNode): void {
    if (!PUNCTUATION.has(node.type)) {
      this.doubt('token', node);
    }
  }

  private group(node: SyntaxNode, place: Place): void {
    // A pipe and a subshell have a folder of their own. Behind `||` and `&` it is not certain whether the folder was changed.
    const isOwn = node.type === 'subshell' || node.type === 'pipeline';
    const inner = isOwn ? { ...place } : place;
    for (const child of childrenOf(node)) {
      if (child.type === '||' || child.type === '&') {
        const before = inner.folder;
        inner.folder = before === '' ? before : undefined;
      }
      this.visit(child, node.type === 'pipeline' ? { ...inner } : inner);
    }
  }

  /** Finds the commands inside a node whose own effect is not certain. */
  private inside(node: SyntaxNode, place: Place): void {
    for (const child of namedChildrenOf(node)) {
      if (child.type === 'command' || child.type === 'redirected_statement' || GROUPS.has(child.type)) {
        this.visit(child, { ...place });
      } else {
        this.inside(child, place);
      }
    }
  }

  private redirected(node: SyntaxNode, place: Place): void {
    const redirects = namedChildrenOf(node).filter(({ type }) => type.endsWith('_redirect'));
    const bodies = childrenOf(node).filter((child) => !redirects.includes(child));
    const [body] = bodies;
    if (bodies.length === 1 && body?.type === 'command') {
      this.command(body, place, redirects);
      return;
    }
    const first = this.segments.length;
    bodies.forEach((each) => this.visit(each, place));
    const { redirections, words } = this.redirections(redirects, place);
    if (words.length > 0) {
      this.doubt('redirect', node);
    }
    if (redirections.length > 0) {
      const { startIndex: start, endIndex: end } = node;
      const isFound = this.segments.length > first;
      const own = { start, end, words: [], assigns: [], redirections, folder: place.folder, inner: [], isTransparent: isFound };
      this.segments.push(own);
    }
  }

  private command(node: SyntaxNode, place: Place, outer: readonly SyntaxNode[]): void {
    const words: (string | undefined)[] = [];
    const assigns: string[] = [];
    const redirects: SyntaxNode[] = [];
    for (const child of childrenOf(node)) {
      if (child.type === 'variable_assignment') {
        assigns.push(/^[A-Za-z_]\w*(?=\+?=)/.exec(child.text)?.[0] ?? '');
        this.substitutions(child, place);
      } else if (child.type.endsWith('_redirect')) {
        redirects.push(child);
      } else if (child.isNamed) {
        words.push(this.word(child, place));
      } else {
        this.punctuation(child);
      }
    }
    const { redirections, words: more } = this.redirections([...redirects, ...outer], place);
    const last = outer.at(-1);
    this.add(
      [...words, ...more],
      { node, end: last ? Math.max(node.endIndex, headEnd(last)) : node.endIndex, assigns, redirections },
      place,
    );
  }

  private add(
    words: readonly (string | undefined)[],
    {
      node,
      end,
      assigns,
      redirections,
    }: { node: SyntaxNode; end: number; assigns: readonly string[]; redirections: readonly Redirection[] },
    place: Place,
  ): void {
    const start = node.startIndex;
    if (words.length > 0 && words[0] === undefined) {
      this.doubt('program', node);
    }
    if (assigns.some((name) => name === '' || isUnsafeVariable(name))) {
      this.doubt('variable', node);
    }
    const { folder } = place;
    const { inner, isTransparent, doubt } = unwrapped(words, (line) => bashReader(this.parser, this.depth + 1).read(line));
    void (doubt && this.doubt(doubt, node));
    const builtin = builtinDoubt(words);
    void (builtin && this.doubt(builtin, node));
    const own = { start, end, folder };
    place.folder = folderAfter(words, folder, this.folders);
    const staysInside = words[0] === 'cd' && words.some((word) => word?.startsWith('/')) && place.folder !== undefined;
    this.segments.push({
      ...own,
      ...(staysInside && { staysInside }),
      words,
      assigns,
      redirections,
      isTransparent,
      inner: inner.map((each) => moved(each, own)),
    });
  }

  /** Returns the value of a word, and reads the commands in it. */
  private word(node: SyntaxNode, place: Place): string | undefined {
    this.substitutions(node, place);
    return WORDS.has(node.type) ? bashWord(node) : undefined;
  }

  /** Reads the commands in the substitutions of a word. Every other expansion is a doubt only where its value can run code. */
  private substitutions(node: SyntaxNode, place: Place): void {
    for (const child of childrenOf(node)) {
      this.expansion(child, place);
    }
    this.expansionItself(node, place);
  }

  private expansion(node: SyntaxNode, place: Place): void {
    this.substitutions(node, place);
  }

  private expansionItself(node: SyntaxNode, place: Place): void {
    switch (node.type) {
      case 'command_substitution':
      case 'process_substitution':
        this.doubts.push({ code: node.type, start: node.startIndex, end: node.endIndex });
        namedChildrenOf(node).forEach((child) => this.visit(child, { ...place }));
        break;
      case 'expansion':
        // `${x@P}` and `${!x}` run or follow the value, and `${x:=…}` sets a variable.
        void (/@[A-Za-z]|^\$\{!|:?=/.test(node.text) && this.doubt('expansion', node));
        this.hidden(node);
        break;
      case 'arithmetic_expansion':
        void (!/^\$\(\([\d\s+*/%()-]+\)\)$/.test(node.text) && this.doubt('arithmetic', node));
        break;
      case 'ansi_c_string':
      case 'brace_expression':
      case 'array':
      case 'subscript':
      case 'translated_string':
      case 'ERROR':
        this.doubt(node.type, node);
        break;
      default:
        void (node.isMissing && this.doubt('missing', node));
    }
  }

  /** Reads the substitutions that the grammar leaves in a text, such as the ones between backticks. */
  private hidden(node: SyntaxNode): void {
    const { startIndex: start, endIndex: end } = node;
    for (const code of substitutionsOf(node.text)) {
      this.doubt('command_substitution', node);
      const { segments } = bashReader(this.parser, this.depth + 1).read(code);
      this.segments.push(...segments.map((each) => moved(each, { start, end, folder: undefined })));
    }
  }

  /** Reads redirections. The grammar takes the words behind a target for targets; the shell takes them for arguments. */
  private redirections(
    nodes: readonly SyntaxNode[],
    place: Place,
  ): { readonly redirections: readonly Redirection[]; readonly words: readonly (string | undefined)[] } {
    const redirections: Redirection[] = [];
    const words: (string | undefined)[] = [];
    for (const node of nodes) {
      if (node.type === 'heredoc_redirect') {
        this.heredoc(node, place);
        continue;
      }
      if (node.type === 'herestring_redirect') {
        namedChildrenOf(node).forEach((child) => this.word(child, place));
        continue;
      }
      const operator = childrenOf(node).find(({ isNamed }) => !isNamed)?.type;
      const targets = namedChildrenOf(node).filter(({ type }) => type !== 'file_descriptor');
      const [first, ...more] = targets.map((target) => this.word(target, place));
      words.push(...more);
      // zsh takes the sign for a part of the operator.
      void (first?.startsWith('!') === true && this.doubt('redirect', node));
      if (targets.length === 0 && operator !== '>&-' && operator !== '<&-') {
        this.doubt('redirect', node);
      } else if (operator === '>&' || operator === '<&') {
        // `1-` is the name of a file for zsh.
        const isCopy = first !== undefined && /^(?:\d+|-)$/.test(first);
        void (!isCopy && redirections.push({ access: operator === '>&' ? 'writes' : 'reads', target: first }));
      } else if (operator === '<') {
        redirections.push({ access: 'reads', target: first });
      } else if (operator === '>' || operator === '>>' || operator === '>|' || operator === '&>' || operator === '&>>') {
        redirections.push({ access: 'writes', target: first });
      } else if (operator !== '>&-' && operator !== '<&-') {
        this.doubt('redirect', node);
      }
    }
    const isNetwork = redirections.some(({ target }) => target?.startsWith('/dev/tcp/') || target?.startsWith('/dev/udp/'));
    void (isNetwork && nodes[0] && this.doubt('network', nodes[0]));
    return { redirections, words };
  }

  /** The body of a here-document runs substitutions, except behind a quoted delimiter. The rest of the line may follow inside its node. */
  private heredoc(node: SyntaxNode, place: Place): void {
    void ((this.heredocs++ > 0 || !isPlainHeredoc(node)) && this.doubt('heredoc', node));
    const isQuoted = childrenOf(node).some(({ type, text }) => type === 'heredoc_start' && /['"\\]/.test(text));
    for (const child of childrenOf(node)) {
      if (child.type === 'heredoc_body') {
        if (!isQuoted) {
          childrenOf(child).forEach((each) => this.substitutions(each, place));
          void (/[$`]/.test(child.text) && this.doubt('heredoc_body', child));
          this.hidden(child);
        }
      } else if (
        child.type === 'heredoc_start' ||
        child.type === 'heredoc_end' ||
        child.type === 'file_descriptor' ||
        child.type === '<<' ||
        child.type === '<<-'
      ) {
        continue;
      } else if (child.type === 'file_redirect' || child.type === 'herestring_redirect') {
        const { startIndex: start, endIndex: end } = child;
        const { redirections, words } = this.redirections([child], place);
        void (words.length > 0 && this.doubt('redirect', child));
        this.segments.push({ start, end, words: [], assigns: [], redirections, folder: place.folder, inner: [], isTransparent: true });
      } else if (WORDS.has(child.type)) {
        // Further words of the command.
        this.doubt('heredoc', child);
        this.word(child, place);
      } else {
        this.visit(child, place);
      }
    }
  }
}

/** The end of a redirection on the first line of its command. */
function headEnd(node: SyntaxNode): number {
  const body = node.type === 'heredoc_redirect' ? childrenOf(node).find(({ type }) => type === 'heredoc_body') : undefined;
  return body ? body.startIndex : node.endIndex;
}

function moved(segment: CommandSegment, { start, end, folder }: Pick<CommandSegment, 'start' | 'end' | 'folder'>): CommandSegment {
  const inner = segment.inner.map((each) => moved(each, { start, end, folder }));
  return { ...segment, start, end, folder: segment.folder === '' ? folder : undefined, inner };
}
