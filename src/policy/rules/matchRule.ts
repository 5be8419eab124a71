/** Decides whether a rule of the user applies to one part of a request. Commands are judged elsewhere, by all rules at once. Pure. */
import { hasControl } from '../../text/characters/characters';
import { parsePattern, type PathPattern, reachOf } from '../protection/pathPattern';
import { hostOf, isFile } from '../matching';
import type { FilePart, McpPart, RequestPart } from '../rule';
import { type ExactPattern, exactPattern, matchesExactly } from './exactPattern';
import type { fileNames } from './fileNames';
import type { UserRule } from './userRule';

type NamesOf = ReturnType<typeof fileNames>;

/** A rule with its pattern parsed. */
export interface ReadyRule {
  readonly rule: UserRule;
  /** For a permission. */
  readonly exact: ExactPattern | undefined;
  /** For a question or a denial. */
  readonly lenient: PathPattern | undefined;
}

export function readyRule(rule: UserRule): ReadyRule {
  const { path, effect } = rule;
  const isAllowed = effect === 'allow';
  return {
    rule,
    exact: path !== undefined && isAllowed ? exactPattern(path) : undefined,
    lenient: path !== undefined && !isAllowed ? parsePattern(path) : undefined,
  };
}

/** The kind of tool of a request that the agent makes through ACP Host. */
const TOOLS: Readonly<Record<RequestPart['kind'], string | undefined>> = {
  read: 'read',
  write: 'edit',
  change: 'edit',
  send: undefined,
  command: 'execute',
  address: 'fetch',
  tool: undefined,
  mcp: undefined,
};
/** Tools that work on files. A permission for one needs to know the file. */
const FILE_TOOLS: ReadonlySet<string> = new Set(['read', 'edit', 'delete', 'move']);
const READING_TOOLS: ReadonlySet<string> = new Set(['read', 'search']);
/** The kinds of tools whose address is what they fetch. */
const ADDRESS_TOOLS: ReadonlySet<string> = new Set(['fetch', 'execute']);

/** @param names see `fileNames` */
export function appliesTo(ready: ReadyRule, part: RequestPart, names: NamesOf): boolean {
  const { rule } = ready;
  if (rule.command !== undefined || part.kind === 'send') {
    return false;
  }
  const isAllowed = rule.effect === 'allow';
  return (
    (rule.tool === undefined || hasTool(part, rule.tool) || (!isAllowed && rule.tool === 'edit' && isEdit(part))) &&
    (rule.path === undefined || (isFile(part) && (isAllowed || isBelow(ready.lenient, part, names)))) &&
    (rule.host === undefined ||
      (part.kind === 'address' && hasHost(part.url, rule.host) && (!isAllowed || isFetched(part.url, part.tool)))) &&
    (rule.mcp === undefined || (part.kind === 'mcp' && isMcp(rule.mcp, part, isAllowed))) &&
    (!isAllowed || isPermitted(ready, part, names))
  );
}

function hasTool(part: RequestPart, tool: string): boolean {
  if (part.kind === 'tool') {
    return part.isTitle !== true && part.tool === tool;
  }
  const named = part.tool ?? TOOLS[part.kind];
  // A command may write any file. Its writes belong to the tool that runs it, too.
  return named === tool || (part.byCommand !== undefined && tool === (part.byCommand.tool ?? TOOLS.command));
}

/** True for a change of a file, whatever kind the agent gives its request. A file that a command names may be one that it only reads. */
function isEdit(part: RequestPart): boolean {
  const isChange = part.kind === 'write' || part.kind === 'change';
  return isChange && part.byCommand === undefined && part.tool !== 'delete' && part.tool !== 'move';
}

/** The further conditions of a permission. */
function isPermitted({ rule, exact }: ReadyRule, part: RequestPart, names: NamesOf): boolean {
  if (isFile(part)) {
    const isOfCommand = part.byCommand !== undefined && rule.tool === (part.byCommand.tool ?? TOOLS.command);
    // Another tool may do anything with the file that it names.
    const isOfFileTool = part.tool === undefined || FILE_TOOLS.has(part.tool) || part.tool === 'search';
    // A request that calls itself reading does not write.
    const isContradiction = part.kind !== 'read' && part.tool !== undefined && READING_TOOLS.has(part.tool);
    // A rule without a tool is about reads and edits, as its words say.
    const isNamed = rule.tool !== undefined || (part.tool !== 'delete' && part.tool !== 'move');
    return isOfCommand || (isOfFileTool && isNamed && !isContradiction && isInFolders(part, exact, names));
  }
  switch (part.kind) {
    case 'mcp':
      return rule.mcp !== undefined;
    case 'tool':
      return rule.tool !== undefined && !FILE_TOOLS.has(part.tool);
    case 'command':
      // Without a command of its own the rule names the tool. A title is not the command.
      return rule.tool !== undefined;
    default:
      return true;
  }
}

/** A permission covers only files in the session's folders, by all their names. */
function isInFolders(part: FilePart, pattern: ExactPattern | undefined, names: NamesOf): boolean {
  return names(part).exact.every((below) =>
    pattern === undefined ? below.length > 0 : below.some((each) => matchesExactly(pattern, each)),
  );
}

/** For a question or a denial one name is enough. */
function isBelow(pattern: PathPattern | undefined, part: FilePart, names: NamesOf): boolean {
  return pattern !== undefined && names(part).readings.some((readings) => reachOf(pattern, readings) > 0);
}

function hasHost(url: string, host: string): boolean {
  const name = hostOf(url)?.replace(/\.$/, '');
  const isBelow = host.startsWith('*.');
  const wanted = hostOf(`https://${isBelow ? host.slice(2) : host}/`);
  return name !== undefined && wanted !== undefined && (isBelow ? name.endsWith(`.${wanted}`) : name === wanted);
}

/** False for an address that programs read in different ways, and for a tool that may use its address for something else. */
function isFetched(url: string, tool: string | undefined): boolean {
  return /^https?:\/\/[^\\@\s]+$/i.test(url) && !hasControl(url) && (tool === undefined || ADDRESS_TOOLS.has(tool));
}

function isMcp(mcp: string, { server, mcpTool, isCertain }: McpPart, isAllowed: boolean): boolean {
  const [wantedServer, wantedTool] = mcp.split('/');
  return (isCertain || !isAllowed) && server === wantedServer && (wantedTool === undefined || wantedTool === '*' || mcpTool === wantedTool);
}
